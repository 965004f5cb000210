import { eachQuarter, overQuarters, type Quarterly } from '../quarterly.ts'
import { type FunctionArgument, type FunctionEntry, type Line, line } from './function.ts'

// Functions of published statements. What they read is point-in-time: each quarter as it was last stated by that day.

const item: FunctionArgument = { name: 'x', label: '财报科目', kind: 'report' }
const back: FunctionArgument = { name: 'k', label: '季度数', kind: 'number', least: 0, most: 40, whole: true }
const many: FunctionArgument = { name: 'k', label: '期数', kind: 'number', least: 1, most: 40, whole: true }
/** Least number of quarters for statistics that one quarter cannot give: a spread, a slope. */
const several: FunctionArgument = { ...many, least: 2 }
const step: FunctionArgument = { name: 'step', label: '相隔季度数', kind: 'number', default: 1, least: 1, most: 8, whole: true }
const least: FunctionArgument = { name: 'mp', label: '最少有效期数', kind: 'number', default: 0, least: 0, upTo: 0, whole: true }

/** The last quarter of a year has the place 3. */
const place = (quarter: number): number => quarter % 4

/** The valid values of `count` quarters, `apart` from one another, newest first with their ages; null when there are too few. */
function gathered(at: (quarter: number) => number, quarter: number, count: number, apart: number, minimum: number) {
  const members: { age: number; value: number }[] = []
  for (let age = 0; age < count; age++) {
    const value = at(quarter - age * apart)
    if (value === value) members.push({ age, value })
  }
  return members.length >= (minimum === 0 ? count : minimum) ? members : null
}

/** A statistic of several quarters. */
const statistic =
  (name: string, of: (members: readonly { age: number; value: number }[]) => number) =>
  ([x]: readonly Quarterly[], [count, apart, minimum]: readonly number[]): Quarterly =>
    overQuarters(`${name} ${count} ${apart} ${minimum}`, x, count, (at, quarter) => {
      const members = gathered(at, quarter, count, apart, minimum)
      return members ? of(members) : Number.NaN
    })

function meanOf(members: readonly { value: number }[]): number {
  return members.reduce((sum, { value }) => sum + value, 0) / members.length
}

const average = statistic('avg', meanOf)
const deviation = statistic('std', (members) => {
  const mean = meanOf(members)
  return Math.sqrt(members.reduce((sum, { value }) => sum + (value - mean) ** 2, 0) / (members.length - 1))
})
const slope = statistic('slope', (members) => {
  const value = meanOf(members)
  const age = members.reduce((sum, member) => sum + member.age, 0) / members.length
  let across = 0
  let spread = 0
  for (const member of members) {
    across += (age - member.age) * (member.value - value)
    spread += (member.age - age) ** 2
  }
  return across / spread
})

const lines: readonly Omit<Line, 'args'>[] = [
  {
    name: 'q_ref',
    label: '几个季度前',
    doc: 'k 个季度前的报告期的值，以当日已公告的最新修订为准；k 为 0 即最新报告期',
    example: 'equity_parent / q_ref(equity_parent, 4) - 1',
    quarterly: ([x], [k]) => overQuarters(`ref ${k}`, x, 1, (at, quarter) => at(quarter - k)),
  },
  {
    name: 'q_annual',
    label: '年报值',
    doc: '最近一个年度报告期的值，k 为再往前的年数（默认 0）',
    example: 'total_mv / q_annual(np_parent)',
    quarterly: ([x], [k]) => overQuarters(`annual ${k}`, x, 1, (at, quarter) => at(quarter - ((place(quarter) + 1) % 4) - 4 * k)),
  },
  {
    name: 'q_ttm',
    label: '近四季合计',
    doc: '本期累计 + 上年年报 − 上年同期累计，年报即其本身；缺任何一期则缺失；用于营业收入、净利润等累计科目',
    example: 'q_ttm(np_parent) / equity_parent',
    quarterly: ([x]) =>
      overQuarters('ttm', x, 3, (at, quarter) =>
        place(quarter) === 3 ? at(quarter) : at(quarter) + at(quarter - place(quarter) - 1) - at(quarter - 4),
      ),
  },
  {
    name: 'q_single',
    label: '单季值',
    doc: '本期累计 − 上一季累计，一季报即其本身；用于营业收入、净利润等累计科目',
    example: 'q_single(revenue)',
    quarterly: ([x]) => overQuarters('single', x, 2, (at, quarter) => (place(quarter) === 0 ? at(quarter) : at(quarter) - at(quarter - 1))),
  },
  {
    name: 'q_yoy',
    label: '同比',
    doc: '(x − k 个季度前的 x) ÷ |k 个季度前的 x|，k 默认 4；基数为 0 时缺失，基数为负时符号仍表示增减',
    example: 'q_yoy(q_ttm(revenue))',
    quarterly: ([x], [k]) =>
      overQuarters(`yoy ${k}`, x, 2, (at, quarter) => {
        const before = at(quarter - k)
        return (at(quarter) - before) / Math.abs(before)
      }),
  },
  {
    name: 'q_avg',
    label: '多期平均',
    doc: '最近 k 期的平均，每期相隔 step 个季度（默认 1）；有效期数不少于 mp 即有值（默认全部有效）',
    example: 'q_ttm(oper_cost) / q_avg(inventories, 4)',
    quarterly: average,
  },
  {
    name: 'q_std',
    label: '多期标准差',
    doc: '最近 k 期的标准差（自由度减一），每期相隔 step 个季度（默认 1）；有效期数不少于 mp 即有值（默认全部有效）',
    example: 'q_std(q_ttm(np_parent) / equity_parent, 8)',
    quarterly: deviation,
  },
  {
    name: 'q_slope',
    label: '多期斜率',
    doc: '最近 k 期对期数的回归斜率，每期相隔 step 个季度（默认 1）；有效期数不少于 mp 即有值（默认全部有效）',
    example: 'q_slope(q_ttm(revenue), 5, 4)',
    quarterly: slope,
  },
]

const argsOf: Readonly<Record<string, readonly FunctionArgument[]>> = {
  q_ref: [item, back],
  q_annual: [item, { ...back, label: '年数', default: 0, most: 10 }],
  q_yoy: [item, { ...back, default: 4, least: 1 }],
  q_avg: [item, many, step, least],
  q_std: [item, several, step, least],
  q_slope: [item, several, step, least],
}

export const quarterly: readonly FunctionEntry[] = lines.map((entry) =>
  line({ ...entry, category: '财报', args: argsOf[entry.name] ?? [item] }),
)

/** The absolute value, for quarterly series. */
export const absoluteQuarterly = ([x]: readonly Quarterly[]): Quarterly => eachQuarter('abs', Math.abs, x)
