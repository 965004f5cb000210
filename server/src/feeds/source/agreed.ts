/** Rows of a list that speak of one security: what they agree on holds, what they contradict nobody says (data.md 3.1). */
import { agreedFacts, contradictionText } from '../../market/import/agreed-facts.ts'
import type { Asking } from '../feed.ts'

/** Of lists of securities: their clauses are told one by one. */
const shape = {
  isGroup: (path: string): boolean => path === 'clauses',
  absent: (said: unknown): unknown => (typeof said === 'number' ? Number.NaN : Array.isArray(said) ? [] : null),
}

/** Rows ascending by code, one a security. Facts in which its rows differ are null, NaN or empty, as where nothing is told; they are told by name. */
export function agreedRows<R extends { readonly code: string }>(rows: readonly R[], asking: Pick<Asking, 'tell'>): R[] {
  const byCode = new Map<string, R[]>()
  for (const row of rows) {
    const known = byCode.get(row.code)
    if (known) known.push(row)
    else byCode.set(row.code, [row])
  }
  const contradictions: string[] = []
  const found = [...byCode].map(([code, own]) => {
    if (own.length === 1) return own[0]!
    const { facts, differing } = agreedFacts(own, shape)
    for (const [path, said] of differing) contradictions.push(`${code} ${contradictionText(path, said)}`)
    return facts
  })
  if (contradictions.length > 0) asking.tell?.(`同一代码的几行说法不同，${contradictions.length} 项未采用：${contradictions.sort()[0]}`)
  return found.sort((a, b) => (a.code < b.code ? -1 : 1))
}
