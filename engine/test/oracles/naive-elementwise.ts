/** Functions of a day's own numbers, as their definitions say. */

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
const choice = ([c, a, b]: number[]) => (unknown(c) ? Number.NaN : c !== 0 ? a : b)
const valid = (args: readonly number[]) => args.filter((arg) => !unknown(arg))

/** The normal distribution: by its series around 0, by a continued fraction in the tails. */
export function normal(x: number): number {
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
  if (Math.abs(x) > 3) {
    let below = Math.abs(x)
    for (let k = 150; k > 0; k--) below = Math.abs(x) + k / below
    return x > 0 ? 1 - density / below : density / below
  }
  let term = x
  let sum = x
  for (let k = 1; Math.abs(term) > 1e-18 && k < 400; k++) {
    term *= (x * x) / (2 * k + 1)
    sum += term
  }
  return 0.5 + sum * density
}

type Noise = (value: number) => number

function option([s, k, t, sigma, r]: number[], noise: Noise): { value: number; delta: number } {
  if (unknown(s, k, t, sigma, r) || s <= 0 || k <= 0 || sigma <= 0) return { value: Number.NaN, delta: Number.NaN }
  if (t <= 0) return { value: Math.max(0, s - k), delta: Number.NaN }
  const d1 = (Math.log(s) - Math.log(k) + (r + sigma ** 2 / 2) * t) / sigma / Math.sqrt(t)
  const [up, paid] = [s * noise(normal(d1)), k * noise(Math.exp(-r * t) * normal(d1 - sigma * Math.sqrt(t)))]
  return { value: up - paid, delta: normal(d1) }
}

function impliedVolatility([value, s, k, t, r]: number[], noise: Noise): number {
  const at = (sigma: number) => option([s, k, t, sigma, r], noise).value
  if (!(t > 0) || !(at(0.001) < value) || !(at(5) >= value)) return Number.NaN
  let step = 5 - 0.001
  let sigma = 0.001
  for (let k = 0; k < 60; k++) {
    step /= 2
    if (at(sigma + step) < value) sigma += step
  }
  return sigma
}

export const elementwiseDefinitions: Record<string, (args: number[], numbers: readonly number[], noise: Noise) => number> = {
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
  '?:': choice,
  if: choice,
  where: ([c, a]) => (c !== 0 && !unknown(c) ? a : Number.NaN),
  case: (args) => {
    for (let k = 0; k + 1 < args.length; k += 2) if (!unknown(args[k]) && args[k] !== 0) return args[k + 1]
    return args[args.length - 1]
  },
  rating_num: ([a]) => a + 1,
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
  round: ([a], [digits = 0]) => ((a < 0 ? -1 : 1) * Math.floor(Math.abs(a) * 10 ** digits + 0.5)) / 10 ** digits,
  floor: ([a]) => Math.floor(a),
  ceil: ([a]) => -Math.floor(-a),
  trunc: ([a]) => (a < 0 ? -Math.floor(-a) : Math.floor(a)),
  mod: ([a, b]) => floorModulo(a, b),
  diff: ([a, b]) => (Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b)) ? 0 : a - b),
  max: (args) => (unknown(...args) ? Number.NaN : Math.max(...args)),
  min: (args) => (unknown(...args) ? Number.NaN : Math.min(...args)),
  fmax: (args) => Math.max(...valid(args)),
  fmin: (args) => Math.min(...valid(args)),
  avg_of: (args) => valid(args).reduce((sum, value) => sum + value, 0) / valid(args).length,
  clip: ([a, low, high]) => (unknown(a, low, high) ? Number.NaN : Math.min(Math.max(a, low), high)),
  inv: ([a]) => 1 / a,
  div: ([a, b, otherwise = Number.NaN]) => (unknown(b) || b === 0 ? otherwise : a / b),
  sigmoid: ([a]) => 1 / (1 + Math.exp(-a)),
  tanh: ([a]) => Math.tanh(a),
  is_nan: ([a]) => truth(unknown(a)),
  fill_na: ([a, b]) => (unknown(a) ? b : a),
  coalesce: (args) => args.find((arg) => !unknown(arg)) ?? Number.NaN,
  between: ([a, low, high]) => and(compare((v, w) => v >= w)([a, low]), compare((v, w) => v <= w)([a, high])),
  bool: ([a]) => (unknown(a) ? Number.NaN : truth(a !== 0)),
  bs_call: (args, _, noise) => option(args, noise).value,
  bs_delta: (args, _, noise) => option(args, noise).delta,
  bs_iv: (args, _, noise) => impliedVolatility(args, noise),
}
