/** Listing windows of rows, as the file says them itself, else as a list beside it does. */
import type { Finding } from '../../db/tables/quality.ts'
import type { Rows } from './rows.ts'
import { tradedIn } from './traded-rows.ts'

interface Window {
  readonly listed?: string
  /** First day on which it is listed no more. */
  readonly delisted?: string
}

interface Windows {
  /** 1 inside; null: nothing is known of rows outside. */
  readonly inside: Uint8Array | null
  /** Securities with rows outside of what a list says: the file and the list contradict each other, and the list holds. */
  readonly findings: readonly Finding[]
}

const mostNamed = 20

/** What is judged of rows. */
type Judged = Pick<Rows, 'count' | 'code' | 'date' | 'codes' | 'dates' | 'fields' | 'listed' | 'traded'>

export function windowsOf(rows: Judged, about: (code: string) => Window | undefined): Windows {
  if (rows.listed !== null) return { inside: rows.listed, findings: [] }
  const days = [...rows.dates].sort()
  const [first, last] = [days[0] ?? '', days.at(-1) ?? '']
  const windows = rows.codes.map((code) => {
    const { listed = '', delisted = '9999' } = about(code) ?? {}
    // Nearly all are listed on all days of the file.
    return listed > first || delisted <= last ? { listed, delisted } : null
  })
  if (windows.every((window) => window === null)) return { inside: null, findings: [] }
  const isTraded = tradedIn(rows)
  const inside = new Uint8Array(rows.count).fill(1)
  const outside = { before: new Map<string, Outside>(), behind: new Map<string, Outside>() }
  for (let row = 0; row < rows.count; row++) {
    const window = windows[rows.code[row]!]
    const day = rows.dates[rows.date[row]!]
    if (!window || day === undefined || (day >= window.listed && day < window.delisted)) continue
    inside[row] = 0
    const found = day < window.listed ? outside.before : outside.behind
    const code = rows.codes[rows.code[row]!]!
    const known = found.get(code) ?? { window, rows: 0, traded: 0 }
    known.rows++
    if (isTraded(row)) known.traded++
    found.set(code, known)
  }
  const findings = [
    ...outsideFinding('before_listing', '参考资料所载上市日之前的行，不作为行情', outside.before, ({ listed }) => `上市日 ${listed}`),
    ...outsideFinding(
      'behind_delisting',
      '参考资料所载退市日及以后的行，不作为行情',
      outside.behind,
      ({ delisted }) => `退市日 ${delisted}`,
    ),
  ]
  return { inside: findings.length > 0 ? inside : null, findings }
}

interface Outside {
  readonly window: Required<Window>
  rows: number
  traded: number
}

/** Those whose rows are trades come first: there the list is wrong, or the file. */
function outsideFinding(
  check: string,
  text: string,
  outside: ReadonlyMap<string, Outside>,
  dayOf: (window: Required<Window>) => string,
): Finding[] {
  if (outside.size === 0) return []
  const all = [...outside].sort(([a, x], [b, y]) => y.traded - x.traded || (a < b ? -1 : 1))
  const count = all.reduce((sum, [, { rows }]) => sum + rows, 0)
  const traded = all.reduce((sum, [, { traded: own }]) => sum + own, 0)
  const examples = all
    .slice(0, mostNamed)
    .map(([code, { window, rows, traded: own }]) => `${code} ${dayOf(window)}，${rows} 行${own > 0 ? `，其中 ${own} 行有成交` : ''}`)
  return [{ check, level: 'warning', count, text: traded > 0 ? `${text}（其中 ${traded} 行有成交，请核对参考资料）` : text, examples }]
}
