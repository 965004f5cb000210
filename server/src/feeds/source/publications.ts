/** Rows of statements as a source answers with them: one a publication, as imports put them together. */
import { publicationsOf, type Said, type Standing } from '../../market/import/publications.ts'
import type { Asking } from '../feed.ts'
import type { StatementRow } from '../rows.ts'

/** A row of a source's table. */
export type ReadStatement = StatementRow & { readonly standing: Standing }

/**
 * Ascending by company, quarter and day. Numbers that contradict each other without an order are left out and told; rows without a quarter or a
 * day stay as they are, for the checks to tell.
 */
export function publishedIn(rows: readonly ReadStatement[], asking: Pick<Asking, 'tell'>): StatementRow[] {
  const placed: (Said & { readonly standing: Standing })[] = []
  const loose: StatementRow[] = []
  for (const { code, announced: published, period, items, standing } of rows) {
    if (published === null || period === null) loose.push({ code, announced: published, period, items })
    else placed.push({ code, period, published, items, standing })
  }
  const { publications, unsure } = publicationsOf(placed)
  if (unsure.length > 0) asking.tell?.(`${unsure.length} 项数字在同一次公告里有不同的写法，分不出先后，未采用：${unsure[0]}`)
  const whole = publications.map(({ code, period, published, items }): StatementRow => ({ code, announced: published, period, items }))
  return [...whole, ...loose].sort(byPublication)
}

function byPublication(a: StatementRow, b: StatementRow): number {
  const [x, y] = [`${a.code} ${a.period} ${a.announced}`, `${b.code} ${b.period} ${b.announced}`]
  return x < y ? -1 : x > y ? 1 : 0
}
