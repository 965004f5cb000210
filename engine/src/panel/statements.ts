/**
 * Point-in-time data: published statements, security by security, every version in the order of its publication. Nothing is ever overwritten:
 * a restated number is one more version of its quarter.
 */
export interface StatementHistory {
  /** The versions of security i are starts[i] … starts[i + 1] − 1, ascending by publication. */
  readonly starts: Int32Array
  /** The quarter that a version reports on: year × 4 + 0 … 3. */
  readonly quarters: Int32Array
  /** The day number of its publication. */
  readonly published: Int32Array
  /** By item: a number for each version, NaN where it does not state the item. */
  readonly items: ReadonlyMap<string, Float64Array>
}

/** Natural days from publication until a version may be seen: most come in the evening (domain.md 3.1). */
export const visibleAfter = 1

/** One version of a statement as a reader of files has it. */
export interface Statement {
  /** Last day of the period, `YYYY-MM-DD`. */
  readonly period: string
  /** Day of publication. */
  readonly published: string
  /** What it states, by item. */
  readonly items: Readonly<Record<string, number>>
}

/** Whether a period ends with a quarter. */
export const isQuarterEnd = (period: string): boolean => ['03-31', '06-30', '09-30', '12-31'].includes(period.slice(5))

/** Year × 4 + 0 … 3 of a quarter's last day. */
export const quarterOf = (period: string): number => Number(period.slice(0, 4)) * 4 + (Number(period.slice(5, 7)) - 1 - 2) / 3

/** The statement history of securities; of two on the same day the later in the list counts. `dayOf` numbers days. */
export function statementHistoryOf(statements: readonly (readonly Statement[])[], dayOf: (date: string) => number): StatementHistory {
  const ordered = statements.map((list) =>
    list
      .map((statement, place) => ({ statement, place }))
      .sort((a, b) =>
        a.statement.published < b.statement.published ? -1 : a.statement.published > b.statement.published ? 1 : a.place - b.place,
      )
      .map(({ statement }) => statement),
  )
  const all = ordered.flat()
  const starts = new Int32Array(ordered.length + 1)
  ordered.forEach((list, i) => {
    starts[i + 1] = starts[i] + list.length
  })
  const keys = new Set(all.flatMap(({ items }) => Object.keys(items)))
  return {
    starts,
    quarters: Int32Array.from(all, ({ period }) => quarterOf(period)),
    published: Int32Array.from(all, ({ published }) => dayOf(published)),
    items: new Map([...keys].sort().map((key) => [key, Float64Array.from(all, ({ items }) => items[key] ?? Number.NaN)])),
  }
}

/** The history of some of the securities, one list each: a bond has the statements of its company. null = none. */
export function pickStatements(
  { starts, quarters, published, items }: StatementHistory,
  who: readonly (number | null)[],
): StatementHistory {
  const places = who.map((i) => (i === null ? [] : Array.from({ length: starts[i + 1] - starts[i] }, (_, k) => starts[i] + k)))
  const all = places.flat()
  const picked = new Int32Array(who.length + 1)
  places.forEach((list, i) => {
    picked[i + 1] = picked[i] + list.length
  })
  return {
    starts: picked,
    quarters: Int32Array.from(all, (v) => quarters[v]),
    published: Int32Array.from(all, (v) => published[v]),
    items: new Map([...items].map(([key, numbers]) => [key, Float64Array.from(all, (v) => numbers[v])])),
  }
}

/** Two histories of the same securities as one; of two versions of a day that of the second history comes later. */
export function joinStatements(first: StatementHistory, second: StatementHistory): StatementHistory {
  const count = first.quarters.length + second.quarters.length
  // Where each version stands: a place in the first history, or below 0 one in the second.
  const places = new Int32Array(count)
  const starts = new Int32Array(first.starts.length)
  let at = 0
  for (let i = 0; i + 1 < starts.length; i++) {
    let [a, b] = [first.starts[i], second.starts[i]]
    while (a < first.starts[i + 1] || b < second.starts[i + 1]) {
      const isFirst = b === second.starts[i + 1] || (a < first.starts[i + 1] && first.published[a] <= second.published[b])
      places[at++] = isFirst ? a++ : -1 - b++
    }
    starts[i + 1] = at
  }
  const int = (axis: 'quarters' | 'published') =>
    Int32Array.from(places, (place) => (place < 0 ? second[axis][-1 - place] : first[axis][place]))
  const item = (key: string) => {
    const [a, b] = [first.items.get(key), second.items.get(key)]
    return Float64Array.from(places, (place) => (place < 0 ? b?.[-1 - place] : a?.[place]) ?? Number.NaN)
  }
  const keys = [...new Set([...first.items.keys(), ...second.items.keys()])].sort()
  return { starts, quarters: int('quarters'), published: int('published'), items: new Map(keys.map((key) => [key, item(key)])) }
}

/** A history without statements. */
export const noReports = (securities: number): StatementHistory => ({
  starts: new Int32Array(securities + 1),
  quarters: new Int32Array(),
  published: new Int32Array(),
  items: new Map(),
})
