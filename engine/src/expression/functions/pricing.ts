import type { Operation } from '../graph.ts'
import { type FunctionArgument, type FunctionEntry, line } from './function.ts'

// Options by Black and Scholes (1973), without dividends. Rates and volatilities are yearly fractions, times are years.

const spot: FunctionArgument = { name: 's', label: '标的价格', kind: 'series' }
const strike: FunctionArgument = { name: 'k', label: '行权价', kind: 'series' }
const years: FunctionArgument = { name: 't', label: '剩余年限', kind: 'series' }
const volatility: FunctionArgument = { name: 'sigma', label: '波动率', kind: 'series' }
const rate: FunctionArgument = { name: 'r', label: '无风险利率', kind: 'series' }
const price: FunctionArgument = { name: 'price', label: '期权价格', kind: 'series' }

type OfFive = (a: number, b: number, c: number, d: number, e: number) => number

const ofFive = (name: string, weight: number, of: OfFive): Operation => ({
  name,
  weight,
  run: ({ out, at, count, inputs, from }) => {
    const [a, b, c, d, e] = inputs
    const [p, q, r, s, t] = from
    for (let i = 0; i < count; i++) {
      const v = of(a[p + i], b[q + i], c[r + i], d[s + i], e[t + i])
      out[at + i] = v + (v - v)
    }
  },
})

export const pricing: readonly FunctionEntry[] = [
  line({
    name: 'bs_call',
    label: '看涨期权价值',
    args: [spot, strike, years, volatility, rate],
    doc: 'Black-Scholes 欧式看涨期权价值；剩余年限不大于 0 时取内在价值，波动率不大于 0 时缺失',
    example: 'bs_call(conv_value, 100, left_years, volatility_stk, 0.02)',
    build: (graph, { series }) => graph.apply(ofFive('bs_call', 4, callValue), series),
  }),
  line({
    name: 'bs_delta',
    label: '期权 Delta',
    args: [spot, strike, years, volatility, rate],
    doc: '标的价格变动 1 时期权价值的变动，在 0 与 1 之间；剩余年限或波动率不大于 0 时缺失',
    example: 'bs_delta(conv_value, 100, left_years, volatility_stk, 0.02)',
    build: (graph, { series }) => graph.apply(ofFive('bs_delta', 2, callDelta), series),
  }),
  line({
    name: 'bs_iv',
    label: '隐含波动率',
    args: [price, spot, strike, years, rate],
    doc: '使期权价值等于价格的波动率，在 0.1% 至 500% 之间求解，超出则缺失',
    example: 'bs_iv(close - pure_value, conv_value, 100, left_years, 0.02)',
    build: (graph, { series }) => graph.apply(ofFive('bs_iv', 40, impliedVolatility), series),
  }),
]

function callValue(s: number, k: number, t: number, sigma: number, r: number): number {
  if (!(s > 0 && k > 0 && sigma > 0)) return Number.NaN
  if (t <= 0) return r === r ? Math.max(s - k, 0) : Number.NaN
  const spread = sigma * Math.sqrt(t)
  const d1 = (Math.log(s / k) + (r + 0.5 * sigma * sigma) * t) / spread
  return s * normal(d1) - k * (Math.exp(-r * t) * normal(d1 - spread))
}

function callDelta(s: number, k: number, t: number, sigma: number, r: number): number {
  if (!(s > 0 && k > 0 && sigma > 0 && t > 0)) return Number.NaN
  return normal((Math.log(s / k) + (r + 0.5 * sigma * sigma) * t) / (sigma * Math.sqrt(t)))
}

const leastVolatility = 0.001
const mostVolatility = 5

/** Bisection: the value grows with the volatility, so the bracket always holds the root. */
function impliedVolatility(value: number, s: number, k: number, t: number, r: number): number {
  if (!(t > 0)) return Number.NaN
  let low = leastVolatility
  let high = mostVolatility
  if (!(callValue(s, k, t, low, r) < value && value <= callValue(s, k, t, high, r))) return Number.NaN
  for (let step = 0; step < 50 && high - low > 1e-14; step++) {
    const middle = (low + high) / 2
    if (callValue(s, k, t, middle, r) < value) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** The normal distribution to double precision: Hart's rational function (1968, as in West 2005), a continued fraction in the tails. */
export function normal(x: number): number {
  const size = Math.abs(x)
  const density = Math.exp(-0.5 * size * size)
  const tail = size < 3 ? (density * polynomial(above, size)) / polynomial(below, size) : density / fraction(size) / 2.5066282746310002
  return x > 0 ? 1 - tail : tail
}

const above = [
  3.52624965998911e-2, 0.700383064443688, 6.37396220353165, 33.912866078383, 112.079291497871, 221.213596169931, 220.206867912376,
]
const below = [
  ...[8.83883476483184e-2, 1.75566716318264, 16.064177579207, 86.7807322029461, 296.564248779674, 637.333633378831],
  ...[793.826512519948, 440.413735824752],
]

function polynomial(coefficients: readonly number[], at: number): number {
  let value = 0
  for (let k = 0; k < coefficients.length; k++) value = value * at + coefficients[k]
  return value
}

function fraction(size: number): number {
  let value = size
  // The nearer to 0, the slower it settles.
  for (let k = Math.ceil(24 + 500 / (size * size)); k > 0; k--) value = size + k / value
  return value
}
