import { describe, expect, it } from 'vitest'
import { compile, evaluate, namesOf } from '../../src/expression/index.ts'
import { crossSection, factorList, markets, screen } from '../../src/index.ts'
import { withDerived } from '../../src/market/derived-columns.ts'
import type { Panel } from '../../src/panel/panel.ts'
import { availableIn } from '../../src/panel-views/available.ts'
import { parameters, rankBy, settings } from '../fixtures/parameters.ts'
import { reportOf } from '../fixtures/run.ts'
import { table } from '../fixtures/table.ts'

const { stk } = markets

/** What a factor is on every day, by code. */
function valuesOf(panel: Panel, ref: string): Record<string, (number | null)[]> {
  const told = panel.dates.map((_, day) => {
    const outcome = crossSection(panel, stk, [ref], day)
    if (!outcome.ok) throw new Error(outcome.problem.message)
    return new Map(outcome.codes.map((code, i) => [code, outcome.values[0]?.[i] ?? null]))
  })
  return Object.fromEntries(panel.securities.map(({ code }) => [code, told.map((day) => day.get(code) ?? null)]))
}

const around = `
              AAA   BBB
  2025-04-25  10    10
  2025-04-28  10    10
  2025-04-29  10    10
  2025-04-30  12    10
`

describe('a report for 2024-12-31 that is announced on 2025-04-28', () => {
  const reports = {
    AAA: `
      2023-12-31  2024-04-20  np_parent=10  equity_parent=100
      2024-12-31  2025-04-28  np_parent=50  equity_parent=140`,
    BBB: `
      2023-12-31  2024-04-20  np_parent=20  equity_parent=100
      2024-12-31  2025-04-10  np_parent=20  equity_parent=110`,
  }
  const panel = table(around, { kind: 'stk', reports })

  it('is in a factor from 2025-04-29 on, not before', () => {
    expect(valuesOf(panel, 'roe_ttm').AAA).toEqual([0.1, 0.1, 50 / 140, 50 / 140])
    expect(valuesOf(panel, 'netprofit_yoy').AAA).toEqual([null, null, 4, 4])
  })

  it('is in a formula of the past neither: ten days ago is what was known ten days ago', () => {
    const names = namesOf(stk, availableIn(panel, stk.fields))
    const made = compile('ref(np_parent, 1)', names)
    if (!made.ok) throw new Error(made.problem.message)
    expect(Array.from(evaluate(made.expression, panel)).filter((_, at) => at % 2 === 0)).toEqual([Number.NaN, 10, 10, 50])
  })

  const best = parameters({ rank_factors: [rankBy('roe_ttm', { prefer: 'large' })] })

  it('moves a screen on that day', () => {
    const first = panel.dates.map((_, day) => {
      const outcome = screen(panel, stk, { parameters: best, day })
      if (!outcome.ok) throw new Error(outcome.problem.message)
      return outcome.result.list_items.find(({ rank }) => rank === 1)?.code
    })
    expect(first).toEqual(['BBB', 'BBB', 'AAA', 'AAA'])
  })

  it('moves a backtest on that day: what was bought at that close earns the next day', () => {
    const { report } = reportOf(panel, stk, { parameters: best, settings: settings('2025-04-25', '2025-04-30', { benchmark: 'stk_ew' }) })
    expect(report.curves.nav.map((value) => Math.round(Number(value) * 1e9) / 1e9)).toEqual([1, 1, 1, 1.2])
  })
})

describe('restated numbers', () => {
  const panel = table(around, {
    kind: 'stk',
    reports: {
      AAA: `
        2023-12-31  2024-04-20  np_parent=10  equity_parent=100
        2024-12-31  2025-04-24  np_parent=20  equity_parent=110
        2023-12-31  2025-04-28  np_parent=16
        2024-12-31  2025-04-29  np_parent=12`,
      BBB: '',
    },
  })

  it('count from their own publication on; the version before stays what it was', () => {
    expect(valuesOf(panel, 'np_parent').AAA).toEqual([20, 20, 20, 12])
    expect(valuesOf(panel, 'netprofit_yoy').AAA).toEqual([1, 1, 0.25, -0.25])
  })

  it('leave alone what they do not state, and the newest quarter stays the newest', () => {
    expect(valuesOf(panel, 'equity_parent').AAA).toEqual([110, 110, 110, 110])
    expect(valuesOf(panel, 'roe_ttm').AAA).toEqual([20 / 110, 20 / 110, 20 / 110, 12 / 110])
  })

  it('are absent where nothing was ever published, not 0', () => {
    expect(valuesOf(panel, 'np_parent').BBB).toEqual([null, null, null, null])
  })
})

describe('what four quarters are, by hand', () => {
  const years = `
    2022-12-31  2023-04-20  revenue=400  np_parent=-40
    2023-03-31  2023-04-21  revenue=90   np_parent=-8
    2023-06-30  2023-08-20  revenue=200  np_parent=-15
    2023-09-30  2023-10-20  revenue=310  np_parent=-20
    2023-12-31  2024-04-20  revenue=440  np_parent=-30
    2024-03-31  2024-04-21  revenue=130  np_parent=5`
  const of = (text: string, ref: string) =>
    valuesOf(table('AAA\n2025-01-02 10', { kind: 'stk', reports: { AAA: text } }), `formula: ${ref}`).AAA[0]

  it.each([
    ['q_ttm(revenue)', 130 + 440 - 90],
    ['q_single(revenue)', 130],
    ['q_single(q_ref(revenue, 1))', null],
    ['q_ref(q_single(revenue), 1)', 440 - 310],
    ['q_ref(revenue, 2)', 310],
    ['q_annual(revenue)', 440],
    ['q_annual(revenue, 1)', 400],
    ['q_avg(q_single(revenue), 4)', (130 + 130 + 110 + 110) / 4],
    ['q_yoy(revenue)', 130 / 90 - 1],
    ['q_slope(q_single(revenue), 3)', 10],
    ['q_std(q_single(revenue), 3)', Math.sqrt(400 / 3)],
    ['q_ttm(revenue) / 2 + 1', 241],
  ])('%s', (formula, expected) => {
    const told = of(years, formula)
    if (expected === null) expect(told).not.toBeNull()
    else expect(told).toBeCloseTo(expected, 9)
  })

  it('of an annual report it is the report itself', () => {
    const annual = years.split('\n').slice(0, -1).join('\n')
    expect(of(annual, 'q_ttm(revenue)')).toBe(440)
  })

  it('the sign of a loss maker says whether it earns more', () => {
    // From −8 to 5 is a gain, from −40 to −30 too.
    expect(of(years, 'q_yoy(np_parent)')).toBeCloseTo(13 / 8, 9)
    expect(of(years, 'q_yoy(q_annual(np_parent))')).toBeCloseTo(10 / 40, 9)
  })

  it('a missing quarter leaves out what needs it, and nothing else', () => {
    const holed = years
      .split('\n')
      .filter((line) => !line.includes('2023-03-31'))
      .join('\n')
    expect(of(holed, 'q_ttm(revenue)')).toBeNull()
    expect(of(holed, 'q_yoy(revenue)')).toBeNull()
    expect(of(holed, 'q_single(revenue)')).toBe(130)
    expect(of(holed, 'q_ref(q_single(revenue), 3)')).toBeNull()
    expect(of(holed, 'q_avg(q_single(revenue), 5, 1, 2)')).toBeCloseTo((130 + 130 + 110) / 3, 9)
  })

  it('more quarters than are looked at are never there, and are refused', () => {
    expect(of(years, 'q_avg(q_single(revenue), 4, 1, 4)')).toBeCloseTo((130 + 130 + 110 + 110) / 4, 9)
    expect(() => of(years, 'q_avg(q_single(revenue), 4, 1, 8)')).toThrow('函数q_avg的参数“最少有效期数”需为0至4的整数（第1行第32列）')
  })

  it.each(['q_std', 'q_slope'])('%s of one quarter is never there, and is refused', (name) => {
    expect(of(years, `${name}(q_single(revenue), 2)`)).not.toBeNull()
    expect(() => of(years, `${name}(q_single(revenue), 1)`)).toThrow(`函数${name}的参数“期数”需为2至40的整数`)
  })

  it('a base of 0 has no growth', () => {
    expect(of('2023-03-31 2023-04-20 revenue=0\n2024-03-31 2024-04-20 revenue=5', 'q_yoy(revenue)')).toBeNull()
  })
})

describe('facts with dates', () => {
  const dated = {
    AAA: {
      attributes: { industry_1: '电子' },
      dated: {
        industry_1: [
          { from: null, to: '2025-04-28', text: '电子' },
          { from: '2025-04-28', to: null, text: '通信' },
        ],
        is_st: [{ from: '2025-04-29', to: '2025-04-30', text: 'ST' }],
        index_member_000300: [{ from: '2025-04-25', to: '2025-04-29', text: '1' }],
        total_share: [
          { from: '2020-01-02', to: '2025-04-30', text: '3' },
          { from: '2025-04-30', to: null, text: '6' },
        ],
        next_report_date: [{ from: '2025-04-01', to: '2025-04-30', text: '2025-04-30' }],
      },
    },
    BBB: { attributes: { industry_1: '电子' }, dated: {} },
  }
  const panel = table(around, { kind: 'stk', securities: dated })

  it.each([
    ['is_st', [0, 0, 1, 0], [0, 0, 0, 0]],
    ['index_member_000300', [1, 1, 0, 0], [0, 0, 0, 0]],
    ['total_mv', [30, 30, 30, 72], [null, null, null, null]],
    ['next_report_date', [5, 2, 1, null], [null, null, null, null]],
    ["formula: in(industry_1, '通信')", [0, 1, 1, 1], [0, 0, 0, 0]],
    ["formula: industry_1 == '电子'", [1, 0, 0, 0], [1, 1, 1, 1]],
    ['formula: gp_count(industry_1, close)', [2, 1, 1, 1], [2, 1, 1, 1]],
  ])('%s', (ref, a, b) => {
    expect(valuesOf(panel, ref)).toEqual({ AAA: a, BBB: b })
  })

  it('exclude on their days', () => {
    const wanted = parameters({ exclude: { suspended: false, st: true, industries: ['通信'] } })
    const left = panel.dates.map((_, day) => {
      const outcome = screen(panel, stk, { parameters: wanted, day })
      if (!outcome.ok) throw new Error(outcome.problem.message)
      return outcome.result.list_items
        .filter(({ rank }) => rank !== null)
        .map(({ code }) => code)
        .join(' ')
    })
    expect(left).toEqual(['AAA BBB', 'BBB', 'BBB', 'BBB'])
  })

  it('a column of the data wins', () => {
    const fields = { is_st: around.replaceAll(/ 1[02]/g, '  0') }
    expect(valuesOf(table(around, { kind: 'stk', securities: dated, fields }), 'is_st').AAA).toEqual([0, 0, 0, 0])
    expect(withDerived(panel, ['is_st']).columns.get('is_st')).toHaveLength(8)
  })

  it('a field that nobody has facts of is not there', () => {
    const listed = factorList(stk, availableIn(panel, stk.fields), 'all')
    const reasonOf = (key: string) => listed.find(({ factor_key }) => factor_key === key)?.reason
    expect(reasonOf('index_member_000300')).toBeUndefined()
    expect(reasonOf('index_member_000905')).toBe('当前数据没有「中证500成分」')
    expect(reasonOf('roe_ttm')).toBe('当前数据没有「净资产收益率」，也没有计算它所需的「归母净资产」')
    expect(reasonOf('ep_ttm')).toBe('当前数据没有「市盈率 TTM」，也没有计算它所需的「归母净利润」')
  })
})

describe('who is there', () => {
  it('a delisted security stays in the days in which it was listed, and in their cross-sections', () => {
    const panel = table(
      `
                    AAA   BBB
        2025-04-25  10    20
        2025-04-28  10    30
        2025-04-29  10    .
      `,
      { kind: 'stk', securities: { BBB: { delisted: '2025-04-29' } } },
    )
    expect(valuesOf(panel, 'formula: cs_rank(close)')).toEqual({ AAA: [0.5, 0.5, 1], BBB: [1, 1, null] })
  })
})
