/** Rows by their key, each key's in their order. */
export function groups<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>()
  for (const row of rows) {
    const known = found.get(keyOf(row))
    if (known) known.push(row)
    else found.set(keyOf(row), [row])
  }
  return found
}
