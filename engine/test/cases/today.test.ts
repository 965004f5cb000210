import { describe, expect, it } from 'vitest'
import {
  availableIn,
  layToday,
  markets,
  type Panel,
  type QuoteNumber,
  type Quotes,
  screen,
  todayReads,
  withToday,
} from '../../src/index.ts'
import { parameters, rankBy } from '../fixtures/parameters.ts'
import { table } from '../fixtures/table.ts'

const today = '2024-01-04'

/** The panel with room for one more row, as the store gives it. */
function roomy(panel: Panel): Panel {
  const longer = <T extends Float64Array | Uint8Array>(cells: T, more: number): T => {
    const out = new (cells.constructor as new (length: number) => T)(cells.length + more)
    out.set(cells)
    return out
  }
  const { stride } = panel
  return {
    ...panel,
    columns: new Map([...panel.columns].map(([key, column]) => [key, longer(column, stride)])),
    listed: longer(panel.listed, stride),
    traded: longer(panel.traded, stride),
    benchmarks: new Map([...panel.benchmarks].map(([code, series]) => [code, longer(series, 1)])),
  }
}

/** `code number=value …` a line. */
function quotes(text: string, date = today): Quotes {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  const columns = new Map<QuoteNumber, Float64Array>()
  lines.forEach(([, ...numbers], i) => {
    for (const number of numbers) {
      const [key, value] = number.split('=')
      const column = columns.get(key as QuoteNumber) ?? new Float64Array(lines.length).fill(Number.NaN)
      column[i] = Number(value)
      columns.set(key as QuoteNumber, column)
    }
  })
  return { date, codes: lines.map(([code]) => code), columns }
}

const bonds = `
              110001.SH  110002.SH  110003.SH
  2024-01-02  100        120        130
  2024-01-03  102        -          131
`
const all = (a: number, b: number, c: number) => `
              110001.SH  110002.SH  110003.SH
  2024-01-02  ${a}       ${b}       ${c}
  2024-01-03  ${a}       ${b}       ${c}
`
const issuers = {
  securities: { '110001.SH': { issuer: '600001.SH' }, '110002.SH': { issuer: '600002.SH' }, '110003.SH': { delisted: today } },
}

function live(panel: Panel, told: Quotes): { panel: Panel; at(key: string): (number | null)[] } {
  const market = markets[panel.kind]
  const whole = roomy(panel)
  layToday(whole, market, availableIn(panel, market.fields), told)
  const made = withToday(whole, told.date)
  const day = made.dates.length - 1
  const cells = (column: ArrayLike<number> | undefined) =>
    made.securities.map((_, i) => {
      const value = column?.[day * made.stride + i]
      return value === undefined || Number.isNaN(value) ? null : Math.round(value * 1e9) / 1e9
    })
  return { panel: made, at: (key) => cells(key === 'listed' ? made.listed : key === 'traded' ? made.traded : made.columns.get(key)) }
}

describe('the day that is not over', () => {
  it('a rate is what it was the day before: nobody quotes it', () => {
    const panel = {
      ...table(bonds, issuers),
      benchmarks: new Map(['risk_free', 'yield_aa_3', '000300'].map((code) => [code, Float64Array.of(1, 2)])),
    }
    const { panel: made } = live(panel, quotes('110001.SH close=103 vol=10 amount=10.3'))
    expect([...made.benchmarks].map(([code, series]) => [code, series[2]])).toEqual([
      ['risk_free', 2],
      ['yield_aa_3', 2],
      ['000300', Number.NaN],
    ])
  })

  it('has the prices of the quotes; who is not quoted, or halted, keeps the last one and does not trade', () => {
    const { at } = live(
      table(bonds, issuers),
      quotes(`
        110001.SH close=103 pre_close=102 vol=10 amount=10.3
        110002.SH close=0 pre_close=120 vol=0 amount=0
        110003.SH close=140 pre_close=131 vol=5 amount=7`),
    )
    expect(at('close')).toEqual([103, 120, null])
    expect(at('traded')).toEqual([1, 0, 0])
    // The third was delisted that morning.
    expect(at('listed')).toEqual([1, 1, 0])
  })

  it('who has passed its last day has ended, whenever it is delisted, unless it trades', () => {
    const lastDays = [{ known: '2024-01-02', day: '2024-01-03' }]
    const ended = { lastDayKnown: '2024-01-02', lastDays }
    const panel = table(bonds, { securities: { '110001.SH': ended, '110002.SH': ended, '110003.SH': { lastDay: '2024-01-03' } } })
    const { panel: now } = live(panel, quotes('110001.SH close=100 vol=5\n110002.SH close=120 vol=0\n110003.SH close=131 vol=0'))
    const row = 2 * now.stride
    expect([...now.listed.subarray(row, row + 3)]).toEqual([1, 0, 0])
    expect([...now.traded.subarray(row, row + 3)]).toEqual([1, 0, 0])
  })

  it('a bond follows its stock: premium and value by formula, terms as they were', () => {
    const fields = {
      conv_price: all(10, 20, 5),
      close_stk: all(9, 18, 5),
      pre_close_stk: all(9, 18, 5),
      conv_value: all(90, 90, 100),
      conv_prem: all(0.1, 0.3, 0.3),
      pb: all(2, 3, 1),
      rating: all(2, 3, 4),
      vol_stk: all(1, 1, 1),
      pure_value: all(95, 96, 97),
    }
    const { at } = live(
      table(bonds, { ...issuers, fields }),
      quotes(`
        110001.SH close=103 pre_close=102 vol=10 amount=10
        110002.SH close=121 pre_close=120 vol=10 amount=10
        600001.SH close=9.9 pre_close=9 vol=2000 amount=2`),
    )
    expect(at('close_stk')).toEqual([9.9, 18, null])
    expect(at('conv_value')).toEqual([99, 90, null])
    expect(at('conv_prem')).toEqual([Math.round((103 / 99 - 1) * 1e9) / 1e9, Math.round((121 / 90 - 1) * 1e9) / 1e9, null])
    expect(at('vol_stk')).toEqual([20, null, null])
    expect(at('pb')).toEqual([2.2, 3, null])
    expect([at('rating'), at('pure_value'), at('conv_price')]).toEqual([
      [2, 3, null],
      [95, 96, null],
      [10, 20, null],
    ])
  })

  it('a share’s values move with its price; an ex-day shows in the previous close of the exchange, noise does not', () => {
    const stocks = `
                  600001.SH  600002.SH
      2024-01-02  10         20
      2024-01-03  10         20
    `
    const same = (a: number, b: number) => stocks.replaceAll(/10\s+20/g, `${a} ${b}`)
    const fields = {
      pre_close: same(10, 20),
      vol: same(1, 1),
      adj_factor: same(1, 3),
      total_mv: same(100, 50),
      circ_mv: same(50, 25),
      dv_ratio: same(0.04, 0.02),
      pe_ttm: same(8, -1).replaceAll('-1', '-'),
      turnover: same(0.1, 0.2),
    }
    const { at } = live(
      table(stocks, { kind: 'stk', fields }),
      quotes(`
        600001.SH close=5.5 pre_close=5 vol=10000000 amount=5500
        600002.SH close=21 pre_close=19.995 vol=1 amount=1`),
    )
    expect(at('adj_factor')).toEqual([2, 3])
    expect(at('total_mv')).toEqual([110, Math.round(((50 * 21) / 19.995) * 1e9) / 1e9])
    expect(at('pe_ttm')).toEqual([8.8, null])
    expect(at('turnover')[0]).toBeCloseTo((10_000_000 * 5) / (50 * 1e8), 12)
  })

  it('the market’s own index goes on, others are what they are quoted at or absent', () => {
    const panel = table(bonds, { ...issuers, benchmarks: { '000300': [3000, 3010], '000905': [5000, 5010] } })
    const { panel: made } = live(
      panel,
      quotes(`
        000300 close=3020 vol=1 amount=1
        110001.SH close=104.04 pre_close=102 vol=10 amount=10`),
    )
    const last = (code: string) => made.benchmarks.get(code)?.[2]
    expect(last('cb_ew')! / panel.benchmarks.get('cb_ew')![1]).toBeCloseTo(1.02, 12)
    expect(last('000300')).toBe(3020)
    expect(last('000905')).toBeNaN()
  })

  it('of shares the index takes no ex-day for a fall', () => {
    const shares = (a: string, b: string) => `
                  600001.SH  600002.SH
      2024-01-02  ${a}
      2024-01-03  ${b}
    `
    const fields = { pre_close: shares('10 20', '10 20'), adj_factor: shares('1 1', '1 1') }
    const panel = table(shares('10 20', '10 20'), { kind: 'stk', fields })
    // Ten new shares for ten, and a rise of 2 %.
    const { panel: made } = live(
      panel,
      quotes(`
        600001.SH close=5.1 pre_close=5 vol=1 amount=1
        600002.SH close=20 pre_close=20 vol=1 amount=1`),
    )
    expect(made.benchmarks.get('stk_ew')?.[2]).toBeCloseTo(1010, 9)
  })

  it('a screen of it is the screen of the same numbers as a day of the data', () => {
    const third = (text: string, row: string) => `${text.trimEnd()}\n  ${today}  ${row}\n`
    const fields = { conv_price: all(10, 20, 5), close_stk: all(9, 18, 5) }
    const whole = table(third(bonds, '103 119 133'), {
      ...issuers,
      securities: { ...issuers.securities, '110003.SH': { issuer: '600003.SH' } },
      fields: { conv_price: third(fields.conv_price, '10 20 5'), close_stk: third(fields.close_stk, '9.9 17.1 5.05') },
    })
    const before = table(bonds, { ...issuers, securities: { ...issuers.securities, '110003.SH': { issuer: '600003.SH' } }, fields })
    const told = quotes(`
      110001.SH close=103 vol=1 amount=1
      110002.SH close=119 vol=1 amount=1
      110003.SH close=133 vol=1 amount=1
      600001.SH close=9.9
      600002.SH close=17.1
      600003.SH close=5.05`)
    const rule = parameters({ rank_factors: [rankBy('dblow')] })
    const request = { parameters: rule, day: 2 }
    const answer = screen(live(before, told).panel, markets.cb, request)
    expect(answer.ok).toBe(true)
    expect(answer).toEqual(screen(whole, markets.cb, request))
  })

  it('reads what it follows from', () => {
    const available = new Set(['close', 'conv_price', 'close_stk', 'conv_prem', 'rating', 'amount', 'remain_size', 'turnover'])
    expect([...todayReads(markets.cb, available, ['conv_prem'])].sort()).toEqual([
      'amount',
      'close',
      'close_stk',
      'conv_prem',
      'conv_price',
    ])
    expect(todayReads(markets.cb, available, ['rating'])).toEqual(new Set(['close', 'amount', 'rating']))
    expect(todayReads(markets.cb, available, ['turnover'])).toContain('remain_size')
  })
})
