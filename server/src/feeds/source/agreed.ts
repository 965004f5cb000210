/** Rows of a list that speak of one security: what one leaves out another says, and what they contradict nobody says (data.md 3.1). */
import type { Asking } from '../feed.ts'

/** Rows ascending by code, one a security. Facts in which its rows differ are null, NaN or empty, as where nothing is told; they are told by name. */
export function agreedRows<R extends { readonly code: string }>(rows: readonly R[], asking: Pick<Asking, 'tell'>): R[] {
  const byCode = new Map<string, R[]>()
  for (const row of rows) {
    const known = byCode.get(row.code)
    if (known) known.push(row)
    else byCode.set(row.code, [row])
  }
  const differing: string[] = []
  const found = [...byCode].map(([code, own]) => {
    if (own.length === 1) return own[0]!
    return agreed(own, (key, said) => differing.push(`${code} 的 ${key}：${said.join('、').replaceAll('"', '')}`)) as R
  })
  if (differing.length > 0) asking.tell?.(`同一代码的几行说法不同，${differing.length} 项未采用：${differing[0]}`)
  return found.sort((a, b) => (a.code < b.code ? -1 : 1))
}

function agreed(rows: readonly object[], tell: (key: string, said: readonly string[]) => void): object {
  const keys = new Set(rows.flatMap((row) => Object.keys(row)))
  const facts = [...keys].map((key): [string, unknown] => {
    const all = rows.map((row) => (row as Record<string, unknown>)[key])
    const told = all.filter(isTold)
    if (told.length > 0 && told.every(isGroup)) return [key, agreed(told, tell)]
    const said = [...new Set(told.map((fact) => JSON.stringify(fact)))].sort()
    if (said.length < 2) return [key, told[0] ?? all[0]]
    tell(key, said)
    return [key, nothingLike(told[0])]
  })
  return Object.fromEntries(facts)
}

const isTold = (fact: unknown): boolean => fact !== null && fact !== undefined && fact === fact && fact !== ''
const isGroup = (fact: unknown): fact is object => typeof fact === 'object' && fact !== null && !Array.isArray(fact)
const nothingLike = (fact: unknown): unknown => (typeof fact === 'number' ? Number.NaN : Array.isArray(fact) ? [] : null)
