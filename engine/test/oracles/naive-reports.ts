/** What is made of published statements, as its definition says: for one security and day, from all versions, every time anew. */
import type { Panel } from '../../src/panel/panel.ts'
import type { Formula } from '../fixtures/formula.ts'

interface Version {
  readonly quarter: number
  readonly place: number
}

const dayOf = (date: string) => Date.parse(date) / 86_400_000
const arithmetic: Record<string, (a: number, b: number) => number> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
}

export const reportNames = ['q_ref', 'q_annual', 'q_ttm', 'q_single', 'q_yoy', 'q_avg', 'q_std', 'q_slope']

/** Whether the formula is evaluated on the axis of quarters. */
export const isOfReports = (formula: Formula): boolean =>
  formula.kind === 'item' || (formula.kind === 'call' && reportNames.includes(formula.name))

export function reportValue(formula: Formula, { reports, dates }: Panel, t: number, i: number, spoil: (value: number) => number): number {
  if (!reports) throw new Error('no reports')
  const { starts, quarters, published, items } = reports
  const versions: Version[] = []
  for (let v = starts[i]; v < starts[i + 1]; v++) {
    if (published[v] < dayOf(dates[t])) versions.push({ quarter: quarters[v], place: v })
  }
  if (versions.length === 0) return Number.NaN
  const newest = Math.max(...versions.map(({ quarter }) => quarter))

  const item = (key: string, quarter: number): number => {
    const column = items.get(key) as Float64Array
    const stated = versions.filter((version) => version.quarter === quarter && !Number.isNaN(column[version.place]))
    return stated.length === 0 ? Number.NaN : column[stated[stated.length - 1].place]
  }
  const at = (of: Formula, quarter: number): number => {
    if (of.kind === 'number') return of.value
    if (of.kind === 'item') return item(of.key, quarter)
    if (of.kind !== 'call') throw new Error(`${of.key} is no report item`)
    const value = told(of.name, of.args, of.numbers ?? [], quarter)
    return Number.isFinite(value) ? spoil(value) : Number.NaN
  }
  const told = (name: string, args: readonly Formula[], [k = 0, step = 1, least = 0]: readonly number[], quarter: number): number => {
    const [x, y] = args
    if (arithmetic[name]) return arithmetic[name](at(x, quarter), at(y, quarter))
    if (name === 'negative') return -at(x, quarter)
    if (name === 'abs') return Math.abs(at(x, quarter))
    const month = (((quarter % 4) + 4) % 4) * 3 + 3
    if (name === 'q_ref') return at(x, quarter - k)
    if (name === 'q_annual') return at(x, (month === 12 ? quarter : quarter - month / 3) - 4 * k)
    if (name === 'q_ttm') return month === 12 ? at(x, quarter) : at(x, quarter) + at(x, quarter - month / 3) - at(x, quarter - 4)
    if (name === 'q_single') return month === 3 ? at(x, quarter) : at(x, quarter) - at(x, quarter - 1)
    if (name === 'q_yoy') return (at(x, quarter) - at(x, quarter - k)) / Math.abs(at(x, quarter - k))
    const points = Array.from({ length: k }, (_, age) => ({ when: -age, value: at(x, quarter - age * step) }))
    const there = points.filter(({ value }) => !Number.isNaN(value))
    if (there.length < (least === 0 ? k : least)) return Number.NaN
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    const middle = mean(there.map(({ value }) => value))
    if (name === 'q_avg') return middle
    if (name === 'q_std') return Math.sqrt(there.reduce((sum, { value }) => sum + (value - middle) ** 2, 0) / (there.length - 1))
    const centre = mean(there.map(({ when }) => when))
    const across = there.reduce((sum, { when, value }) => sum + (when - centre) * (value - middle), 0)
    return across / there.reduce((sum, { when }) => sum + (when - centre) ** 2, 0)
  }
  return at(formula, newest)
}
