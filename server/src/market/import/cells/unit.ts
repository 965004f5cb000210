/** Units of numbers: what one is of another, in powers of ten. */

/** Units that can become each other; hands are of shares here, of ten bonds there. */
const scales: readonly Readonly<Record<string, number>>[] = [
  { 小数: 0, '%': -2 },
  { 元: 0, 万分之一元: -4, 分: -2, 千元: 3, 万元: 4, 亿元: 8 },
  { 股: 0, 手: 2, 万股: 4, 万手: 6, 亿股: 8, 亿手: 10 },
  { 手: 0, 张: -1, 万张: 3, 万手: 4, 亿张: 7, 亿手: 8 },
]

export interface Conversion {
  readonly multiply: number
  readonly divide: number
}

/** Divided, never multiplied by 0.01: 41.5266 / 100 and 41.5266 * 0.01 differ in the last digit, and ranks by it. */
export function conversion(from: string, to: string): Conversion | null {
  if (from === to) return asItIs
  // A field of hands is one of bonds, except that a file may count shares in hands.
  const scale = scales.find((each) => from in each && each[to] !== undefined && !(to === '手' && each['股'] !== undefined))
  if (scale === undefined) return null
  const power = scale[from]! - scale[to]!
  return power >= 0 ? { multiply: 10 ** power, divide: 1 } : { multiply: 1, divide: 10 ** -power }
}
export const asItIs: Conversion = { multiply: 1, divide: 1 }

/**
 * What the words behind a number say of its unit, whatever the mapping says; null where the field has no such unit.
 * 万 and 亿 alone are of the column's own unit without its size: 3.2万 in a column of 手 is 32,000 手, in one of 千元 32,000 元.
 */
export function conversionOfCell(words: string, { field, column }: { readonly field: string; readonly column: string }): Conversion | null {
  const isSizeAlone = words === '万' || words === '亿'
  return conversion(isSizeAlone ? words + column.replace(/^(万分之一|[千万亿])/, '') : words, field)
}
