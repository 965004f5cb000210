/**
 * Statements have an axis of their own: quarters. What is written of report items alone (`q_ttm(np_parent) / equity_parent`) is
 * computed there, from the versions that were public, and reaches the axis of days at the newest quarter that was public.
 */
import { dayNumber } from '../base/calendar.ts'
import type { Panel } from '../panel/panel.ts'
import { type StatementHistory, visibleAfter } from '../panel/statements.ts'
import type { BinaryOperator } from './ast.ts'
import type { Kernel, Operation } from './graph.ts'

/** The value at a quarter, as the versions first … last of one security tell it. */
type AtQuarter = (quarter: number, first: number, last: number) => number

export interface Quarterly {
  /** Says all that it does: equal names are equal calculations. */
  readonly name: string
  /** Report items that it reads. */
  readonly items: readonly string[]
  /** Items read for one value. */
  readonly cost: number
  readonly open: (history: StatementHistory) => AtQuarter
}

/** An item as it was last stated for the quarter. */
export const itemOf = (key: string): Quarterly => ({
  name: key,
  items: [key],
  cost: 1,
  open: ({ quarters, items }) => {
    const column = items.get(key)
    if (!column) throw new Error(`the reports were loaded without the item ${key}`)
    return (quarter, first, last) => {
      for (let v = last; v >= first; v--) if (quarters[v] === quarter && column[v] === column[v]) return column[v]
      return Number.NaN
    }
  },
})

export const constantQuarterly = (value: number): Quarterly => ({ name: String(value), items: [], cost: 0, open: () => () => value })

/** Quarter by quarter from one. */
export const eachQuarter = (name: string, of: (a: number) => number, x: Quarterly): Quarterly => ({
  name: `${name}(${x.name})`,
  items: x.items,
  cost: x.cost + 1,
  open: (history) => {
    const read = x.open(history)
    return (quarter, first, last) => finite(of(read(quarter, first, last)))
  },
})

/** The same from several other quarters: `tell` reads x wherever it wants. */
export const overQuarters = (
  name: string,
  x: Quarterly,
  reads: number,
  quarterValue: (at: (quarter: number) => number, quarter: number) => number,
): Quarterly => ({
  name: `${name}(${x.name})`,
  items: x.items,
  cost: x.cost * reads + 1,
  open: (history) => {
    const read = x.open(history)
    return (quarter, first, last) => finite(quarterValue((other) => read(other, first, last), quarter))
  },
})

const arithmetic: Partial<Record<BinaryOperator, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
}

/** Two of them quarter by quarter; null for operators that quarters do not have. */
export function operateQuarterly(operator: BinaryOperator, x: Quarterly, y: Quarterly): Quarterly | null {
  const of = arithmetic[operator]
  if (!of) return null
  return {
    name: `(${x.name} ${operator} ${y.name})`,
    items: [...new Set([...x.items, ...y.items])],
    cost: x.cost + y.cost + 1,
    open: (history) => {
      const [left, right] = [x.open(history), y.open(history)]
      return (quarter, first, last) => finite(of(left(quarter, first, last), right(quarter, first, last)))
    },
  }
}

/** On the axis of days: the value at the newest quarter of the versions that can be seen. */
export const asSeen = (of: Quarterly): Operation => ({
  name: `reported ${of.name}`,
  weight: 1 + of.cost,
  run: () => {},
  reads: { fields: of.items },
  open: (panel) => seen(of, panel),
})

function seen(of: Quarterly, { reports: history, dates, securities }: Panel): Kernel {
  if (!history) throw new Error(`the panel was loaded without the reports that ${of.name} reads`)
  const { starts, quarters, published } = history
  const read = of.open(history)
  const today = Int32Array.from(dates, dayNumber)
  // One value per version is made when it is first wanted; days go forward, so the version of the day before is where to look.
  const values = new Float64Array(quarters.length)
  const isMade = new Uint8Array(quarters.length)
  const places = starts.slice(0, securities.length).map((start) => start - 1)
  return ({ out, at, count, day, first, listed, listedFrom }) => {
    const latest = today[day] - visibleAfter
    for (let i = 0; i < count; i++) {
      const from = starts[first + i]
      const to = starts[first + i + 1]
      let v = places[first + i]
      while (v + 1 < to && published[v + 1] <= latest) v++
      while (v >= from && published[v] > latest) v--
      places[first + i] = v
      if (v < from || listed[listedFrom + i] === 0) {
        out[at + i] = Number.NaN
        continue
      }
      if (isMade[v] === 0) {
        let newest = quarters[from]
        for (let k = from + 1; k <= v; k++) if (quarters[k] > newest) newest = quarters[k]
        values[v] = read(newest, from, v)
        isMade[v] = 1
      }
      out[at + i] = values[v]
    }
  }
}

function finite(value: number): number {
  return value + (value - value)
}
