import type { ScreenResult } from '@convexa/contract'
import { describe, expect, test } from 'vitest'
import { parameters } from '../../test/fixtures/requests.ts'
import { lessThanALot, warningsOf } from './lots.ts'
import type { Quote } from './market-day.ts'
import { type Line, type ReasonInput, reasonOf } from './reasons.ts'

type Row = ScreenResult['list_items'][number]

/** A place in the ranking by 转股溢价率; the first three are the list. */
const row = (code: string, rank: number | null, premium: number, over: Partial<Row> = {}): Row => ({
  ...{ rank, code, name: code, score: null, selected: rank !== null && rank <= 3, values: {} },
  score_parts: { conv_prem: { raw: premium, rank, norm: null, contrib: 100 - premium * 100 } },
  ...over,
})
const screened = (list_items: Row[], excluded: ScreenResult['excluded'] = []): ScreenResult => ({
  ...{ trade_date: '', data_time: '', realtime: false, data_mode: 'imported', data_version: '', total: 9, selected: 3 },
  ...{ list_items, excluded, funnel: [], warnings: [] },
})

const out = '，超出持有区间 3 与缓冲名次 2'
const now = screened(
  [
    ...[row('STAYED', 1, 0.02), row('CAME', 2, 0.15), row('NEW', 3, 0.1)],
    ...[row('BUFFER', 4, 0.2), row('FULL', 5, 0.25, { reason_text: '名次 5，让位于更靠前的名次' })],
    row('PASSED', 7, 0.29, { reason_text: `名次 7${out}`, score_parts: { conv_prem: { raw: 0.29, rank: 7, norm: null, contrib: 30 } } }),
    ...[row('FELL', 8, 0.35, { reason_text: `名次 8${out}` }), row('LOW', 9, 0.4, { reason_text: `名次 9${out}` })],
    row('HIDDEN', null, 0.1, { reason_text: '转股溢价率缺失' }),
  ],
  [{ code: 'CALLED', name: '', rule: '强赎计数 ≥ 10', rule_index: 0, value: 11 }],
)
const before = screened([
  row('STAYED', 1, 0.02),
  row('CAME', 7, 0.28),
  row('BUFFER', 3, 0.2),
  row('FELL', 3, 0.28),
  row('PASSED', 6, 0.3),
  row('LOW', 9, 0.4),
])

const quote = (over: Partial<Quote> = {}): Quote => ({
  ...{ code: '', name: '', close: 121.25, amount: 5_000, size: 5, volatility: 0.3, callStatus: 0, callCount: Number.NaN, callNeed: 15 },
  ...{ listed: true, traded: true, lastDay: null, lot: { min: 10, step: 10 }, fees: { stampSell: 0, transfer: 0 }, values: new Map() },
  ...over,
})

const told: ReasonInput = {
  kind: 'cb',
  rule: { parameters: parameters('cb', 'conv_prem', 3, 1), now, before, own: [] },
  hold_rank: null,
  order_min: 3_000,
}
const ofGroup: ReasonInput = { ...told, rule: null }
const byConfig: ReasonInput = { ...told, hold_rank: 6 }
const firstDay: ReasonInput = { ...told, rule: { parameters: parameters('cb', 'conv_prem', 3, 1), now, before: null, own: [] } }

const item = (rank: number, weight = 0.2): Line['item'] => ({
  ...{ code: '', name: '', rank, weight, ref_price: 121.25, lot_min: 10, lot_step: 10 },
})
const line = (code: string, held: number, target: number, over: Partial<Line> = {}): Line => ({
  ...{ code, held, target, wanted: target, item: undefined, quote: quote(), ...over },
})

describe('why a line of a dry run is what it is', () => {
  test.each<[name: string, line: Line, told: ReasonInput, reason: string]>([
    ['rose into the list', line('CAME', 0, 80, { item: item(2) }), told, '新进：名次 7 → 2，主要因「转股溢价率」由 28.0% 到 15.0%'],
    ['was on the list yesterday too', line('STAYED', 0, 80, { item: item(1) }), told, '未持有：名次 1，前一交易日已在名单'],
    ['was not ranked yesterday', line('NEW', 0, 80, { item: item(3) }), told, '新进：名次 3，前一交易日不在打分池'],
    ['comes on the first day of the data', line('CAME', 0, 80, { item: item(2) }), firstDay, '新进：名次 2'],
    ['is bought for a group', line('CAME', 0, 80, { item: item(2) }), ofGroup, '未持有：目标权重 20.0%'],
    ['fell out', line('FELL', 90, 0), told, `移出：名次 3 → 8，主要因「转股溢价率」由 28.0% 到 35.0%${out}`],
    [
      'fell though its own value is better: the others rose',
      line('PASSED', 90, 0),
      told,
      `移出：名次 6 → 7，「转股溢价率」的相对位置变了${out}`,
    ],
    ['is held and never was listed', line('LOW', 90, 0), told, `移出：名次 9${out}`],
    ['is beyond the config’s own buffer', line('LOW', 90, 0), byConfig, '移出：名次 9，超出交易参数的持有名次 6'],
    [
      'is in the buffer, but the places are taken',
      line('FULL', 90, 0, { item: item(5, 0) }),
      told,
      '移出：名次 5，持有只数已满，让位于更靠前的持仓',
    ],
    ['met a rule', line('CALLED', 90, 0), told, '剔除：触发「强赎计数 ≥ 10」'],
    ['has no value', line('HIDDEN', 90, 0), told, '转股溢价率缺失'],
    ['is nowhere', line('OTHER', 90, 0), told, '不在目标名单中'],
    ['has left the market', line('OTHER', 90, 0, { quote: quote({ listed: false }) }), told, '已退市'],
    ['leaves a group', line('LOW', 90, 0), ofGroup, '不在目标名单中'],
    ['leaves a full group', line('LOW', 90, 0, { item: item(6, 0) }), ofGroup, '移出：名次 6，持有只数已满'],
    ['is bought more of', line('CAME', 40, 80, { item: item(2) }), told, '名次 2，加仓到目标权重'],
    ['is sold a part of', line('CAME', 120, 80, { item: item(2) }), told, '名次 2，减仓到目标权重'],
    ['stays', line('STAYED', 80, 80, { item: item(1), wanted: 84 }), told, '名次 1，继续持有'],
    [
      'stays a little off its weight',
      line('STAYED', 80, 80, { item: item(1), wanted: 97 }),
      told,
      '名次 1，继续持有，差额不足单笔最小 3,000 元',
    ],
    ['stays in the rule’s buffer', line('BUFFER', 80, 80, { item: item(4, 0) }), told, '名次 4，在缓冲名次内，继续持有'],
    ['stays in the config’s buffer', line('BUFFER', 80, 80, { item: item(4, 0) }), byConfig, '名次 4，在持有名次 6 内，继续持有'],
    ['costs more than there is', line('NEW', 0, 0, { item: item(3), wanted: 4 }), told, '名次 3，不足一手（10 张约 1,213 元）'],
  ])('%s', (_name, line, told, reason) => expect(reasonOf(line, told)).toBe(reason))
})

describe('what to know before it is traded', () => {
  test.each<[name: string, quote: Partial<Quote>, warnings: string[]]>([
    ['nothing', {}, []],
    ['days that count towards a call', { callCount: 8 }, ['强赎计数 8/15']],
    ['days without the clause’s number', { callCount: 8, callNeed: Number.NaN }, ['强赎计数 8']],
    ['none of the days', { callCount: 0 }, []],
    ['all of the days', { callCount: 15, callStatus: 1 }, ['已满足强赎条件']],
    ['a call that was announced', { callCount: 15, callStatus: 3 }, ['已公告强赎']],
    ['a call with its last day', { callStatus: 4, lastDay: '2026-11-27' }, ['公告实施强赎', '最后交易日 2026-11-27']],
    ['a maturity is no call', { callStatus: 5, lastDay: '2026-11-27' }, ['公告到期赎回', '最后交易日 2026-11-27']],
    ['it is suspended', { traded: false }, ['停牌']],
  ])('%s', (_name, over, warnings) => expect(warningsOf(quote(over))).toEqual(warnings))

  test('a lot of each board', () => {
    expect(lessThanALot('cb', quote({ close: 20_000 }))).toBe('不足一手（10 张约 200,000 元）')
    expect(lessThanALot('stk', quote({ close: 83.174, lot: { min: 200, step: 1 } }))).toBe('不足一手（200 股约 16,635 元）')
  })
})
