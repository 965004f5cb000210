import type { Parameters as StrategyParameters } from '@convexa/contract/strategy'
import { describe, expect, it } from 'vitest'
import { madeReport } from '../../../../test/made-report.ts'
import { blankParameters, newFilter, newRank } from '../../rule/draft.ts'
import { factorsOf } from '../../rule/factors.ts'
import { commonDays, onRange, yearsOn } from './common-range.ts'
import { bestOf, ruleRowsOf, rulesOf, unlike } from './compare-rows.ts'
import { equalRows, equalSettings } from './equal-run.ts'
import { correlation, dailyReturns, listOverlap, matrixOf } from './likeness.ts'

const curves = (dates: string[], nav: number[], bench: (number | null)[] = nav.map(() => null)) =>
  ({ curves: { dates, nav, bench } }) as unknown as Parameters<typeof onRange>[0]

describe('runs on the days they share', () => {
  const long = curves(['a', 'b', 'c', 'd'], [1, 2, 3, 1.5], [1, 1.1, 1.2, 1.3])
  const short = curves(['b', 'c', 'd', 'e'], [1.1, 1.2, 0.6, 1])
  it('have the days of all of them', () => expect(commonDays([long, short])).toEqual(['b', 'c', 'd']))
  it('begin at 1 on the day before', () => {
    expect(onRange(long, ['b', 'c', 'd'])).toEqual({
      dates: ['b', 'c', 'd'],
      nav: [2, 3, 1.5],
      bench: [1.1, 1.2, 1.3],
      drawdown: [0, 0, -0.5],
    })
    expect(onRange(short, ['b', 'c']).nav).toEqual([1.1, 1.2])
  })
  it('have years, the first and last of which may be partial', () =>
    expect(
      yearsOn({ dates: ['2023-06-01', '2023-12-29', '2024-01-02', '2024-12-31', '2025-03-03'], nav: [1, 1.1, 1.2, 1.21, 1.3] }),
    ).toEqual([
      { year: '2023', value: 1.1 - 1, partial: true },
      { year: '2024', value: 1.21 / 1.1 - 1, partial: false },
      { year: '2025', value: 1.3 / 1.21 - 1, partial: true },
    ]))
})

describe('how alike they are', () => {
  it('is 1 with what moves as they do, −1 with the opposite', () => {
    expect(correlation([1, 2, 3], [2, 4, 6])).toBeCloseTo(1)
    expect(correlation([1, 2, 3], [3, 2, 1])).toBeCloseTo(-1)
    expect([correlation([1, 2], [1, 2]), correlation([1, 1, 1], [1, 2, 3])]).toEqual([null, null])
    expect(dailyReturns([1.1, 1.1])).toEqual([1.1 - 1, 0])
  })
  it('is told once for each pair', () =>
    expect(matrixOf([1, 2, 3], (a, b) => a + b)).toEqual([
      [1, null, null],
      [3, 1, null],
      [4, 5, 1],
    ]))
  it('is what both hold of all that either holds', () => {
    const held = (...days: string[]) => ({
      holdings: {
        codes: [...'abcdef'],
        names: [],
        days: days.map((codes, i) => ({ date: `d${i}`, code_index: [...codes].map((code) => 'abcdef'.indexOf(code)), weight: [] })),
      },
    })
    expect(listOverlap(held('abcd', 'ab'), held('ab', 'cd'), ['d0', 'd1'])).toBe(0.25)
    expect(listOverlap(held('abcd', ''), held('abef', 'cd'), ['d0', 'd1'])).toBe(1 / 3)
    expect(listOverlap(held(''), held('a'), ['d0'])).toBe(null)
    // A group whose members hold the same apart.
    expect(listOverlap(held('aab'), held('ac'), ['d0'])).toBe(1 / 3)
  })
})

it.each([
  ['the highest', ['a', 'b', 'c'], [1, 3, 2], 'high', [false, true, false]],
  ['the lowest', ['a', 'b', 'c'], [1, 3, 2], 'low', [true, false, false]],
  ['all that are written alike', ['0.93', '0.93', '0.80'], [0.931, 0.929, 0.8], 'high', [true, true, false]],
  ['none where all are alike', ['1', '1'], [1, 1], 'high', [false, false]],
  ['none of one alone', ['1', '—'], [1, null], 'high', [false, false]],
  ['none where neither end is better', ['1', '2'], [1, 2], null, [false, false]],
] as const)('best is %s', (_, texts, values, better, best) => expect(bestOf(texts, values, better)).toEqual(best))

it('a rule is told so that it reads alone: which way a factor ranks, what a condition does and in which unit', () => {
  const size = { factor_key: 'remain_size', factor_name: '剩余规模', unit: '亿元', decimals: 2, factor_type: 0, category: '规模' } as const
  const factors = factorsOf([{ ...size, prefer_default: 'small', realtime: true, available: true, coverage: 1, description: '' }])
  const parameters: StrategyParameters = {
    ...blankParameters('cb'),
    rank_factors: [{ ...newRank('remain_size', 'small'), enable: true, weight: 2, neutralization: 'industry' }],
    filter_factors: [{ ...newFilter('remain_size'), action: 'exclude', operation: 'lt', value: 0.5, enable: true }],
  }
  const told = rulesOf({ ...madeReport({ days: 20 }), parameters }, factors, (code) => code, false)
  expect(['打分因子', '方向', '条件'].map((label) => told.get(label)?.text)).toEqual([
    '剩余规模 ×2（按行业中性化）',
    '越小越好',
    '剔除 剩余规模 小于 0.5亿元',
  ])
})

const said = (texts: Record<string, string>, contents: Record<string, string> = {}) =>
  new Map(Object.entries(texts).map(([label, text]) => [label, { text, content: contents[label] ?? text }]))

it('only what differs in the rules is listed, and how much is not', () => {
  const rules = [
    said({ 持有: '10', 权重: '等权', 黑名单: '1 只' }, { 黑名单: '113050.SH' }),
    said({ 持有: '20', 权重: '等权', 黑名单: '1 只' }, { 黑名单: '113051.SH' }),
    null,
  ]
  const { rows, hidden } = ruleRowsOf(rules, true)
  expect([rows.map(({ label }) => label), hidden]).toEqual([['持有', '黑名单'], 1])
  expect(rows[0]?.cells.map((cell) => cell?.text)).toEqual(['10', '20', undefined])
  expect(rows[1]?.cells.map((cell) => cell?.text)).toEqual(['1 只', '1 只（内容不同）', undefined])
  expect(ruleRowsOf(rules, false).rows).toHaveLength(3)
})

it('what cannot be compared is named', () => {
  const run = (start: string, version: string, rate = 0.001) =>
    ({
      kind: 'cb',
      metrics: { start_date: start, end_date: 'z' },
      settings: { cost: { buy_rate: rate, sell_rate: rate }, fill: 'close', execution: 'realistic' },
      data_version: version,
      engine_version: '1',
    }) as Parameters<typeof unlike>[0][number]
  expect(unlike([run('a', 'v'), run('a', 'v')])).toEqual([])
  expect(unlike([run('a', 'v'), { ...run('a', 'v'), left_out_interest: null }])).toEqual(['是否计息'])
  expect(unlike([run('a', 'v'), run('b', 'w', 0.002)])).toEqual(['区间', '成本', '数据版本'])
})

describe('the same terms for all', () => {
  const settings = (rate: number, more = {}) =>
    ({
      settings: { start_date: '2020-01-02', end_date: '2026-11-20', benchmark: 'cb_ew', capital: 10, cost: { buy_rate: rate }, ...more },
    }) as never
  it('are the first one’s costs on the common days, ideal execution, and each one’s own benchmark', () => {
    const own = settings(0.003, { benchmark: '000300', capital: 500, execution: 'realistic', oos_start: '2025-01-02', adjust: 'raw' })
    expect(equalSettings(own, settings(0.001), { from: '2022-01-04', to: '2025-12-31' })).toEqual({
      start_date: '2022-01-04',
      end_date: '2025-12-31',
      benchmark: '000300',
      capital: 10,
      cost: { buy_rate: 0.001 },
      execution: 'ideal',
      adjust: 'raw',
    })
  })
  it('give a row for each number, the best of it marked, nothing where nothing was computed', () => {
    const of = (sharpe: number) => ({ data_version: 'v', metrics: { sharpe, annual_return: 0.1 } }) as never
    const row = equalRows([of(1.2), null, of(0.8)]).find(({ label }) => label === '夏普比率')
    expect(row?.cells.map((cell) => cell && [cell.text, cell.best])).toEqual([['1.20', true], null, ['0.80', false]])
  })
})
