/**
 * The first names of a list, and that there are more: `A、B 等`, with a unit `A、B 等 5 只`.
 * @param most how many are named
 */
export const namedList = (names: readonly string[], most: number, unit?: '只'): string =>
  names.slice(0, most).join('、') + (names.length > most ? (unit ? ` 等 ${names.length} ${unit}` : ' 等') : '')
