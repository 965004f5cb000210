import { finite, recordOf } from '../../state/shapes.ts'
import { local } from '../../state/storage.ts'

const key = 'preference:visits'
const read = () => local.read(key, recordOf(finite)) ?? {}

/** Counts a visit to a page, on this device only. */
export function countVisit(page: string): void {
  const counts = read()
  local.write(key, { ...counts, [page]: (counts[page] ?? 0) + 1 })
}

/** Pages by how often they were visited, the most used first. */
export const mostVisited = (): readonly string[] =>
  Object.entries(read())
    .sort(([, one], [, other]) => other - one)
    .map(([page]) => page)
