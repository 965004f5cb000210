/**
 * Functions that remember: each reads its own result of the day before, from the first day of the panel on, so they count from
 * the listing of a security whatever days are asked for.
 */
import { tradingDaysSince } from '../attributes.ts'
import type { Graph, Operand, Operation } from '../graph.ts'
import { ternary } from './cells.ts'
import { type FunctionArgument, type FunctionEntry, line, n, x } from './function.ts'

const condition: FunctionArgument = { name: 'cond', label: '条件', kind: 'series' }

/** `before` is absent on the first day of a security. */
const recursion = (name: string, of: (value: number, before: number, other: number) => number): Operation => ({
  name,
  recursive: true,
  run: ({ out, at, count, inputs, from, before, beforeFrom }) => {
    const [a, b = a] = inputs
    const [p, q = p] = from
    for (let i = 0; i < count; i++) {
      const v = of(a[p + i], before[beforeFrom + i], b[q + i])
      out[at + i] = v + (v - v)
    }
  },
})

/** The state is held over absent days. */
const smoothed = (alpha: number, warmUp: number): Operation => ({
  name: `smoothed ${alpha} ${warmUp}`,
  wasm: { kernel: 'smoothed', numbers: [alpha], readsBefore: true },
  recursive: true,
  warmUp,
  run: ({ out, at, count, inputs, from, before, beforeFrom }) => {
    const a = inputs[0]
    const p = from[0]
    for (let i = 0; i < count; i++) {
      const value = a[p + i]
      const known = before[beforeFrom + i]
      const isFresh = known !== known || alpha === 1
      const v = value !== value ? known : isFresh ? value : known + alpha * (value - known)
      out[at + i] = v + (v - v)
    }
  },
})

const validSinceListing: Operation = {
  name: 'valid_since_listing',
  wasm: { kernel: 'valid_since_listing', readsBefore: true },
  recursive: true,
  run: ({ out, at, count, inputs, from, before, beforeFrom }) => {
    const a = inputs[0]
    const p = from[0]
    for (let i = 0; i < count; i++) {
      const known = before[beforeFrom + i]
      out[at + i] = (known === known ? known : 0) + Number(a[p + i] === a[p + i])
    }
  },
}

/** Inputs: value, state, number of valid days. */
const shown = (least: number): Operation => ({
  name: `shown_from ${least}`,
  wasm: { kernel: 'shown_from', numbers: [least] },
  run: ({ out, at, count, inputs, from }) => {
    const [a, state, valid] = inputs
    const [p, q, r] = from
    for (let i = 0; i < count; i++) out[at + i] = valid[r + i] >= least ? state[q + i] + (a[p + i] - a[p + i]) : Number.NaN
  },
})

/** Exponential mean from the first valid value on; absent days are skipped; nothing is said before `days` valid ones. */
function exponential(graph: Graph, of: Operand, alpha: number, days: number): Operand {
  const column = graph.series(of)
  const state = graph.apply(smoothed(alpha, days - 1), [column])
  return graph.apply(shown(days), [column, state, graph.apply(validSinceListing, [column])])
}

const weighted = recursion('dma', (value, before, weight) => {
  if (!(value === value && weight > 0 && weight <= 1)) return before
  return before !== before || weight === 1 ? value : before + weight * (value - before)
})

/** The average on days whose value and weight were used. Inputs: average, value, weight. */
const whereUsed: Operation = {
  name: 'dma_shown',
  run: ternary((out, at, count, a, p, b, q, c, r) => {
    for (let i = 0; i < count; i++) {
      const weight = c[r + i]
      out[at + i] = weight > 0 && weight <= 1 ? a[p + i] + (b[q + i] - b[q + i]) : Number.NaN
    }
  }),
}

const sinceTrue = recursion('bars_last', (value, before) => (value === value && value !== 0 ? 0 : before + 1))
const streak = recursion('bars_streak', (value, before) =>
  value !== value ? value : value === 0 ? 0 : (before === before ? before : 0) + 1,
)
const atTrue = recursion('value_when', (test, before, value) => (test === test && test !== 0 ? value : before))
const running = recursion('running_total', (value, before) => (before === before ? before : 0) + (value === value ? value : 0))

/** The sum since the listing: absent days add nothing. */
export const runningTotal = (graph: Graph, of: Operand): Operand => graph.apply({ ...running, revives: true }, [graph.series(of)])

export const recursive: readonly FunctionEntry[] = (
  [
    {
      name: 'ema',
      args: [x, n],
      lookback: ([days]) => days - 1,
      label: '指数平均',
      doc: '指数移动平均，平滑系数 2 ÷ (n + 1)，自上市起递推；缺失日跳过，有效天数满 n 天后才有值',
      example: 'close / ema(close, 20) - 1',
      build: (graph, { series: [of], numbers: [days] }) => exponential(graph, of, 2 / (days + 1), days),
    },
    {
      name: 'sma',
      args: [x, n, { name: 'm', label: '权重', kind: 'number', default: 1, least: 1, most: 500, whole: true }],
      lookback: ([days]) => days - 1,
      label: '扩展指数平均',
      doc: '移动平均，平滑系数 m ÷ n（最大为 1），自上市起递推；缺失日跳过，有效天数满 n 天后才有值',
      example: 'sma(close, 12, 2)',
      build: (graph, { series: [of], numbers: [days, m] }) => exponential(graph, of, Math.min(1, m / days), days),
    },
    {
      name: 'dma',
      args: [x, { name: 'a', label: '平滑系数', kind: 'series' }],
      label: '动态平均',
      doc: '以 a 为平滑系数的移动平均，a 可随日期变化，需大于 0 且不大于 1，否则当日缺失',
      example: 'dma(close, clip(turnover, 0.01, 1))',
      build: (graph, { series }) => {
        const [of, weight] = series.map((each) => graph.series(each))
        return graph.apply(whereUsed, [graph.apply(weighted, [of, weight]), of, weight])
      },
    },
    {
      name: 'bars_last',
      aliases: ['barslast'],
      args: [condition],
      label: '距上次成立',
      doc: '距条件上一次成立的交易日数，当日成立为 0，从未成立则缺失',
      example: 'bars_last(cross(ema(close, 5), ema(close, 20)))',
      build: (graph, { series: [test] }) => graph.apply(sinceTrue, [graph.series(test)]),
    },
    {
      name: 'bars_streak',
      aliases: ['barslastcount'],
      args: [condition],
      label: '连续成立天数',
      doc: '条件连续成立到当日的天数，当日不成立为 0',
      example: 'bars_streak(close > ref(close, 1))',
      build: (graph, { series: [test] }) => graph.apply(streak, [graph.series(test)]),
    },
    {
      name: 'value_when',
      aliases: ['valuewhen'],
      args: [condition, x],
      label: '上次成立时的值',
      doc: '条件上一次成立那天的 x，从未成立则缺失',
      example: 'close / value_when(vol > 2 * ts_mean(vol, 20), close) - 1',
      build: (graph, { series: [test, of] }) => graph.apply(atTrue, [graph.series(test), graph.series(of)]),
    },
    {
      name: 'tdays_since',
      args: [{ name: 'date', label: '日期', kind: 'date' }],
      label: '距日期交易日数',
      doc: '该日期以来的交易日数，日期当日（非交易日则其后首个交易日）为 0，日期未到或早于数据起点则缺失',
      example: 'tdays_since(list_date)',
      build: (graph, { texts: [key] }) => tradingDaysSince(graph, key),
    },
  ] satisfies Parameters<typeof line>[0][]
).map((entry) => line({ ...entry, category: '时序' }))
