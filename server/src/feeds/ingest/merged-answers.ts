/**
 * One answer out of all that were given to a question about a day, in the order in which they came (providers.md 10.1). What came stays
 * unless the same source now says otherwise; a source that is asked later in the chain fills what is empty, and gives way to those before it.
 */
import { order } from '../chain.ts'
import type { Answer, Need } from '../feed.ts'
import type { DayTable } from '../rows.ts'

export interface GivenAnswer<N extends Need = Need> {
  readonly source: string
  readonly answer: Answer<N>
  /** It was asked for in the place of rows that did not pass the checks. */
  readonly instead?: boolean
}

interface GivenTable {
  readonly source: string
  readonly answer: DayTable
  readonly instead?: boolean
}

interface MergedRow {
  source: string
  cells: Map<string, number>
  /** The row in whose place it is. */
  insteadOf: { source: string; said: string } | null
}

/** The answer that counts: of tables all together, of lists the newest one of the first source of the chain. */
export function mergedAnswer<N extends Need>(need: N, given: readonly GivenAnswer<N>[]): GivenAnswer<N> {
  const rankOf = (source: string) => order[need].indexOf(source)
  const first = given.reduce((best, each) => (rankOf(each.source) <= rankOf(best.source) ? each : best))
  if (given.length === 1 || !('codes' in first.answer)) return first
  const table = mergedTable(given as unknown as GivenTable[], rankOf)
  return { source: first.source, answer: table as unknown as Answer<N> }
}

function mergedTable(given: readonly GivenTable[], rankOf: (source: string) => number): DayTable {
  const rows = new Map<string, MergedRow>()
  /** What each source said last of a code: to tell a correction from a repetition. */
  const said = new Map<string, string>()
  const suspended = new Set<string>()
  const keys: string[] = []
  for (const { source, answer, instead = false } of given) {
    for (const key of answer.columns.keys()) if (!keys.includes(key)) keys.push(key)
    for (const code of answer.suspended ?? []) suspended.add(code)
    const columns = [...answer.columns]
    for (const [i, code] of answer.codes.entries()) {
      const cells = new Map(columns.flatMap(([key, column]) => (column[i] === column[i] ? [[key, column[i]!] as const] : [])))
      const saying = JSON.stringify([...cells])
      const before = rows.get(code)
      if (!before) rows.set(code, { source, cells, insteadOf: null })
      else if (instead)
        rows.set(code, {
          ...{ source, cells: new Map([...before.cells, ...cells]) },
          insteadOf: { source: before.source, said: said.get(`${before.source} ${code}`) ?? '' },
        })
      else if (before.insteadOf?.source === source && before.insteadOf.said === saying) continue
      else if (rankOf(source) <= rankOf(before.source))
        rows.set(code, { source, cells: new Map([...before.cells, ...cells]), insteadOf: null })
      else for (const [key, cell] of cells) if (!before.cells.has(key)) before.cells.set(key, cell)
      said.set(`${source} ${code}`, saying)
    }
  }
  const codes = [...rows.keys()].sort()
  const column = (key: string) => Float64Array.from(codes, (code) => rows.get(code)!.cells.get(key) ?? Number.NaN)
  const unread = [...new Set(given.flatMap(({ answer }) => answer.unread ?? []))].filter((code) => !rows.has(code)).sort()
  const notes = [...new Set(given.flatMap(({ answer }) => answer.notes ?? []))]
  return {
    date: given[0]!.answer.date,
    codes,
    columns: new Map(keys.map((key) => [key, column(key)])),
    ...(given.some(({ answer }) => answer.suspended) && { suspended: [...suspended].filter((code) => !rows.has(code)).sort() }),
    ...(unread.length > 0 && { unread }),
    ...(notes.length > 0 && { notes }),
  }
}
