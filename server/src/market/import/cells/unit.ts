/** Units of numbers: what one is of another, in powers of ten. */

/** Which units become those of fields: hands are of a hundred shares, of bonds they are of ten. A price is in yuan; 1.5亿 is none. */
const scales: readonly { readonly of: readonly string[]; readonly powers: Readonly<Record<string, number>> }[] = [
  { of: ['小数'], powers: { 小数: 0, '%': -2 } },
  { of: ['元'], powers: { 元: 0, 角: -1, 分: -2, 万分之一元: -4 } },
  { of: ['元总额', '万元', '亿元'], powers: { 元总额: 0, 元: 0, 千元: 3, 万元: 4, 亿元: 8 } },
  { of: ['股', '亿股'], powers: { 股: 0, 手: 2, 万股: 4, 万手: 6, 亿股: 8, 亿手: 10 } },
  { of: ['手'], powers: { 手: 0, 张: -1, 万张: 3, 万手: 4, 亿张: 7, 亿手: 8 } },
]

export interface Conversion {
  readonly multiply: number
  readonly divide: number
}

/** Divided, never multiplied by 0.01: 41.5266 / 100 and 41.5266 * 0.01 differ in the last digit, and ranks by it. */
export function conversion(from: string, to: string): Conversion | null {
  if (from === to) return asItIs
  const powers = scales.find(({ of }) => of.includes(to))?.powers
  if (powers === undefined || !(from in powers)) return null
  const power = powers[from]! - powers[to]!
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
