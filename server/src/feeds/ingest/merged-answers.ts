/**
 * One answer out of all that were given to a question about a day, in the order in which they came (providers.md 10.1). What came stays
 * unless the same source now says otherwise; a source that is asked later in the chain fills what is empty, and gives way to those before it.
 */

import type { Need } from '../../db/tables/answers.ts'
import { order } from '../chain.ts'
import type { Answer } from '../feed.ts'
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

/** The answer that counts: of tables all together, of lists the newest one of the first source of the chain. */
export function mergedAnswer<N extends Need>(need: N, given: readonly GivenAnswer<N>[]): GivenAnswer<N> {
  const rankOf = (source: string) => order[need].indexOf(source)
  const first = given.reduce((best, each) => (rankOf(each.source) <= rankOf(best.source) ? each : best))
  if (given.length === 1 || !('codes' in first.answer)) return first
  const table = mergedTable(given as unknown as GivenTable[], rankOf)
  return { source: first.source, answer: table as unknown as Answer<N> }
}

/** Column by column, because a day of all shares is merged again with every answer that comes. */
function mergedTable(given: readonly GivenTable[], rankOf: (source: string) => number): DayTable {
  const rowOf = new Map<string, number>()
  for (const { answer } of given) for (const code of answer.codes) if (!rowOf.has(code)) rowOf.set(code, rowOf.size)
  const columns = new Map<string, Float64Array>()
  const sources: (string | undefined)[] = new Array(rowOf.size).fill(undefined)
  /** Rows that stand in the place of another one, and what its source had said of it. */
  const insteadOf = new Map<number, { readonly source: string; readonly said: Saying | null }>()
  for (const [n, { source, answer, instead = false }] of given.entries()) {
    const pairs = [...answer.columns].map(([key, from]) => {
      const into = columns.get(key) ?? new Float64Array(rowOf.size).fill(Number.NaN)
      columns.set(key, into)
      return [from, into] as const
    })
    const copy = (from: number, into: number, isKept: boolean) => {
      for (const [cells, merged] of pairs)
        if (cells[from] === cells[from] && !(isKept && merged[into] === merged[into])) merged[into] = cells[from]!
    }
    for (let i = 0; i < answer.codes.length; i++) {
      const row = rowOf.get(answer.codes[i]!)!
      const [before, replaced] = [sources[row], insteadOf.get(row)]
      const isSaidAgain = replaced?.source === source && replaced.said !== null && saysSame(replaced.said, { answer, row: i })
      if (before !== undefined && !instead && (isSaidAgain || rankOf(source) > rankOf(before))) {
        if (!isSaidAgain) copy(i, row, true)
        continue
      }
      copy(i, row, false)
      sources[row] = source
      if (before !== undefined && instead)
        insteadOf.set(row, { source: before, said: lastSaying(given.slice(0, n), before, answer.codes[i]!) })
      else insteadOf.delete(row)
    }
  }
  const codes = [...rowOf.keys()].sort()
  const places = Int32Array.from(codes, (code) => rowOf.get(code)!)
  const sorted = (cells: Float64Array) => {
    const out = new Float64Array(places.length)
    for (let i = 0; i < places.length; i++) out[i] = cells[places[i]!]!
    return out
  }
  const suspended = new Set(given.flatMap(({ answer }) => answer.suspended ?? []))
  const unread = [...new Set(given.flatMap(({ answer }) => answer.unread ?? []))].filter((code) => !rowOf.has(code)).sort()
  const notes = [...new Set(given.flatMap(({ answer }) => answer.notes ?? []))]
  const unreadOf = new Map(given.flatMap(({ source, answer }) => (answer.unread ?? []).map((code) => [code, source] as const)))
  /** A row that stands for another source's: one that did not pass, or one that could not be read. */
  const isReplaced = (code: string) => {
    const row = rowOf.get(code)!
    return insteadOf.has(row) || (unreadOf.has(code) && sources[row] !== unreadOf.get(code))
  }
  const replaced = codes.filter(isReplaced)
  return {
    date: given[0]!.answer.date,
    codes,
    columns: new Map([...columns].map(([key, cells]) => [key, sorted(cells)])),
    ...(given.some(({ answer }) => answer.suspended) && { suspended: [...suspended].filter((code) => !rowOf.has(code)).sort() }),
    ...(unread.length > 0 && { unread }),
    ...(replaced.length > 0 && { replaced }),
    ...(notes.length > 0 && { notes }),
  }
}

/** A row of an answer. */
interface Saying {
  readonly answer: DayTable
  readonly row: number
}

/** What a source said last of a code: to tell a correction from a repetition. */
function lastSaying(given: readonly GivenTable[], source: string, code: string): Saying | null {
  for (const { answer } of given.filter((each) => each.source === source).reverse()) {
    const row = answer.codes.indexOf(code)
    if (row >= 0) return { answer, row }
  }
  return null
}

function saysSame(a: Saying, b: Saying): boolean {
  const cell = ({ answer, row }: Saying, key: string) => answer.columns.get(key)?.[row] ?? Number.NaN
  const keys = new Set([...a.answer.columns.keys(), ...b.answer.columns.keys()])
  return [...keys].every((key) => Object.is(cell(a, key), cell(b, key)))
}
