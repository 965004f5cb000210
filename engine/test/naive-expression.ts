/**
 * The meaning of formulas once more, slow and obvious: one cell at a time, every window gathered anew, no shared code with
 * `src/expression`. It reads trees, not text, so that the reader of texts is tested too.
 */
import type { Panel } from '../src/panel/panel.ts'

export type Formula =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'field'; readonly key: string }
  | {
      readonly kind: 'call'
      /** An operator's sign or a function's name. */
      readonly name: string
      readonly args: readonly Formula[]
      readonly window?: number
      /** The argument `mp`. */
      readonly minimum?: number
    }

/** What a formula means on every day, by security: [day][security]. `noise` may spoil each intermediate number a little. */
export function naive(formula: Formula, panel: Panel, noise: (value: number) => number = (value) => value): number[][] {
  const known = new Map<Formula, number[][]>()
  const days = panel.dates.length
  const count = panel.securities.length
  const isListed = (t: number, i: number) => t >= 0 && panel.listed[t * panel.stride + i] === 1
  const columnOf = (of: Formula): number[][] => {
    const before = known.get(of)
    if (before) return before
    const column = compute(of)
    known.set(of, column)
    return column
  }
  const perCell = (cell: (t: number, i: number) => number) =>
    Array.from({ length: days }, (_, t) =>
      Array.from({ length: count }, (_, i) => {
        if (!isListed(t, i)) return Number.NaN
        const value = cell(t, i)
        return Number.isFinite(value) ? noise(value) : Number.NaN
      }),
    )
  const compute = (of: Formula): number[][] => {
    if (of.kind === 'number') return perCell(() => of.value)
    if (of.kind === 'field') {
      const column = panel.columns.get(of.key) as Float64Array
      return perCell((t, i) => column[t * panel.stride + i])
    }
    const args = of.args.map(columnOf)
    const { name, window = 1, minimum = window } = of
    const elementwise = elementwiseDefinitions[name]
    if (elementwise) return perCell((t, i) => elementwise(args.map((arg) => arg[t][i])))
    const [x] = args
    const ago = (t: number, i: number, k: number) => (isListed(t - k, i) ? x[t - k][i] : Number.NaN)
    const back = backDefinitions[name]
    if (back) return perCell((t, i) => back(x[t][i], ago(t, i, window)))
    const rolling = rollingDefinitions[name]
    if (rolling) {
      return perCell((t, i) => {
        const members = Array.from({ length: window }, (_, k) => ago(t, i, k)).filter((value) => !Number.isNaN(value))
        return members.length >= minimum ? rolling(members, x[t][i]) : Number.NaN
      })
    }
    const section = sectionDefinitions[name]
    if (!section) throw new Error(`no definition of ${name}`)
    return perCell((t, i) =>
      section(
        x[t].filter((value, k) => isListed(t, k) && !Number.isNaN(value)),
        x[t][i],
      ),
    )
  }
  return columnOf(formula)
}

const truth = (value: boolean) => (value ? 1 : 0)
const unknown = (...values: number[]) => values.some((value) => Number.isNaN(value))
/** A comparison with an absent side is absent. */
const compare =
  (test: (a: number, b: number) => boolean) =>
  ([a, b]: number[]) =>
    unknown(a, b) ? Number.NaN : truth(test(a, b))
const and = (a: number, b: number) => (a === 0 || b === 0 ? 0 : unknown(a, b) ? Number.NaN : 1)
const or = (a: number, b: number) => ((!unknown(a) && a !== 0) || (!unknown(b) && b !== 0) ? 1 : unknown(a, b) ? Number.NaN : 0)
/** The remainder that has the divisor's sign. */
const floorModulo = (a: number, b: number) => (a * b < 0 && a % b !== 0 ? (a % b) + b : a % b)
const power = (a: number, b: number) => (unknown(a, b) ? Number.NaN : a ** b)

const elementwiseDefinitions: Record<string, (args: number[]) => number> = {
  '+': ([a, b]) => a + b,
  '-': ([a, b]) => a - b,
  '*': ([a, b]) => a * b,
  '/': ([a, b]) => a / b,
  '%': ([a, b]) => floorModulo(a, b),
  '^': ([a, b]) => power(a, b),
  '<': compare((a, b) => a < b),
  '<=': compare((a, b) => a <= b),
  '>': compare((a, b) => a > b),
  '>=': compare((a, b) => a >= b),
  '==': compare((a, b) => a === b),
  '!=': compare((a, b) => a !== b),
  and: ([a, b]) => and(a, b),
  or: ([a, b]) => or(a, b),
  not: ([a]) => (unknown(a) ? Number.NaN : truth(a === 0)),
  negative: ([a]) => -a,
  '?:': ([c, a, b]) => (unknown(c) ? Number.NaN : c !== 0 ? a : b),
  if: ([c, a, b]) => (unknown(c) ? Number.NaN : c !== 0 ? a : b),
  where: ([c, a]) => (c !== 0 && !unknown(c) ? a : Number.NaN),
  abs: ([a]) => (a < 0 ? -a : a),
  sign: ([a]) => (a > 0 ? 1 : a < 0 ? -1 : a),
  log: ([a]) => Math.log(a),
  log10: ([a]) => Math.log(a) / Math.LN10,
  log2: ([a]) => Math.log(a) / Math.LN2,
  log1p: ([a]) => Math.log1p(a),
  exp: ([a]) => Math.exp(a),
  sqrt: ([a]) => (a < 0 ? Number.NaN : a ** 0.5),
  cbrt: ([a]) => (a < 0 ? -((-a) ** (1 / 3)) : a ** (1 / 3)),
  pow: ([a, b]) => power(a, b),
  signed_power: ([a, b]) => (unknown(a, b) ? Number.NaN : (a < 0 ? -1 : a > 0 ? 1 : 0) * Math.abs(a) ** b),
  round: ([a]) => (a < 0 ? -Math.floor(-a + 0.5) : Math.floor(a + 0.5)),
  floor: ([a]) => Math.floor(a),
  ceil: ([a]) => -Math.floor(-a),
  trunc: ([a]) => (a < 0 ? -Math.floor(-a) : Math.floor(a)),
  mod: ([a, b]) => floorModulo(a, b),
  max: (args) => (unknown(...args) ? Number.NaN : Math.max(...args)),
  min: (args) => (unknown(...args) ? Number.NaN : Math.min(...args)),
  fmax: (args) => Math.max(...args.filter((arg) => !unknown(arg))),
  fmin: (args) => Math.min(...args.filter((arg) => !unknown(arg))),
  clip: ([a, low, high]) => (unknown(a, low, high) ? Number.NaN : Math.min(Math.max(a, low), high)),
  inv: ([a]) => 1 / a,
  sigmoid: ([a]) => 1 / (1 + Math.exp(-a)),
  tanh: ([a]) => Math.tanh(a),
  is_nan: ([a]) => truth(unknown(a)),
  fill_na: ([a, b]) => (unknown(a) ? b : a),
  coalesce: (args) => args.find((arg) => !unknown(arg)) ?? Number.NaN,
  between: ([a, low, high]) => and(compare((v, w) => v >= w)([a, low]), compare((v, w) => v <= w)([a, high])),
  bool: ([a]) => (unknown(a) ? Number.NaN : truth(a !== 0)),
}

/** Of today's value and that of `window` days ago. */
const backDefinitions: Record<string, (today: number, then: number) => number> = {
  ref: (_today, then) => then,
  delta: (today, then) => today - then,
  pct: (today, then) => (then > 0 ? today / then - 1 : Number.NaN),
}

/** Equal values have their own value as mean, whatever the rounding of a sum. */
function mean(values: readonly number[]): number {
  const first = values[0]
  return first + values.reduce((sum, value) => sum + (value - first), 0) / values.length
}

function deviation(values: readonly number[]): number {
  const middle = mean(values)
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1))
}

/** The average place of a value among others, 1 = all are smaller or equal. */
function percentile(values: readonly number[], value: number): number {
  const smaller = values.filter((other) => other < value).length
  const equal = values.filter((other) => other === value).length
  return unknown(value) ? Number.NaN : (smaller + (equal + 1) / 2) / values.length
}

/** Of the valid members of a window and today's value. */
const rollingDefinitions: Record<string, (members: number[], today: number) => number> = {
  ts_sum: (members) => members.reduce((sum, value) => sum + value, 0),
  ts_mean: (members) => mean(members),
  ts_std: (members) => deviation(members),
  ts_min: (members) => Math.min(...members),
  ts_max: (members) => Math.max(...members),
  ts_rank: (members, today) => percentile(members, today),
}

/** Of the valid values of the listed securities and the own one. */
const sectionDefinitions: Record<string, (all: number[], own: number) => number> = {
  cs_rank: (all, own) => percentile(all, own),
  cs_zscore: (all, own) => (own - mean(all)) / deviation(all),
}

export const definedNames: readonly string[] = [
  ...Object.keys(elementwiseDefinitions),
  ...Object.keys(backDefinitions),
  ...Object.keys(rollingDefinitions),
  ...Object.keys(sectionDefinitions),
]
