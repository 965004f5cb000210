import type { StrategyListItem } from '@convexa/contract/saved-strategy'
import type { Sort, Sorts } from '../../ui/table/sort.ts'

// What an address says of a list: words that are looked for, the order, the look. Changed last comes first; never by returns unless asked.

export const usualSort: Sort = { key: 'updated', direction: 'descending' }

/** `updated.descending`; what is unreadable is the usual order. */
export function sortOf(text: string | null, keys: readonly string[]): Sorts {
  const [key, direction] = text?.split('.') ?? []
  const known = key !== undefined && keys.includes(key) && (direction === 'ascending' || direction === 'descending')
  return known ? [{ key, direction }] : [usualSort]
}

/** Nothing is written for the usual order. */
export function sortText(sorts: Sorts): string | null {
  const [sort] = sorts
  return !sort || (sort.key === usualSort.key && sort.direction === usualSort.direction) ? null : `${sort.key}.${sort.direction}`
}

/** Those whose name, remark or a tag holds every word. */
export function matching<Row extends { name: string; remark: string; tags: readonly string[] }>(
  rows: readonly Row[],
  typed: string,
): Row[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter(({ name, remark, tags }) => {
    const text = [name, remark, ...tags].join('\n').toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

export const foundStrategies = (rows: readonly StrategyListItem[], typed: string): StrategyListItem[] =>
  matching(
    rows.map((row) => ({ ...row, name: row.strategy_name })),
    typed,
  )
