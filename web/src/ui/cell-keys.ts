/** Where a key leads from a cell of a table; undefined: it leads nowhere. The place may lie outside of the table. */
export function placeOfKey(
  key: string,
  [row, column]: readonly [number, number],
  columns: number,
): readonly [row: number, column: number] | undefined {
  switch (key) {
    case 'ArrowUp':
      return [row - 1, column]
    case 'ArrowDown':
      return [row + 1, column]
    case 'ArrowLeft':
      return [row, column - 1]
    case 'ArrowRight':
      return [row, column + 1]
    case 'Home':
      return [row, 0]
    case 'End':
      return [row, columns - 1]
    default:
      return undefined
  }
}
