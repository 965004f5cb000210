import { describe, expect, it } from 'vitest'
import { callRiskWords, changeWords, isUrgent, silentHandling, silentWords } from './glance-text.ts'

const risk = (count: number | null, last: string | null = null) => ({
  code: `9${count}.DM`,
  name: `演示${count ?? '无'}`,
  count,
  threshold: 15,
  last_trade_date: last,
})

it.each([
  [0, 0, null, '名单没有变化'],
  [1, 2, '2 换 1', '新进 2 只，移出 1 只'],
  [0, 3, '3 换 0', '新进 3 只'],
])('a list from which %i leave and to which %i come', (removed, added, short, long) =>
  expect(changeWords(removed, added)).toEqual({ short, long }),
)

describe('positions that have not traded for long', () => {
  const quiet = { code: '600002.SH', name: '测试股', since: '2024-04-10', weight: 1 / 3 }
  const lacking = { ...quiet, code: '600003.SH', name: '缺行情股', missing_bar: true as const }
  it.each([
    [
      'suspended, perhaps gone',
      [quiet],
      '测试股（600002.SH）自 2024-04-10 之后没有成交，占权益 33.33%',
      '按停牌持有，也可能已经退市而数据没有写明',
    ],
    [
      'without a bar of the day',
      [lacking],
      '缺行情股（600003.SH）自 2024-04-10 之后没有成交，当日缺行情，占权益 33.33%',
      '按最近收盘价计值，行情补到后自动更正',
    ],
    [
      'both',
      [quiet, lacking],
      '测试股（600002.SH）自 2024-04-10 之后没有成交，占权益 33.33%；缺行情股（600003.SH）自 2024-04-10 之后没有成交，当日缺行情，占权益 33.33%',
      '缺行情的按最近收盘价计值，其余按停牌持有，也可能已经退市而数据没有写明',
    ],
  ])('%s', (_, silent, words, handling) => expect([silentWords(silent), silentHandling(silent)]).toEqual([words, handling]))
})

describe('bonds near a call', () => {
  it.each([
    ['none', [], null],
    ['one that counts', [risk(14)], '1 只 · 最近 14/15'],
    ['some that are full', [risk(15), risk(15), risk(3)], '3 只 · 2 只已满 15/15'],
    ['one that is called', [risk(15, '2026-12-03'), risk(4)], '2 只 · 1 只已公告'],
    ['one whose count is not known', [risk(null)], '1 只'],
  ])('%s', (_, risks, short) => expect(callRiskWords(risks).short).toBe(short))
  it('are named with their counts', () =>
    expect(callRiskWords([risk(15, '2026-12-03'), risk(4)]).long).toBe('演示15 已公告强赎，最后交易日 2026-12-03；演示4 4/15'))
  it.each([
    [risk(10), true],
    [risk(9), false],
    [risk(0, '2026-12-03'), true],
    [risk(null), false],
  ])('are urgent within five days', (one, urgent) => expect(isUrgent(one)).toBe(urgent))
})
