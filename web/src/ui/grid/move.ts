/** A cell of the grid: row 0 is the head. */
export interface At {
  row: number
  column: number
}

export interface Size {
  /** Without the head. */
  rows: number
  columns: number
  /** Rows in sight. */
  page: number
}

type Move = (at: At, size: Size) => At

const moves: Record<string, Move> = {
  ArrowDown: ({ row, column }) => ({ row: row + 1, column }),
  ArrowUp: ({ row, column }) => ({ row: row - 1, column }),
  j: ({ row, column }) => ({ row: row + 1, column }),
  k: ({ row, column }) => ({ row: row - 1, column }),
  ArrowRight: ({ row, column }) => ({ row, column: column + 1 }),
  ArrowLeft: ({ row, column }) => ({ row, column: column - 1 }),
  PageDown: ({ row, column }, { page }) => ({ row: row + page, column }),
  // The head is left and entered by the arrows alone.
  PageUp: ({ row, column }, { page }) => ({ row: row === 0 ? 0 : Math.max(1, row - page), column }),
  Home: ({ row }) => ({ row, column: 0 }),
  End: ({ row }, { columns }) => ({ row, column: columns - 1 }),
  'Ctrl+Home': () => ({ row: 1, column: 0 }),
  'Ctrl+End': (_, { rows, columns }) => ({ row: rows, column: columns - 1 }),
}

/** Where a key leads, as the grid pattern of the ARIA practices has it; null for keys that do not move. */
export function moveOf(key: string, ctrl: boolean, at: At, size: Size): At | null {
  const move = moves[ctrl ? `Ctrl+${key}` : key]
  return move ? within(move(at, size), size) : null
}

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(value, high))
export const within = ({ row, column }: At, size: Size): At => ({
  row: clamp(row, 0, size.rows),
  column: clamp(column, 0, size.columns - 1),
})

/** A rectangle of cells, both ends in it. */
export interface Range {
  top: number
  bottom: number
  left: number
  right: number
}

/** From one cell to another; a head has nothing to copy. */
export const rangeOf = (from: At, to: At): Range => ({
  top: Math.max(1, Math.min(from.row, to.row)),
  bottom: Math.max(from.row, to.row),
  left: Math.min(from.column, to.column),
  right: Math.max(from.column, to.column),
})
