/** Rows of a list that speak of one security: what they agree on holds, contradicted facts are absent (data.md 3.1). */
import { agreedFacts, contradictionText } from '../../market/import/agreed-facts.ts'
import type { Asking } from '../feed.ts'

/** Of lists of securities: each clause is a fact of its own. */
const shape = {
  isGroup: (path: string): boolean => path === 'clauses',
  absent: (said: unknown): unknown => (typeof said === 'number' ? Number.NaN : Array.isArray(said) ? [] : null),
}

/** Rows ascending by code, one a security. Facts in which its rows differ are null, NaN or empty, and a note names them. */
export const agreedRows = <R extends { readonly code: string }>(rows: readonly R[], asking: Pick<Asking, 'tell'>): R[] =>
  agreedBy(rows, ({ code }) => code, asking)

/** The same of rows that are one by their key, which says whose they are: `113050.SH 2026-06-05`; ascending by it. `names`: of facts, as users call them. */
export function agreedBy<R extends object>(
  rows: readonly R[],
  keyOf: (row: R) => string,
  asking: Pick<Asking, 'tell'>,
  names?: Readonly<Record<string, string>>,
): R[] {
  const byKey = Map.groupBy(rows, keyOf)
  const contradictions: string[] = []
  const found = [...byKey].map(([key, own]): [string, R] => {
    if (own.length === 1) return [key, own[0]!]
    const { facts, differing } = agreedFacts(own, shape)
    for (const [path, said] of differing) contradictions.push(`${key} ${contradictionText(path, said, names)}`)
    return [key, facts]
  })
  tellContradictions(contradictions, asking)
  return found.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

export function tellContradictions(all: readonly string[], asking: Pick<Asking, 'tell'>): void {
  if (all.length > 0) asking.tell?.(`同一代码的几行说法不同，${all.length} 项未采用：${[...all].sort()[0]}`)
}
