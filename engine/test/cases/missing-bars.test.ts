import { describe, expect, it } from 'vitest'
import { factsOnWire, IncrementalScreen, markets, type Panel, screen, sectionsOf } from '../../src/index.ts'
import { columnOf } from '../../src/market/derived-columns.ts'
import { changeCauses } from '../../src/screen/change-cause.ts'
import { sectionOfWire } from '../../src/screen/wire-section.ts'
import { parameters, settings } from '../fixtures/parameters.ts'
import { reportOf } from '../fixtures/run.ts'
import { table } from '../fixtures/table.ts'
import { cheapest } from '../fixtures/trades.ts'

// 缺行情: neither a bar nor a suspension has come. Numbers go on as over a suspension, what is said of the day is another thing.

const missing = (panel: Panel, ...days: readonly [date: string, ...codes: string[]][]): Panel => ({
  ...panel,
  missingBars: new Map(days.map(([date, ...codes]) => [date, new Set(codes)])),
})
const run = (panel: Panel, rule = parameters(), over = {}) =>
  reportOf(panel, markets.cb, {
    parameters: rule,
    settings: settings(panel.dates[0]!, panel.dates.at(-1)!, { execution: 'realistic', adjust: 'raw', ...over }),
  })
const close = `
              AAA  BBB  CCC
  2024-01-02  100  110  120
  2024-01-03  -    -    120
  2024-01-04  95   110  120
`

describe('a run over a day without a bar', () => {
  const panel = table(close)
  // Of BBB a suspension has come.
  const lacking = missing(panel, ['2024-01-03', 'AAA'])

  it('carries the price and says so, beside one that is suspended', () => {
    const both = parameters({ hold_method: { hold_range_end: 2 } })
    const { days, report } = run(lacking, both)
    expect(
      days[1]?.positions.map((row) => [row.code, row.last_price, row.suspension, row.missing_bar, row.reason, row.reason_text]),
    ).toEqual([
      ['AAA', 100, 0, true, 'missing_bar', '缺行情，按最近收盘价计值，继续持有'],
      ['BBB', 110, 1, undefined, 'suspended', '停牌，继续持有'],
    ])
    const suspended = run(panel, both)
    expect([report.trades, report.metrics]).toEqual([suspended.report.trades, suspended.report.metrics])
  })

  it('buys nothing of it, and says why', () => {
    const open = { fields: { open: close } }
    const told = ({ missingBars }: Panel) =>
      run({ ...table(close, open), ...(missingBars && { missingBars }) }, cheapest, { fill: 'next_open' }).days[1]?.unbought?.map(
        ({ code, reason_text }) => `${code} ${reason_text}`,
      )
    expect(told(lacking)).toEqual(['AAA 缺行情未买入', 'BBB 停牌未买入'])
    expect(told(panel)).toEqual(['AAA 停牌未买入', 'BBB 停牌未买入'])
  })

  it('puts off a sale, and says why', () => {
    const later = `
                  AAA  BBB
      2024-01-02  100  110
      2024-01-03  112  110
      2024-01-04  -    110
      2024-01-05  113  110
    `
    const panel = missing(table(later, { fields: { open: later } }), ['2024-01-04', 'AAA'])
    const { days, report } = run(panel, parameters({ rebalance_method: { rebalance_type: 0, rebalance_value: 1 } }), { fill: 'next_open' })
    expect(days[2]?.positions.find(({ code }) => code === 'AAA')).toMatchObject({
      reason: 'waiting',
      missing_bar: true,
      reason_text: '缺行情无法卖出，顺延，按最近收盘价计值',
    })
    expect(report.trades.find(({ code, side }) => code === 'AAA' && side === 'sell')?.date).toBe('2024-01-05')
  })

  it('knows it by a code that the security bore then', () => {
    const renamed = table(close, { securities: { AAA: { formerCodes: ['OLD'] } } })
    const { days } = run(missing(renamed, ['2024-01-03', 'OLD']))
    expect(days[1]?.positions[0]).toMatchObject({ code: 'AAA', missing_bar: true })
  })
})

describe('a screen of a day without a bar', () => {
  const panel = missing(table(close), ['2024-01-03', 'AAA'], ['2024-01-08', 'CCC'])
  const rule = parameters({ hold_method: { hold_range_end: 2 } })
  const asked = { parameters: rule, day: 1, previous: ['AAA', 'BBB'] }

  it('excludes it under its own name', () => {
    const outcome = screen(panel, markets.cb, asked)
    if (!outcome.ok) throw new Error(outcome.problem.message)
    const { excluded, list_items, funnel } = outcome.result
    expect(excluded?.map(({ code, rule }) => [code, rule])).toEqual([
      ['AAA', '缺行情'],
      ['BBB', '停牌'],
    ])
    expect(funnel.find(({ step }) => step === 'exclude.suspended')?.label).toBe('停牌或缺行情')
    expect(list_items.filter(({ change }) => change === 'out').map(({ code, reason_text }) => [code, reason_text])).toEqual([
      ['AAA', '剔除：缺行情'],
      ['BBB', '剔除：停牌'],
    ])
    // On a day on which nothing is missing the rule is called as ever.
    const before = screen(panel, markets.cb, { parameters: rule, day: 0 })
    expect(before.ok && before.result.funnel.find(({ step }) => step === 'exclude.suspended')?.label).toBe('停牌')
  })

  it('is the same where it stays on the day, and in a browser', () => {
    const oracle = screen(panel, markets.cb, asked)
    if (!oracle.ok) throw new Error(oracle.problem.message)
    const section = sectionsOf(panel, 1)(markets.cb)
    const codes = panel.securities.map(({ code }) => code)
    const facts = JSON.parse(JSON.stringify(factsOnWire(markets.cb, section.facts)))
    const close = { label: '收盘价', values: Float64Array.of(100, 110, 120), remark: { level: null, raw: null } }
    const wire = sectionOfWire(markets.cb, { date: '2024-01-03', codes, facts }, () => close)
    for (const each of [section, wire]) {
      const standing = new IncrementalScreen(markets.cb).screen(each, rule, asked.previous)
      if (!standing.ok) throw new Error(standing.problem.message)
      expect(standing.parts.excluded()).toEqual(oracle.result.excluded)
      expect(standing.parts.funnel()).toEqual(oracle.result.funnel)
    }
  })

  it('tells why one that was listed the day before is not', () => {
    const on = (day: number, previous: string[] = []) => {
      const outcome = screen(panel, markets.cb, { parameters: rule, day, previous })
      if (!outcome.ok) throw new Error(outcome.problem.message)
      return outcome.result
    }
    const previous = ['AAA', 'BBB'].map((code) => ({ code, name: code }))
    const causes = changeCauses({ now: on(1, ['AAA', 'BBB']), earlier: on(0), previous, rule })
    expect([causes.get('AAA'), causes.get('BBB')]).toEqual([
      { kind: 'suspended', rule: '缺行情' },
      { kind: 'suspended', rule: '停牌' },
    ])
  })

  it('names those of the list, where a rule takes those that did not trade', () => {
    const every = parameters({ hold_method: { hold_range_end: 2 }, exclude: { suspended: false } })
    const outcome = screen(panel, markets.cb, { parameters: every, day: 1 })
    if (!outcome.ok) throw new Error(outcome.problem.message)
    expect(outcome.result.list_items.filter(({ selected }) => selected).map(({ code }) => code)).toEqual(['AAA', 'BBB'])
    expect(outcome.result.warnings).toEqual(['名单中AAA（AAA）缺行情，价格为最近收盘价'])
    const standing = new IncrementalScreen(markets.cb).screen(sectionsOf(panel, 1)(markets.cb), every)
    expect(standing.ok && standing.parts.warnings).toEqual(outcome.result.warnings)
  })

  it('does not know whether it was suspended; its numbers stay', () => {
    expect([...columnOf(panel, 'suspension')!].slice(3)).toEqual([Number.NaN, 1, 0, 0, 0, 0])
    expect([...panel.columns.get('close')!].slice(3, 6)).toEqual([100, 110, 120])
  })
})
