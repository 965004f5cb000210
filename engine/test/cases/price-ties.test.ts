import { describe, expect, it } from 'vitest'
import { compile, compileRef, evaluate, namesOf } from '../../src/expression/index.ts'
import { withDerived } from '../../src/market/derived-columns.ts'
import { markets } from '../../src/market/index.ts'
import { absentColumn, type Panel } from '../../src/panel/panel.ts'
import { type Chance, chance } from '../fixtures/chance.ts'
import { security } from '../fixtures/security.ts'

/**
 * Whether a computed price rose, fell or stayed, against exact arithmetic: prices are whole ticks (0.01 yuan), factors whole millionths,
 * so that a price × its factor is a whole number, and so is a sum of them.
 */
interface Bar {
  /** Ticks. */
  readonly open: bigint
  readonly high: bigint
  readonly low: bigint
  readonly close: bigint
  readonly factor: bigint
  readonly vol: bigint
}

/** Prices that often repeat, also over the day on which a share is split: then price × factor is what it was. */
function bars(luck: Chance, days: number, isAdjusted: boolean): Bar[] {
  let close = BigInt(300 + luck.below(3_000))
  let factor = isAdjusted ? 100n * BigInt(10_000 + luck.below(30_000)) : 1_000_000n
  // Steps by which a price in ticks can be divided.
  const splits = [
    [11n, 10n],
    [3n, 2n],
    [7n, 5n],
  ] as const
  return Array.from({ length: days }, () => {
    const [many, few] = luck.pick(splits)
    if (isAdjusted && luck.next() < 0.2 && (factor * many) % few === 0n) {
      close = close - (close % many)
      close = (close * few) / many
      factor = (factor * many) / few
    }
    close += BigInt(luck.pick([-1, 0, 0, 0, 1]))
    if (close < 50n) close = 400n
    const [up, down] = [BigInt(luck.below(3)), BigInt(luck.below(3))]
    return {
      open: close - down + BigInt(luck.below(Number(up + down) + 1)),
      high: close + up,
      low: close - down,
      close,
      factor,
      vol: BigInt(1 + luck.below(50)),
    }
  })
}

function panelOf(all: readonly (readonly Bar[])[]): Panel {
  const days = all[0]!.length
  const stride = all.length
  const about = { dates: Array.from({ length: days }, (_, t) => new Date(Date.UTC(2024, 0, 1 + t)).toISOString().slice(0, 10)), stride }
  const column = (of: (bar: Bar) => number) => {
    const cells = absentColumn(about)
    for (const [i, one] of all.entries()) for (const [t, bar] of one.entries()) cells[t * stride + i] = of(bar)
    return cells
  }
  const price = (key: 'open' | 'high' | 'low' | 'close') => column((bar) => Number((Number(bar[key]) / 100).toFixed(2)))
  return {
    ...about,
    kind: 'stk',
    securities: all.map((_, i) => security({ code: `60000${i}.SH` })),
    columns: new Map([
      ...(['open', 'high', 'low', 'close'] as const).map((key) => [key, price(key)] as const),
      ['vol', column(({ vol }) => Number(vol))],
      ['adj_factor', column(({ factor }) => Number((Number(factor) / 1e6).toFixed(6)))],
    ]),
    listed: new Uint8Array(days * stride).fill(1),
    traded: new Uint8Array(days * stride).fill(1),
    benchmarks: new Map(),
    dataMode: 'demo',
    dataVersion: 'ties',
  }
}

/** A window of whole numbers, oldest first. */
type Exact = readonly bigint[]
const sum = (numbers: Exact) => numbers.reduce((total, value) => total + value, 0n)
const sign = (value: bigint) => (value > 0n ? 1 : value < 0n ? -1 : 0)
const above = (value: bigint) => (value > 0n ? value : 0n)
/** a ÷ b to 15 digits, however large they are. */
const ratio = (a: bigint, b: bigint) => (b === 0n ? Number.NaN : Number((a * 10n ** 18n) / b) / 1e18)
const middle = ({ high, low, close, factor }: Bar) => (high + low + close) * factor
const last = ({ close, factor }: Bar) => close * factor

/** Up, down or neither: a change of less than half a tick of the day's raw price is none, of a mean of three prices less than half of its third. */
const way = (change: bigint, { factor }: Bar) => (2n * (change < 0n ? -change : change) > factor ? sign(change) : 0)

/** Sum of some numbers on the days of a window on which a price moved in one of some directions. */
const onMoves = (window: readonly Bar[], price: (bar: Bar) => bigint, directions: readonly number[], of: (bar: Bar) => bigint) =>
  sum(window.slice(1).map((bar, k) => (directions.includes(way(price(bar) - price(window[k]!), bar)) ? of(bar) : 0n)))

const moneyFlow = (window: readonly Bar[]) => {
  const flow = (bar: Bar) => middle(bar) * bar.vol
  return 100 * ratio(onMoves(window, middle, [1], flow), onMoves(window, middle, [1, -1], flow))
}
const ups = (window: readonly Bar[]) => Number(onMoves(window, last, [1], () => 1n))

/** By factor: what it says of the days of a window and the day before, exactly. */
const exact: Record<string, { readonly days: number; readonly of: (window: readonly Bar[]) => number }> = {
  mfi_6: { days: 6, of: moneyFlow },
  psy_5: { days: 5, of: (window) => (100 * ups(window)) / 5 },
  up_days_5: { days: 5, of: ups },
  vr_6: {
    days: 6,
    of: (window) => {
      const [rising, falling, flat] = [1, -1, 0].map((way) => onMoves(window, last, [way], ({ vol }) => vol)) as [bigint, bigint, bigint]
      return 100 * ratio(2n * rising + flat, 2n * falling + flat)
    },
  },
  br_3: {
    days: 3,
    of: (window) => {
      const gains = window.slice(1).map(({ high, factor }, k) => above(high * factor - last(window[k]!)))
      const losses = window.slice(1).map(({ low, factor }, k) => above(last(window[k]!) - low * factor))
      return 100 * ratio(sum(gains), sum(losses))
    },
  },
  cr_3: {
    days: 3,
    of: (window) => {
      const gains = window.slice(1).map(({ high, factor }, k) => above(3n * high * factor - middle(window[k]!)))
      const losses = window.slice(1).map(({ low, factor }, k) => above(middle(window[k]!) - 3n * low * factor))
      return 100 * ratio(sum(gains), sum(losses))
    },
  },
}

/** Of raw prices, as formulas: the factor is 1. */
const ofRaw: Record<string, { readonly days: number; readonly of: (window: readonly Bar[]) => number }> = {
  'mfi(6)': { days: 6, of: moneyFlow },
  'psy(5)': { days: 5, of: (window) => (100 * ups(window)) / 5 },
  // Means of three and of seven days, both times 21.
  'cross(ma(close, 3), ma(close, 7))': {
    days: 7,
    of: (window) => {
      const gap = (to: number) => sign(7n * sum(window.slice(to - 3, to).map(last)) - 3n * sum(window.slice(to - 7, to).map(last)))
      return Number(gap(7) <= 0 && gap(8) > 0)
    },
  },
  'ts_count(diff((high + low + close) / 3, ref((high + low + close) / 3, 1)) == 0, 4)': {
    days: 4,
    of: (window) => Number(onMoves(window, middle, [0], () => 1n)),
  },
  'delta(obv(), 5)': {
    days: 5,
    of: (window) => Number(onMoves(window, last, [1], ({ vol }) => vol) - onMoves(window, last, [-1], ({ vol }) => vol)),
  },
}

describe('whether a computed price rose is not decided by rounding', () => {
  const names = (panel: Panel) => namesOf(markets.stk, new Set(panel.columns.keys()))
  const compare = (ref: string, all: readonly (readonly Bar[])[], { days, of }: (typeof exact)[string]) => {
    const panel = panelOf(all)
    const made = ref.includes('(') ? compile(ref, names(panel)) : compileRef(ref, names(panel))
    if (!made.ok) throw new Error(made.problem.message)
    const whole = withDerived(panel, made.expression.needs.fields)
    const values = evaluate(made.expression, whole)
    const wrong: string[] = []
    let ties = 0
    for (const [i, one] of all.entries()) {
      for (let t = days; t < one.length; t++) {
        const window = one.slice(t - days, t + 1)
        if (middle(one[t]!) === middle(one[t - 1]!)) ties++
        const [found, wanted] = [values[t * panel.stride + i] as number, of(window)]
        const isSame = Number.isNaN(wanted) ? Number.isNaN(found) : Math.abs(found - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted))
        if (!isSame) wrong.push(`security ${i}, day ${t}: ${found} instead of ${wanted}`)
      }
    }
    expect(ties).toBeGreaterThan(100)
    expect(wrong.slice(0, 3)).toEqual([])
  }
  const some = (isAdjusted: boolean) => Array.from({ length: 8 }, (_, k) => bars(chance(k + 1), 250, isAdjusted))

  it.each(Object.keys(exact))('%s, of prices × factor', (ref) => compare(ref, some(true), exact[ref]!))
  it.each([...Object.keys(ofRaw)])('%s, of raw prices', (ref) => compare(ref, some(false), ofRaw[ref]!))
  it('of prices that stand still nothing is made', () => {
    const still = Array.from(
      { length: 30 },
      (): Bar => ({ open: 1_010n, high: 1_010n, low: 1_010n, close: 1_010n, factor: 3_217_123n, vol: 5n }),
    )
    const panel = panelOf([still, still])
    for (const ref of ['mfi_14', 'cr_20', 'br_26', 'cci_14', 'formula: cci(14)', 'rsi_14', 'formula: rsi(ma(close, 5), 6)']) {
      const made = ref.startsWith('formula: ') ? compile(ref.slice(9), names(panel)) : compileRef(ref, names(panel))
      if (!made.ok) throw new Error(made.problem.message)
      expect([ref, evaluate(made.expression, withDerived(panel, made.expression.needs.fields), [29])[0]]).toEqual([ref, Number.NaN])
    }
  })
})
