import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bytesModule, layoutModule, sourceHash } from '../../scripts/build-kernels.mjs'
import { evaluateAll } from '../../src/expression/index.ts'
import { sources } from '../../src/kernels/bytes.ts'
import { rankScratch, sortedOrderOf, sortedOrderTwin } from '../../src/kernels/index.ts'
import type { Panel } from '../../src/panel/panel.ts'
import { alphas, textOfAlpha } from '../fixtures/alphas.ts'
import { type Chance, chance } from '../fixtures/chance.ts'
import { crewOn } from '../fixtures/parallel-evaluation.ts'
import { randomFormula, textOf } from '../fixtures/random-formula.ts'
import { randomPanel } from '../fixtures/random-panel.ts'
import { compiled } from '../fuzz/compare-formulas.ts'

/** NaNs are equal, −0 and +0 are not. */
const bitsOf = (values: Float64Array) => {
  const plain = Float64Array.from(values, (value) => (Number.isNaN(value) ? Number.NaN : value))
  return new BigUint64Array(plain.buffer)
}

function firstDifference(a: Float64Array, b: Float64Array): number {
  const [p, q] = [bitsOf(a), bitsOf(b)]
  return p.findIndex((bits, i) => bits !== q[i])
}

/** The panel with these values in `close` and `vol`, listed throughout. */
function panelOf(value: () => number): Panel {
  const panel = randomPanel(1, { days: 45, securities: 70, isWhole: true })
  const column = () => Float64Array.from(panel.listed, (listed) => (listed === 1 ? value() : Number.NaN))
  return { ...panel, columns: new Map([...panel.columns, ['close', column()], ['vol', column()]]) }
}

const kinds: Record<string, (luck: Chance) => number> = {
  prices: (luck) => Math.round(luck.next() * 1e5) / 1000,
  'differences of prices': (luck) => Math.round(luck.next() * 1e3) / 100 - Math.round(luck.next() * 1e3) / 100,
  ties: (luck) => luck.below(3) - 1,
  'zeros of both signs': (luck) => luck.pick([0, -0, 1, -1]),
  'gaps and infinities': (luck) =>
    luck.pick([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, ...Array(40).fill(luck.next())]),
  'tiny numbers': (luck) => (luck.next() - 0.5) * luck.pick([5e-324, 1e-310, 1e-300]),
  'huge numbers': (luck) => (luck.next() - 0.5) * luck.pick([1e160, 1e300, 1e308]),
  'numbers of all sizes': (luck) => luck.pick([0, -0, 5e-324, 1e-160, 1, 2 ** 53, 1e160, 1e308, -1e308, ...Array(30).fill(luck.next())]),
  'noise on a level': (luck) => 1e5 + luck.next() * 1e-9,
  constants: () => 123.456,
  'equal top words': (luck) => 1 + luck.below(1_000_000) * 2 ** -52,
}

const calls = [
  'close + vol, close - vol, close * vol, close / vol, -close, abs(close), max(close, vol), min(close, vol), if(vol, close, 1)',
  'close < vol, close <= vol, close == vol, close != vol, pct(close, 1), cs_rank(close), cs_rank(close - vol), cs_scale(close), cs_scale(close - vol, 3), cs_order(close), cs_order(close - vol), cs_top(close, 9), cs_bottom(close - vol, 9), cs_bin(close, 7), sign(close), sqrt(close)',
].flatMap((row) => row.split(/, (?![^(]*\))/))
const groups = ['gp_demean(industry_1, close)', 'gp_demean(rating, close - vol)', 'gp_demean(cs_bin(vol, 7), close)']
const windows =
  'ts_sum ts_mean ts_std ts_var ts_min ts_max ts_rank ts_argmax ts_argmin ts_decay ts_slope ts_forecast ts_mdd avedev ts_median ts_mad'.split(
    ' ',
  )
const moments = ['ts_skew', 'ts_kurt']
const recursions = [
  'ema(close, 1)',
  'ema(close, 12)',
  'sma(close - vol, 5, 2)',
  'sma(close, 3, 7)',
  'macd(close, 3, 7, 4)',
  'rsi(close, 5)',
]
const pairs = ['ts_corr', 'ts_cov', 'ts_beta']
const texts = [
  ...calls,
  ...groups,
  ...recursions,
  ...[2, 3, 7, 32, 33, 44].flatMap((n) => [
    ...windows.map((name) => `${name}(close, ${n})`),
    ...pairs.map((name) => `${name}(close, vol, ${n})`),
  ]),
  // Of as many valid days as there are.
  ...[3, 12, 33].flatMap((n) => [
    ...windows.map((name) => `${name}(close, ${n}, ${Math.ceil(n / 2)})`),
    ...moments.flatMap((name) => [`${name}(close, ${n + 2})`, `${name}(close, ${n + 2}, ${n})`]),
    ...[0, 0.05, 1].flatMap((q) => [`ts_quantile(close, ${n}, ${q})`, `ts_quantile(close, ${n}, ${q}, 2)`]),
    `ts_halflife(close, ${n}, 5)`,
    `ts_corr(close, vol, ${n}, ${Math.ceil(n / 2)})`,
  ]),
  ...[3, 12].flatMap((n) => [`ts_rank_corr(close, vol, ${n})`, `ts_rank_corr(close, vol, ${n}, 2)`]),
]

describe('the kernels', () => {
  const wide = randomPanel(1, { days: 3, securities: 3_001, isWhole: true })

  it('are those of their sources', () => {
    expect(sources, 'npm run build:kernels').toBe(sourceHash())
  })

  it('have the places that the loop has', () => {
    expect(readFileSync(new URL('../../kernels/layout.ts', import.meta.url), 'utf8')).toBe(layoutModule())
  })

  it('are what the compiler makes of them', async () => {
    expect(await bytesModule()).toBe(readFileSync(new URL('../../src/kernels/bytes.ts', import.meta.url), 'utf8'))
  })

  it.each(Object.keys(kinds))('and their twins give the same bits of %s', (kind) => {
    const luck = chance(3)
    const panel = panelOf(() => kinds[kind](luck))
    const expressions = texts.map(compiled)
    const fast = evaluateAll(expressions, panel)
    const slow = evaluateAll(expressions, panel, undefined, { wasm: false })
    expect(texts.filter((_, k) => firstDifference(fast[k], slow[k]) >= 0)).toEqual([])
  })

  it.each(Object.keys(kinds))('put rows in the order of their twin: %s', (kind) => {
    const luck = chance(5)
    for (const count of [0, 1, 7, 300, 3_000]) {
      const column = Float64Array.from({ length: count + 3 }, () => kinds[kind](luck))
      const scratch = rankScratch(count)
      const [fast, slow] = [sortedOrderOf, sortedOrderTwin].map((places) => places(column, count, scratch))
      expect(fast.first).toEqual(slow.first)
      expect(fast.equals).toBe(slow.equals)
      expect(fast.absent).toEqual(slow.absent)
      // Equal values may stand in any order.
      expect([...fast.order].map((i) => column[i] + 0)).toEqual([...slow.order].map((i) => column[i] + 0))
      expect([...fast.order].sort()).toEqual([...slow.order].sort())
    }
  })

  it.each(Object.keys(kinds))('rank wide rows as their twin: %s', (kind) => {
    const luck = chance(4)
    const close = Float64Array.from(wide.listed, (listed) => (listed === 1 ? kinds[kind](luck) : Number.NaN))
    const panel = { ...wide, columns: new Map([['close', close]]) }
    const texts = [
      'cs_rank(close)',
      'cs_rank_desc(close)',
      'cs_order(close)',
      'cs_top(close, 99)',
      'cs_bottom(close, 99)',
      'cs_bin(close, 7)',
    ]
    const [fast, slow] = [true, false].map((wasm) => evaluateAll(texts.map(compiled), panel, undefined, { wasm }))
    expect(texts.filter((_, k) => firstDifference(fast[k], slow[k]) >= 0)).toEqual([])
  })
})

describe('windows that slide from day to day', () => {
  const textsOf = (windows: readonly number[]) => [
    ...windows.flatMap((n) => [
      `ts_median(close, ${n}, ${Math.ceil(n / 2)})`,
      `ts_quantile(vol, ${n}, 0.3)`,
      `ts_mad(delta(close, 1), ${n}, 2)`,
      `ts_rank_corr(close, vol, ${n}, ${Math.ceil(n / 3) + 1})`,
    ]),
    // Beside a cross-section, rows are whole and may be taken in pieces.
    'cs_rank(close) + ts_median(cs_rank(vol), 9) + ts_rank_corr(cs_rank(vol), close, 4, 3)',
  ]

  it.each([
    ['every day', () => true],
    ['one day in seven', (day: number) => day % 7 === 3],
    ['days with gaps of all lengths', (day: number) => (day * 37) % 101 < 25],
    ['two days far apart', (day: number) => day === 99 || day === 20],
  ])('are as their twins say, asked for %s', (_, isAsked) => {
    const luck = chance(23)
    for (const [securities, budget, windows] of [
      [7, undefined, [2, 5, 30]],
      [1_030, 0, [3]],
    ] as const) {
      const expressions = textsOf(windows).map(compiled)
      const panel = randomPanel(4, { days: 100, securities })
      const column = (gaps: number) =>
        Float64Array.from(panel.listed, (listed) => (listed === 0 || luck.next() < gaps ? Number.NaN : luck.below(40) / 4))
      const gappy = { ...panel, columns: new Map([...panel.columns, ['close', column(0.1)], ['vol', column(0)]]) }
      const days = panel.dates.map((_, day) => day).filter(isAsked)
      const slow = evaluateAll(expressions, gappy, days, { wasm: false })
      const fast = evaluateAll(expressions, gappy, days, budget === undefined ? {} : { budget })
      expect(expressions.filter((_, k) => firstDifference(fast[k], slow[k]) >= 0).map(({ text }) => text)).toEqual([])
      expect(fast.every((values) => values.some((each) => !Number.isNaN(each)))).toBe(true)
    }
  })
})

describe('several expressions at once', () => {
  it('give what each gives alone, by kernels or twins, all days at once or piece by piece', () => {
    const luck = chance(17)
    for (let k = 0; k < 30; k++) {
      const panel = randomPanel(k % 5, { days: 150, securities: k % 10 === 0 ? 530 : 9 })
      const expressions = Array.from({ length: 4 }, () => compiled(textOf(randomFormula(luck, 3), luck)))
      const rows = k % 3 === 0 ? panel.dates.map((_, day) => day).filter(() => luck.next() < 0.2) : undefined
      const together = evaluateAll(expressions, panel, rows)
      const pieces = evaluateAll(expressions, panel, rows, { budget: 0 })
      const twins = evaluateAll(expressions, panel, rows, { wasm: false, budget: 0 })
      expressions.forEach((expression, e) => {
        const [alone] = evaluateAll([expression], panel, rows)
        for (const other of [together, pieces, twins]) expect(firstDifference(other[e], alone), expression.text).toBe(-1)
      })
    }
  })

  it('and what two threads give together, whatever becomes of the second', async () => {
    const luck = chance(23)
    const panel = randomPanel(6, { days: 90, securities: 1_100 })
    const crew = await crewOn(panel)
    const stays = { does: 'stay', said: [true] } as const
    const cases = [
      ...[stays, stays, stays, stays],
      { does: 'goes', said: [true] },
      { does: 'fails', said: [expect.stringContaining('without the field')] },
      stays,
      { does: 'ends', said: [] },
    ] as const
    for (const [k, { does, said }] of cases.entries()) {
      const texts = Array.from({ length: 3 }, () => textOf(randomFormula(luck, 3), luck)).concat('cs_rank(ts_corr(close, vol, 10))')
      const rows = k % 3 === 0 ? panel.dates.map((_, day) => day).filter(() => luck.next() < 0.2) : undefined
      const together = await crew.evaluate(texts, rows, { does })
      const alone = evaluateAll(texts.map(compiled), panel, rows)
      expect(together, does).toMatchObject({ invited: 1, said })
      texts.forEach((text, e) => {
        expect(firstDifference(together.answers[e], alone[e]), `${does} ${text}`).toBe(-1)
      })
    }
    await crew.end()
  })

  it('as the 101 alphas are', () => {
    const panel = randomPanel(5, { days: 270, securities: 12, isWhole: true })
    const expressions = alphas.map(([, formula]) => compiled(textOfAlpha(formula)))
    const together = evaluateAll(expressions, panel)
    expressions.forEach((expression, e) => {
      expect(firstDifference(together[e], evaluateAll([expression], panel)[0]), `alpha ${e + 1}`).toBe(-1)
    })
  })
})
