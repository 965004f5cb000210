import { describe, expect, it } from 'vitest'
import { markets } from '../market/index.ts'
import type { Panel } from '../panel/panel.ts'
import { compile, evaluate, namesOf } from './index.ts'

const nan = Number.NaN

/** A panel of columns; `.` is absent, `-` a day on which the security is not listed. One line per security. */
function panelOf(table: Record<string, string>): Panel {
  const columns = new Map<string, Float64Array>()
  let listed = new Uint8Array()
  let days = 0
  let count = 0
  for (const [key, text] of Object.entries(table)) {
    const lines = text
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
    count = lines.length
    days = lines[0]?.length ?? 0
    const stride = count + 1
    const column = new Float64Array(days * stride).fill(nan)
    listed = new Uint8Array(days * stride)
    lines.forEach((line, i) => {
      line.forEach((cell, t) => {
        if (cell === '-') return
        listed[t * stride + i] = 1
        if (cell !== '.') column[t * stride + i] = Number(cell)
      })
    })
    columns.set(key, column)
  }
  return {
    kind: 'cb',
    dates: Array.from({ length: days }, (_, t) => `day ${t}`),
    securities: Array.from({ length: count }, (_, i) => ({
      code: `${i}`,
      name: `${i}`,
      pinyin: '',
      board: 'CHINEXT' as const,
      listed: null,
      delisted: null,
      lastDay: null,
      lastDayKnown: null,
      redemptionPrice: null,
      issuer: `${i}`,
      attributes: {},
    })),
    stride: count + 1,
    columns,
    listed,
    traded: listed,
    benchmarks: new Map(),
    dataMode: 'demo',
    dataVersion: 'test',
  }
}

/** Values by security; six decimals. */
function values(text: string, panel: Panel, rows?: number[]): (number | null)[][] {
  const made = compile(text, namesOf(markets.cb, new Set(panel.columns.keys())))
  if (!made.ok) throw new Error(made.problem.message)
  const cells = evaluate(made.expression, panel, rows)
  const days = rows?.length ?? panel.dates.length
  return panel.securities.map((_, i) =>
    Array.from({ length: days }, (_, t) => {
      const value = cells[t * panel.stride + i]
      return Number.isNaN(value) ? null : Math.round(value * 1e6) / 1e6
    }),
  )
}
const first = (text: string, panel: Panel, rows?: number[]) => values(text, panel, rows)[0]

describe('golden vectors of windows', () => {
  const s = panelOf({ close: '3 1 . 4 1 5 9 2 6 5' })
  const none = [null, null, null, null, null]
  const root2 = Math.round(Math.SQRT2 * 1e6) / 1e6

  it.each([
    ['ts_mean(close, 3)', [...none, 3.333333, 5, 5.333333, 5.666667, 4.333333]],
    ['ts_std(close, 3)', [...none, 2.081666, 4, 3.511885, 3.511885, 2.081666]],
    ['ts_rank(close, 3)', [...none, 1, 1, 0.333333, 0.666667, 0.666667]],
    ['ts_mean(close, 3, 1)', [3, 2, 2, 2.5, 2.5, 3.333333, 5, 5.333333, 5.666667, 4.333333]],
    ['ts_sum(close, 3)', [...none, 10, 15, 16, 17, 13]],
    ['ts_sum(close, 3, 2)', [null, 4, 4, 5, 5, 10, 15, 16, 17, 13]],
    ['ts_min(close, 3)', [...none, 1, 1, 2, 2, 2]],
    ['ts_max(close, 3, 2)', [null, 3, 3, 4, 4, 5, 9, 9, 9, 6]],
    ['ts_std(close, 3, 1)', [null, root2, root2, 2.12132, 2.12132, 2.081666, 4, 3.511885, 3.511885, 2.081666]],
    ['ts_rank(close, 3, 2)', [null, 0.5, null, 1, 0.5, 1, 1, 0.333333, 0.666667, 0.666667]],
    ['ts_decay(close, 3)', [...none, 3.5, 6.333333, 4.833333, 5.166667, 4.833333]],
    ['ema(close, 3)', [null, null, null, 3, 2, 3.5, 6.25, 4.125, 5.0625, 5.03125]],
    ['ref(close, 2)', [null, null, 3, 1, null, 4, 1, 5, 9, 2]],
    ['delta(close)', [null, -2, null, null, -3, 4, 4, -7, 4, -1]],
    ['pct(close, 2)', [null, null, null, 3, null, 0.25, 8, -0.6, -0.333333, 1.5]],
  ])('%s', (text, expected) => {
    expect(first(text, s)).toEqual(expected)
  })
})

describe('golden vectors of the cross-section', () => {
  const c = panelOf({ close: '10\n20\n20\n.\n5\n40' })
  it.each([
    ['cs_rank(close)', [0.4, 0.7, 0.7, null, 0.2, 1]],
    ['cs_zscore(close)', [-0.67082, 0.074536, 0.074536, null, -1.043498, 1.565248]],
    ['cs_zscore(if(is_nan(close), 0, 1) * 7.3)', [0.408248, 0.408248, 0.408248, -2.041241, 0.408248, 0.408248]],
    ['cs_zscore(0.1 + 0 * close)', [null, null, null, null, null, null]],
    ['cs_median(close)', [20, 20, 20, 20, 20, 20]],
    ['cs_mad(close)', [10, 20, 20, null, 5, 40]],
    ['cs_mad(close, 0.5)', [12.587, 20, 20, null, 12.587, 27.413]],
    ['cs_order(close)', [4, 2, 3, null, 5, 1]],
    ['cs_bin(close, 3)', [2, 2, 3, null, 1, 3]],
    ['cs_rank(1)', [0.583333, 0.583333, 0.583333, 0.583333, 0.583333, 0.583333]],
  ])('%s', (text, expected) => {
    expect(values(text, c).map(([value]) => value)).toEqual(expected)
  })
})

describe('golden rows of the bond dictionary', () => {
  it('123014 on 2023-01-20', () => {
    const panel = panelOf({
      close: '134.270',
      conv_price: '8.03',
      close_stk: '7.84',
      remain_size: '1.160285',
      amount: '562.354097',
      total_mv: '23.920238',
    })
    expect(first('conv_value', panel)).toEqual([97.633873])
    expect(first('conv_prem', panel)).toEqual([0.37524])
    expect(first('dblow', panel)).toEqual([171.793992])
    expect(first('remain_cap', panel)).toEqual([1.557915])
    expect(first('turnover', panel)).toEqual([0.036097])
    expect(first('cap_mv_rate', panel)).toEqual([0.06513])
  })
})

describe('absent values', () => {
  // Three-valued logic, every pair of false, true and absent.
  const pairs = panelOf({ close: '0 0 0 1 1 1 . . .', open: '0 1 . 0 1 . 0 1 .' })
  it.each([
    ['close and open', [0, 0, 0, 0, 1, null, 0, null, null]],
    ['close or open', [0, 1, null, 1, 1, 1, null, 1, null]],
    ['not close', [1, 1, 1, 0, 0, 0, null, null, null]],
    ['close == open', [1, 0, null, 0, 1, null, null, null, null]],
    ['close != open', [0, 1, null, 1, 0, null, null, null, null]],
    ['close < open', [0, 1, null, 0, 0, null, null, null, null]],
    ['close + open', [0, 1, null, 1, 2, null, null, null, null]],
    ['close ? open : 5', [5, 5, 5, 0, 1, null, null, null, null]],
    ['fmax(close, open)', [0, 1, 0, 1, 1, 1, 0, 1, null]],
    ['max(close, open)', [0, 1, null, 1, 1, null, null, null, null]],
    ['coalesce(close, open)', [0, 0, 0, 1, 1, 1, 0, 1, null]],
    ['is_nan(close)', [0, 0, 0, 0, 0, 0, 1, 1, 1]],
    ['open ^ 0', [1, 1, null, 1, 1, null, 1, 1, null]],
  ])('%s', (text, expected) => {
    expect(first(text, pairs)).toEqual(expected)
  })

  const numbers = panelOf({ close: '-8 0 8 1e200', open: '3 0 -3 1e-200' })
  it.each([
    ['close / open', [-2.666667, null, -2.666667, null]],
    ['1 / close', [-0.125, null, 0.125, 0]],
    ['close * close', [64, 0, 64, null]],
    ['exp(close * 100)', [0, 1, null, null]],
    ['log(close)', [null, null, 2.079442, 460.517019]],
    ['sqrt(close)', [null, 0, 2.828427, 1e100]],
    ['close ^ (1/3)', [null, 0, 2, 4.641588833612728e66]],
    ['close % open', [1, null, -1, 0]],
    ['pct(close)', [null, null, null, 1.25e199]],
    ['1/0 > 1', [null, null, null, null]],
    ['round(open / 2)', [2, 0, -2, 0]],
  ])('%s: infinite is absent', (text, expected) => {
    expect(first(text, numbers).map((value) => (value === null ? null : Number(value.toPrecision(7))))).toEqual(
      expected.map((value) => (value === null ? null : Number(value.toPrecision(7)))),
    )
  })
})

describe('the time of a security', () => {
  const late = panelOf({ close: '- - 5 6 7 8 - -\n1 2 3 4 5 6 7 8' })
  it.each([
    ['close', [null, null, 5, 6, 7, 8, null, null]],
    ['ref(close, 1)', [null, null, null, 5, 6, 7, null, null]],
    ['ts_sum(close, 3)', [null, null, null, null, 18, 21, null, null]],
    ['ts_sum(close, 3, 1)', [null, null, 5, 11, 18, 21, null, null]],
    ['1', [null, null, 1, 1, 1, 1, null, null]],
    ['ts_sum(1, 2)', [null, null, null, 2, 2, 2, null, null]],
    ['ts_sum(is_nan(close), 2)', [null, null, null, 0, 0, 0, null, null]],
    ['ref(coalesce(close, 9), 2)', [null, null, null, null, 5, 6, null, null]],
    ['cs_rank(close)', [null, null, 1, 1, 1, 1, null, null]],
    ['cs_rank(-ref(close, 1))', [null, null, null, 0.5, 0.5, 0.5, null, null]],
  ])('%s begins with its listing and ends with it', (text, expected) => {
    expect(first(text, late)).toEqual(expected)
  })

  it('a suspended security has its carried price in windows and in the cross-section', () => {
    const panel = panelOf({ close: '5 5 5 8\n1 2 3 4', vol: '9 0 0 9\n1 1 1 1' })
    expect(first('ts_mean(close, 3)', panel)).toEqual([null, null, 5, 6])
    expect(first('cs_rank(close)', panel)).toEqual([1, 1, 1, 1])
  })

  it('equal values have exactly their mean and exactly no spread', () => {
    const days = Array.from({ length: 40 }, () => '0.1').join(' ')
    const panel = panelOf({ close: days })
    for (const n of [2, 3, 5, 7, 20, 37]) {
      expect(first(`ts_mean(close, ${n}) == close`, panel)[39]).toBe(1)
      expect(first(`ts_std(close, ${n})`, panel)[39]).toBe(0)
      expect(first(`ts_std(close, ${n}, 1)`, panel)[39]).toBe(n > 1 ? 0 : null)
    }
  })

  it('a small spread on a high level is not lost', () => {
    const wave = Array.from({ length: 60 }, (_, t) => (1e9 + (t % 2) * 1e-3).toFixed(3)).join(' ')
    const spread = first('ts_std(close, 20)', panelOf({ close: wave }))[59] as number
    expect(Math.abs(spread - 0.000513)).toBeLessThan(1e-6)
  })
})

describe('days asked for', () => {
  const panel = panelOf({ close: '1 2 3 4 5 6 7 8', open: '8 7 6 5 4 3 2 1' })

  it('come in the order asked, as rows of the panel', () => {
    expect(first('close - ref(open, 2)', panel, [2, 3, 7])).toEqual([-5, -3, 5])
    expect(first('ref(close, 3)', panel, [1, 4])).toEqual([null, 2])
    expect(values('close', panel, [])).toEqual([[]])
    expect(evaluate(compiledClose(), panel, [6]).length).toBe(panel.stride)
  })

  it('cells behind the last security are absent', () => {
    const cells = evaluate(compiledClose(), panel)
    expect(cells.length).toBe(8 * panel.stride)
    expect(Number.isNaN(cells[1])).toBe(true)
  })

  function compiledClose() {
    const made = compile('close * 1', namesOf(markets.cb, new Set(['close'])))
    if (!made.ok) throw new Error(made.problem.message)
    return made.expression
  }
})

describe('precedence, chains and what is absent', () => {
  const panel = panelOf({ close: '1' })
  it.each([
    ['-2^2', -4],
    ['2^3^2', 512],
    ['2*-3^2', -18],
    ['2^-1', 0.5],
    ['-7 % 3', 2],
    ['7 % -3', -2],
    ['5 - -3', 8],
    ['round(-2.5)', -3],
    ['round(2.675, 2)', 2.68],
    ['0^0', 1],
    ['(-8)^(1/3)', null],
    ['exp(1000)', null],
    ['1e308*10', null],
    ['1 or sqrt(-1)', 1],
    ['if(sqrt(-1) > 0, 1, 2)', null],
    ['not 0 == 1', 1],
  ] as const)('%s is %s', (text, value) => expect(first(text, panel)).toEqual([value]))
})

describe('indicators at their edges', () => {
  const row = (cells: readonly number[]) => cells.join(' ')
  const flat = Array.from({ length: 12 }, () => 10)
  const moving = [10.2, 10.1, 10.4, 10.3, 10.5, 10.2, 10.6, 10.4, 10.8, 10.7]
  const closes = [...moving, ...flat, ...moving]
  const panel = panelOf({
    close: row(closes),
    high: row(closes.map((price, t) => (t >= 10 && t < 22 ? price : price + 0.1))),
    low: row(closes.map((price, t) => (t >= 10 && t < 22 ? price : price - 0.1))),
  })

  it('a spell without any range has no stochastic value of its own, and does not end those behind it', () => {
    const [k] = values('kdj_k(9, 3, 3)', panel) as [(number | null)[]]
    expect(k.at(-1)).toBeGreaterThan(0)
    expect(k.at(-1)).toBeLessThan(100)
  })

  it('before their window is full they are absent, not numbers of too few days', () => {
    for (const [text, first] of [
      ['rsi(close, 6)', 6],
      ['kdj_k(9, 3, 3)', 10],
      ['ma(close, 5)', 4],
      ['atr(14)', 14],
      ['ts_std(close, 5)', 4],
    ] as const) {
      const [cells] = values(text, panel) as [(number | null)[]]
      expect([text, cells.slice(0, first).every((cell) => cell === null), cells[first] !== null]).toEqual([text, true, true])
    }
  })
})

describe('enumerations', () => {
  it('are compared with their texts', () => {
    const panel = panelOf({ rating: '0 1 2 .' })
    expect(first("rating == 'AA+'", panel)).toEqual([0, 1, 0, null])
    expect(first('"AAA" != 评级', panel)).toEqual([0, 1, 1, null])
    expect(first('rating <= 1', panel)).toEqual([1, 1, 0, null])
  })
})
