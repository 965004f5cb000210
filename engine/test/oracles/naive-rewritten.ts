/** Functions that are another way to write something, from the words of the textbooks. */
import { call, type Formula } from '../fixtures/formula.ts'

const field = (key: string): Formula => ({ kind: 'field', key })
const number = (value: number): Formula => ({ kind: 'number', value })
const [close, high, low, vol, amount] = ['close', 'high', 'low', 'vol', 'amount'].map(field)
const plus = (a: Formula, b: Formula) => call('+', [a, b])
const minus = (a: Formula, b: Formula) => call('-', [a, b])
const times = (a: Formula, b: Formula) => call('*', [a, b])
const over = (a: Formula, b: Formula) => call('/', [a, b])
const rolling = (name: string, x: Formula, n: number, mp = n) => call(name, [x], [n], mp)
const before = (x: Formula) => call('ref', [x], [1])
/** Up, down or neither, rounding aside. */
const moved = (x: Formula) => call('diff', [x, before(x)])
const ema = (x: Formula, n: number) => call('ema', [x], [n])
const sma = (x: Formula, n: number) => call('sma', [x], [n, 1])

const dif = (x: Formula, [short, long]: readonly number[]) => minus(ema(x, short), ema(x, long))
const stochastic = (n: number) => {
  const [floor, roof] = [rolling('ts_min', low, n), rolling('ts_max', high, n)]
  return times(number(100), over(minus(close, floor), minus(roof, floor)))
}
const kOf = ([n, m1]: readonly number[]) => sma(stochastic(n), m1)
const dOf = (numbers: readonly number[]) => sma(kOf(numbers), numbers[2])
const typical = over(plus(plus(high, low), close), number(3))
const trueRange = call('max', [minus(high, low), call('abs', [minus(high, before(close))]), call('abs', [minus(low, before(close))])])
const band = (x: Formula, [n, k]: readonly number[], side: number) =>
  plus(rolling('ts_mean', x, n), times(number(side * k), rolling('STD', x, n)))

/** By name: the arguments, the numbers, and `mp` (the window where it is not written). */
const definitions: Record<string, (args: readonly Formula[], numbers: readonly number[], mp: number) => Formula> = {
  ts_vol: ([x], [n], mp) => times(rolling('ts_std', call('log_ret', [x], [1]), n, mp), number(Math.sqrt(242))),
  ts_downvol: ([x], [n]) => {
    const change = call('log_ret', [x], [1])
    const falls = call('where', [call('<', [moved(x), number(0)]), change])
    const spread = times(rolling('ts_std', falls, n, 2), number(Math.sqrt(242)))
    return call('where', [call('not', [call('is_nan', [rolling('ts_sum', change, n)])]), spread])
  },
  ts_er: ([x], [n]) => over(call('abs', [call('delta', [x], [n])]), rolling('ts_sum', call('abs', [call('delta', [x], [1])]), n)),
  cross: ([a, b]) => call('and', [call('<=', [before(call('diff', [a, b])), number(0)]), call('<', [number(0), call('diff', [a, b])])]),
  tr: () => trueRange,
  atr: (_, [n], mp) => rolling('ts_mean', trueRange, n, mp),
  rsi: ([x], [n]) => {
    const change = moved(x)
    return times(over(sma(call('max', [change, number(0)]), n), sma(call('abs', [change]), n)), number(100))
  },
  macd_dif: ([x], numbers) => dif(x, numbers),
  macd_dea: ([x], numbers) => ema(dif(x, numbers), numbers[2]),
  macd: ([x], numbers) => times(number(2), minus(dif(x, numbers), ema(dif(x, numbers), numbers[2]))),
  kdj_k: (_, numbers) => kOf(numbers),
  kdj_d: (_, numbers) => dOf(numbers),
  kdj_j: (_, numbers) => minus(times(number(3), kOf(numbers)), times(number(2), dOf(numbers))),
  boll_mid: ([x], [n]) => rolling('ts_mean', x, n),
  boll_up: ([x], numbers) => band(x, numbers, 1),
  boll_low: ([x], numbers) => band(x, numbers, -1),
  bias: ([x], [n], mp) => minus(over(x, rolling('ts_mean', x, n, mp)), number(1)),
  cci: (_, [n]) => over(minus(typical, rolling('ts_mean', typical, n)), times(number(0.015), rolling('avedev', typical, n))),
  wr: (_, [n]) => {
    const roof = rolling('ts_max', high, n)
    return times(over(minus(roof, close), minus(roof, rolling('ts_min', low, n))), number(100))
  },
  mfi: (_, [n]) => {
    const flow = times(typical, vol)
    const part = (sign: string) => rolling('ts_sum', times(flow, call(sign, [moved(typical), number(0)])), n)
    return over(times(number(100), part('>')), plus(part('>'), part('<')))
  },
  vwap_n: (_, [n], mp) => over(times(rolling('ts_sum', amount, n, mp), number(10_000)), times(rolling('ts_sum', vol, n, mp), number(10))),
  psy: (_, [n]) => over(times(number(100), rolling('ts_sum', call('>', [moved(close), number(0)]), n)), number(n)),
  gp_neutral: ([g, x]) => call('gp_demean', [g, call('cs_winsor', [x], [0.025, 0.975])]),
  obv: () => call('running_total', [times(call('sign', [moved(close)]), vol)]),
}

export const rewrittenNames: readonly string[] = Object.keys(definitions)

// The same formula is rewritten once: what is made of it is known by the object.
const known = new WeakMap<Formula, Formula>()

export function rewritten(formula: Formula & { kind: 'call' }): Formula | null {
  const definition = definitions[formula.name]
  if (!definition) return null
  const before = known.get(formula)
  if (before) return before
  const { args, numbers = [], minimum = numbers[0] ?? 1 } = formula
  const made = definition(args, numbers, minimum)
  known.set(formula, made)
  return made
}
