import type { StatementHistory } from '@convexa/engine'

/**
 * The statements of a market whose securities have other places.
 * @param places of each security of the history among `count` securities; one that is new has no statements
 */
export function reorderedStatements(
  { starts, quarters, published, items }: StatementHistory,
  places: Int32Array,
  count: number,
): StatementHistory {
  const placed = new Int32Array(count).fill(-1)
  places.forEach((place, i) => {
    placed[place] = i
  })
  const order: number[] = []
  const newStarts = Int32Array.of(0, ...Array.from({ length: count }, () => 0))
  placed.forEach((i, place) => {
    if (i >= 0) for (let version = starts[i]!; version < starts[i + 1]!; version++) order.push(version)
    newStarts[place + 1] = order.length
  })
  const whole = (cells: Int32Array) => Int32Array.from(order, (version) => cells[version]!)
  const numbers = (cells: Float64Array) => Float64Array.from(order, (version) => cells[version]!)
  return {
    starts: newStarts,
    quarters: whole(quarters),
    published: whole(published),
    items: new Map([...items].map(([key, cells]) => [key, numbers(cells)])),
  }
}
