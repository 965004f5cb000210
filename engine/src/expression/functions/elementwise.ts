import { daysTo } from '../attributes.ts'
import type { Operation } from '../graph.ts'
import { binary, each, ternary, unary } from './cells.ts'
import { type FunctionArgument, type FunctionEntry, line, x, y } from './function.ts'
import { both, difference, divide, lessOrEqual, multiply, raise, remainder, squareRoot, unequal } from './operators.ts'
import { absoluteQuarterly } from './quarterly.ts'

const absolute: Operation = {
  name: 'abs',
  wasm: { kernel: 'absolute' },
  run: unary((out, at, count, a, p) => {
    for (let i = 0; i < count; i++) out[at + i] = Math.abs(a[p + i])
  }),
}
const sign: Operation = {
  name: 'sign',
  wasm: { kernel: 'sign' },
  run: unary((out, at, count, a, p) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      out[at + i] = Number(v > 0) - Number(v < 0) + (v - v)
    }
  }),
}
/** Absent if either is. */
export const larger: Operation = {
  name: 'larger',
  wasm: { kernel: 'larger' },
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) out[at + i] = Math.max(a[p + i], b[q + i])
  }),
}
export const smaller: Operation = {
  name: 'smaller',
  wasm: { kernel: 'smaller' },
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) out[at + i] = Math.min(a[p + i], b[q + i])
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

/** The mean of the inputs that are there. */
const averageOfValid = (many: number): Operation => ({
  name: `avg_of ${many}`,
  revives: true,
  run: ({ out, at, count, inputs, from }) => {
    for (let i = 0; i < count; i++) {
      let sum = 0
      let valid = 0
      for (let k = 0; k < many; k++) {
        const v = inputs[k][from[k] + i]
        if (v !== v) continue
        sum += v
        valid++
      }
      const v = sum / valid
      out[at + i] = v + (v - v)
    }
  },
})
/** Inputs: dividend, divisor, what stands where the divisor is 0 or absent. */
const divideOr: Operation = {
  name: 'div',
  revives: true,
  run: ternary((out, at, count, a, p, b, q, c, r) => {
    for (let i = 0; i < count; i++) {
      const divisor = b[q + i]
      const v = divisor === 0 || divisor !== divisor ? c[r + i] : a[p + i] / divisor
      out[at + i] = v + (v - v)
    }
  }),
}

/** Half away from zero; `scale` is a power of ten. */
const rounded = (scale: number): Operation => ({
  name: `round ${scale}`,
  run: each((a) => (Math.sign(a) * Math.floor(Math.abs(a) * scale + 0.5)) / scale),
})

const low: FunctionArgument = { name: 'lo', label: '下限', kind: 'series' }
const high: FunctionArgument = { name: 'hi', label: '上限', kind: 'series' }
const more: FunctionArgument = { name: 'b', label: '数值', kind: 'series', repeat: true }

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
  { ...ofOne(absolute, '绝对值', '数值的绝对值', 'abs(pct_chg)'), quarterly: absoluteQuarterly },
  ofOne(sign, '符号', '正数为 1，负数为 −1，零为 0', 'sign(close - open)'),
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
    build: (graph, { series: [base, exponent] }) =>
      graph.apply(multiply, [graph.apply(sign, [base]), raise(graph, graph.apply(absolute, [base]), exponent)]),
  }),
  line({
    name: 'round',
    label: '四舍五入',
    args: [x, { name: 'digits', label: '小数位', kind: 'number', default: 0, least: -12, most: 12, whole: true }],
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
  line({
    name: 'diff',
    label: '差',
    args: [x, y],
    doc: '两数之差；只差浮点舍入误差（不超过较大者的 10⁻¹²）时为 0，用来比较算出来的价格是涨、跌还是持平',
    example: 'diff(ma(close, 5), ma(close, 20)) > 0',
    build: (graph, { series }) => graph.apply(difference, series),
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
    name: 'avg_of',
    label: '平均（忽略缺失）',
    args: [{ ...x, name: 'a' }, more],
    doc: '几个数的平均值，忽略缺失值',
    example: 'avg_of(open, close)',
    build: (graph, { series }) => graph.apply(averageOfValid(series.length), series),
  }),
  line({
    name: 'div',
    label: '安全除法',
    args: [x, y, { name: 'default', label: '缺省值', kind: 'series', default: Number.NaN }],
    doc: 'x ÷ y；y 为 0 或缺失时取缺省值（默认缺失）',
    example: 'div(amount, vol, 0)',
    build: (graph, { series }) => graph.apply(divideOr, series),
  }),
  line({
    name: 'days_to',
    label: '距日期天数',
    args: [{ name: 'date', label: '日期', kind: 'date' }],
    doc: '从当日到该日期的自然日天数，过去的日期为负；日期可为 list_date、value_date、conv_start_date、conv_end_date、maturity_date',
    example: 'days_to(maturity_date) / 365',
    build: (graph, { texts: [key] }) => daysTo(graph, key),
  }),
]
