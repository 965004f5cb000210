import type { BinaryOperator } from '../ast.ts'
import type { Graph, Kernel, Operand, Operation } from '../graph.ts'
import { type FunctionArgument, type FunctionEntry, x } from './function.ts'

// Loops over numbers are bare and fast here. `v + (v - v)` is v where v is finite and NaN where it is not: every ±∞ ends at once.

type Cells = Float64Array
const unary =
  (loop: (out: Cells, at: number, count: number, a: Cells, p: number) => void): Kernel =>
  (row) =>
    loop(row.out, row.at, row.count, row.inputs[0], row.from[0])
const binary =
  (loop: (out: Cells, at: number, count: number, a: Cells, p: number, b: Cells, q: number) => void): Kernel =>
  (row) =>
    loop(row.out, row.at, row.count, row.inputs[0], row.from[0], row.inputs[1], row.from[1])
const ternary =
  (loop: (out: Cells, at: number, count: number, a: Cells, p: number, b: Cells, q: number, c: Cells, r: number) => void): Kernel =>
  (row) =>
    loop(row.out, row.at, row.count, row.inputs[0], row.from[0], row.inputs[1], row.from[1], row.inputs[2], row.from[2])

/** For what costs more than the call: roots, logarithms. */
const each = (of: (a: number) => number): Kernel =>
  unary((out, at, count, a, p) => {
    for (let i = 0; i < count; i++) {
      const v = of(a[p + i])
      out[at + i] = v + (v - v)
    }
  })
const eachPair = (of: (a: number, b: number) => number): Kernel =>
  binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = of(a[p + i], b[q + i])
      out[at + i] = v + (v - v)
    }
  })

const add: Operation = {
  name: 'add',
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i] + b[q + i]
      out[at + i] = v + (v - v)
    }
  }),
}
export const subtract: Operation = {
  name: 'subtract',
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i] - b[q + i]
      out[at + i] = v + (v - v)
    }
  }),
}
const multiply: Operation = {
  name: 'multiply',
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i] * b[q + i]
      out[at + i] = v + (v - v)
    }
  }),
}
export const divide: Operation = {
  name: 'divide',
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i] / b[q + i]
      out[at + i] = v + (v - v)
    }
  }),
}
/** The remainder has the sign of the divisor. */
const remainder: Operation = {
  name: 'remainder',
  run: eachPair((a, b) => {
    const r = a % b
    return r !== 0 && r < 0 !== b < 0 ? r + b : r
  }),
}
// A power of NaN is NaN, also to the 0; 1 to the NaN is NaN.
const power: Operation = { name: 'power', run: eachPair((a, b) => (a !== a ? a : a ** b)) }

// Comparisons are `Number(…)`, which needs no branch; `+ (v - v) + (w - w)` makes absent what is absent on either side.

const less: Operation = {
  name: 'less',
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      const w = b[q + i]
      out[at + i] = Number(v < w) + (v - v) + (w - w)
    }
  }),
}
const lessOrEqual: Operation = {
  name: 'less_or_equal',
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      const w = b[q + i]
      out[at + i] = Number(v <= w) + (v - v) + (w - w)
    }
  }),
}
const equal: Operation = {
  name: 'equal',
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      const w = b[q + i]
      out[at + i] = Number(v === w) + (v - v) + (w - w)
    }
  }),
}
const unequal: Operation = {
  name: 'unequal',
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      const w = b[q + i]
      out[at + i] = Number(v !== w) + (v - v) + (w - w)
    }
  }),
}

/** Three values: false and absent = false. */
const both: Operation = {
  name: 'and',
  revives: true,
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      const w = b[q + i]
      out[at + i] = v === 0 || w === 0 ? 0 : v === v && w === w ? 1 : Number.NaN
    }
  }),
}
/** Three values: true or absent = true. */
const either: Operation = {
  name: 'or',
  revives: true,
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      const w = b[q + i]
      out[at + i] = (v === v && v !== 0) || (w === w && w !== 0) ? 1 : v === v && w === w ? 0 : Number.NaN
    }
  }),
}
const not: Operation = {
  name: 'not',
  run: unary((out, at, count, a, p) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      out[at + i] = v === 0 ? 1 : v === v ? 0 : Number.NaN
    }
  }),
}
const negative: Operation = {
  name: 'negative',
  run: unary((out, at, count, a, p) => {
    for (let i = 0; i < count; i++) out[at + i] = 0 - a[p + i]
  }),
}

/** Absent condition: absent result, whichever branch it would take. */
const chosen: Operation = {
  name: 'if',
  run: ternary((out, at, count, a, p, b, q, c, r) => {
    for (let i = 0; i < count; i++) {
      const test = a[p + i]
      out[at + i] = test !== test ? Number.NaN : test !== 0 ? b[q + i] : c[r + i]
    }
  }),
}

const absolute: Operation = {
  name: 'abs',
  run: unary((out, at, count, a, p) => {
    for (let i = 0; i < count; i++) out[at + i] = Math.abs(a[p + i])
  }),
}
/** Absent if either is; chosen without a branch: on prices it would be guessed wrong every other time. */
export const larger: Operation = {
  name: 'larger',
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      const w = b[q + i]
      const second = Number(w > v)
      out[at + i] = w * second + v * (1 - second)
    }
  }),
}
export const smaller: Operation = {
  name: 'smaller',
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      const w = b[q + i]
      const second = Number(w < v)
      out[at + i] = w * second + v * (1 - second)
    }
  }),
}
export const largerValid: Operation = {
  name: 'larger_valid',
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      const w = b[q + i]
      out[at + i] = v > w || w !== w ? v : w
    }
  }),
}
export const smallerValid: Operation = {
  name: 'smaller_valid',
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      const w = b[q + i]
      out[at + i] = v < w || w !== w ? v : w
    }
  }),
}
const absent: Operation = {
  name: 'is_nan',
  revives: true,
  run: unary((out, at, count, a, p) => {
    for (let i = 0; i < count; i++) out[at + i] = a[p + i] === a[p + i] ? 0 : 1
  }),
}
const firstValid: Operation = {
  name: 'coalesce',
  revives: true,
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      out[at + i] = v === v ? v : b[q + i]
    }
  }),
}

/** Half away from zero; `scale` is a power of ten. */
const rounded = (scale: number): Operation => ({
  name: `round ${scale}`,
  run: each((a) => (Math.sign(a) * Math.floor(Math.abs(a) * scale + 0.5)) / scale),
})

const operators: Record<BinaryOperator, Operation> = {
  '+': add,
  '-': subtract,
  '*': multiply,
  '/': divide,
  '%': remainder,
  '^': power,
  '<': less,
  '<=': lessOrEqual,
  '>': less,
  '>=': lessOrEqual,
  '==': equal,
  '!=': unequal,
  and: both,
  or: either,
}

/** An infix operator of the grammar on two operands. */
export function operate(graph: Graph, operator: BinaryOperator, left: Operand, right: Operand): Operand {
  // a > b is b < a: one calculation for both ways of writing it.
  if (operator === '>' || operator === '>=') return graph.apply(operators[operator], [right, left])
  if (operator === '^') return raise(graph, left, right)
  return graph.apply(operators[operator], [left, right])
}

export function negate(graph: Graph, of: Operand): Operand {
  return graph.apply(negative, [of])
}

export function invert(graph: Graph, of: Operand): Operand {
  return graph.apply(not, [of])
}

/** A fixed condition takes its branch at once: the other one is neither computed nor needed. */
function choose(graph: Graph, test: Operand, yes: Operand, no: Operand): Operand {
  const fixed = graph.constantOf(test)
  if (fixed === null) return graph.apply(chosen, [test, yes, no])
  return fixed !== fixed ? test : fixed !== 0 ? yes : no
}

const squareRoot: Operation = { name: 'sqrt', run: each(Math.sqrt) }

/** The powers that are cheaper by name. */
function raise(graph: Graph, base: Operand, exponent: Operand): Operand {
  const constant = graph.constantOf(exponent)
  if (constant === 1) return base
  if (constant === 2) return graph.apply(multiply, [base, base])
  if (constant === 0.5) return graph.apply(squareRoot, [base])
  return graph.apply(power, [base, exponent])
}

const y: FunctionArgument = { name: 'y', label: '数值', kind: 'series' }
const low: FunctionArgument = { name: 'lo', label: '下限', kind: 'series' }
const high: FunctionArgument = { name: 'hi', label: '上限', kind: 'series' }
const more: FunctionArgument = { name: 'b', label: '数值', kind: 'series', repeat: true }

type Line = Pick<FunctionEntry, 'name' | 'label' | 'doc' | 'example' | 'build'> & Partial<FunctionEntry>
/** Most of the table reads its own day and column only. */
const line = (entry: Line): FunctionEntry => ({
  aliases: [],
  category: '数学',
  args: [x],
  lookback: () => 0,
  isCrossSection: false,
  ...entry,
})

/** A function of one number. */
const ofOne = (operation: Operation, label: string, doc: string, example: string, aliases: readonly string[] = []): FunctionEntry =>
  line({ name: operation.name, aliases, label, doc, example, build: (graph, { series }) => graph.apply(operation, series) })

/** A function of two or more that takes them pair by pair. */
const ofMany = (name: string, operation: Operation, label: string, doc: string, example: string): FunctionEntry =>
  line({
    name,
    label,
    doc,
    example,
    args: [{ ...x, name: 'a' }, more],
    build: (graph, { series }) => series.reduce((known, next) => graph.apply(operation, [known, next])),
  })

export const elementwise: readonly FunctionEntry[] = [
  ofOne(absolute, '绝对值', '数值的绝对值', 'abs(pct_chg)'),
  ofOne(
    {
      name: 'sign',
      run: unary((out, at, count, a, p) => {
        for (let i = 0; i < count; i++) out[at + i] = Math.sign(a[p + i])
      }),
    },
    '符号',
    '正数为 1，负数为 −1，零为 0',
    'sign(close - open)',
  ),
  ofOne({ name: 'log', run: each(Math.log) }, '自然对数', '以 e 为底；不大于 0 时缺失', 'log(close)', ['ln']),
  ofOne({ name: 'log10', run: each(Math.log10) }, '常用对数', '以 10 为底；不大于 0 时缺失', 'log10(amount)'),
  ofOne({ name: 'log2', run: each(Math.log2) }, '二进对数', '以 2 为底；不大于 0 时缺失', 'log2(amount)'),
  ofOne({ name: 'log1p', run: each(Math.log1p) }, '对数（加一）', '1 + x 的自然对数', 'log1p(turnover)'),
  ofOne({ name: 'exp', run: each(Math.exp) }, '指数', 'e 的 x 次方；溢出时缺失', 'exp(-left_years)'),
  ofOne(squareRoot, '平方根', '小于 0 时缺失', 'sqrt(amount)'),
  ofOne({ name: 'cbrt', run: each(Math.cbrt) }, '立方根', 'x 的立方根', 'cbrt(close)'),
  line({
    name: 'pow',
    label: '乘方',
    args: [x, { name: 'p', label: '指数', kind: 'series' }],
    doc: 'x 的 p 次方；没有实数结果时缺失',
    example: 'pow(close, 2)',
    build: (graph, { series: [base, exponent] }) => raise(graph, base, exponent),
  }),
  line({
    name: 'signed_power',
    label: '保号乘方',
    args: [x, { name: 'p', label: '指数', kind: 'series' }],
    doc: 'x 的符号乘以 |x| 的 p 次方',
    example: 'signed_power(close / open - 1, 0.5)',
    build: (graph, { series }) => graph.apply({ name: 'signed_power', run: eachPair((a, b) => Math.sign(a) * Math.abs(a) ** b) }, series),
  }),
  line({
    name: 'round',
    label: '四舍五入',
    args: [x, { name: 'digits', label: '小数位', kind: 'number', default: 0 }],
    doc: '保留若干位小数（默认 0 位），恰好一半时远离 0',
    example: 'round(close, 1)',
    build: (graph, { series, numbers }) => graph.apply(rounded(10 ** Math.trunc(numbers[0])), series),
  }),
  ofOne({ name: 'floor', run: each(Math.floor) }, '向下取整', '不大于 x 的最大整数', 'floor(close)'),
  ofOne({ name: 'ceil', run: each(Math.ceil) }, '向上取整', '不小于 x 的最小整数', 'ceil(close)'),
  ofOne({ name: 'trunc', run: each(Math.trunc) }, '截断取整', '去掉小数部分', 'trunc(close)'),
  line({
    name: 'mod',
    label: '取余',
    args: [x, y],
    doc: '余数，符号与除数相同',
    example: 'mod(vol, 10)',
    build: (graph, { series }) => graph.apply(remainder, series),
  }),
  ofMany('max', larger, '较大值', '几个数中最大的；任一缺失则缺失', 'max(open, close)'),
  ofMany('min', smaller, '较小值', '几个数中最小的；任一缺失则缺失', 'min(open, close)'),
  ofMany('fmax', { ...largerValid, name: 'fmax', revives: true }, '较大值（忽略缺失）', '几个数中最大的，忽略缺失值', 'fmax(open, close)'),
  ofMany('fmin', { ...smallerValid, name: 'fmin', revives: true }, '较小值（忽略缺失）', '几个数中最小的，忽略缺失值', 'fmin(open, close)'),
  line({
    name: 'clip',
    label: '限幅',
    args: [x, low, high],
    doc: '小于下限取下限，大于上限取上限',
    example: 'clip(conv_prem, 0, 1)',
    build: (graph, { series: [value, least, most] }) => graph.apply(smaller, [graph.apply(larger, [value, least]), most]),
  }),
  line({
    name: 'inv',
    label: '倒数',
    doc: '1 ÷ x；x 为 0 时缺失',
    example: 'inv(pb)',
    build: (graph, { series: [of] }) => graph.apply(divide, [graph.constant(1), of]),
  }),
  ofOne(
    { name: 'sigmoid', run: each((a) => 1 / (1 + Math.exp(-a))) },
    'S 形函数',
    '1 ÷ (1 + e 的 −x 次方)，结果在 0 与 1 之间',
    'sigmoid(conv_prem)',
  ),
  ofOne({ name: 'tanh', run: each(Math.tanh) }, '双曲正切', '结果在 −1 与 1 之间', 'tanh(conv_prem)'),
  ofOne(absent, '是否缺失', '缺失为 1，否则为 0', 'is_nan(ytm)'),
  line({
    name: 'fill_na',
    label: '填补缺失',
    args: [x, { name: 'v', label: '填补值', kind: 'series' }],
    doc: '缺失时取 v',
    example: 'fill_na(ytm, 0)',
    build: (graph, { series }) => graph.apply(firstValid, series),
  }),
  ofMany('coalesce', firstValid, '首个有效值', '几个数中第一个不缺失的', 'coalesce(pe_ttm, pb)'),
  line({
    name: 'between',
    label: '介于',
    args: [x, low, high],
    doc: '下限 ≤ x ≤ 上限时为 1，否则为 0',
    example: 'between(close, 100, 130)',
    build: (graph, { series: [value, least, most] }) =>
      graph.apply(both, [graph.apply(lessOrEqual, [least, value]), graph.apply(lessOrEqual, [value, most])]),
  }),
  line({
    name: 'bool',
    label: '是否非零',
    doc: 'x 不为 0 时为 1，为 0 时为 0',
    example: 'bool(vol)',
    build: (graph, { series: [of] }) => graph.apply(unequal, [of, graph.constant(0)]),
  }),
  line({
    name: 'if',
    label: '条件',
    category: '条件',
    args: [
      { name: 'c', label: '条件', kind: 'series' },
      { name: 'a', label: '成立时', kind: 'series' },
      { name: 'b', label: '不成立时', kind: 'series' },
    ],
    doc: '条件成立取 a，不成立取 b，条件缺失则缺失；也可写作 c ? a : b',
    example: 'if(close > 130, 0, 1)',
    build: (graph, { series: [test, yes, no] }) => choose(graph, test, yes, no),
  }),
  line({
    name: 'where',
    label: '满足时取值',
    category: '条件',
    args: [{ name: 'c', label: '条件', kind: 'series' }, x],
    doc: '条件成立取 x，否则缺失',
    example: 'where(vol > 0, close)',
    build: (graph, { series: [test, value] }) => choose(graph, test, value, graph.constant(Number.NaN)),
  }),
]
