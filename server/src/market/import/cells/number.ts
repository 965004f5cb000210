/** Numbers as files write them: plain, with commas between thousands, with a unit behind them. */
import { isEmpty, plainText } from './text.ts'
import { asItIs, type Conversion, conversionOfCell } from './unit.ts'

/** What a number is of: the field's unit, the unit that the mapping gives the column, and what makes one of the other. */
export interface Quantity extends Conversion {
  readonly unit: { readonly field: string; readonly column: string }
}

const digits = String.raw`[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:e[-+]?\d+)?`
const writing = new RegExp(String.raw`^(${digits})\s*(%|[万亿]?[元手股]?)$`, 'i')

/** A number in the field's unit: NaN = nothing there, null = unreadable. */
export function readNumber(cell: string | number | null, quantity: Quantity): number | null {
  if (cell === null) return Number.NaN
  if (typeof cell === 'number') return cell === cell ? converted(cell, quantity) : cell
  if (isEmpty(cell)) return Number.NaN
  const [, number, words = ''] = writing.exec(plainText(cell)) ?? []
  if (number === undefined || !/\d/.test(number)) return null
  const conversion = words === '' ? quantity : conversionOfCell(words, quantity.unit)
  return conversion === null ? null : converted(Number(number.replaceAll(',', '')), conversion)
}

/** A number without a unit, of a table beside the market: NaN = nothing there, null = unreadable. */
export const readPlainNumber = (cell: string | number | null): number | null => readNumber(cell, plain)
const plain: Quantity = { ...asItIs, unit: { field: '', column: '' } }

/** Infinity poisons every sum that it meets, and no file means it. */
function converted(value: number, { multiply, divide }: Conversion): number | null {
  const made = (multiply === 1 ? value : value * multiply) / divide
  return Number.isFinite(made) ? made : null
}

/**
 * Reads a column of texts. Bare loop: nearly every cell is a plain number, and files have millions of them.
 * @param unreadable told of each cell that is neither a number nor empty
 */
export function readNumbers(
  cells: readonly (string | null)[],
  quantity: Quantity,
  into: Float64Array,
  start: number,
  unreadable: (row: number) => void,
): void {
  const { multiply, divide } = quantity
  for (let i = 0; i < cells.length; i++) {
    const text = cells[i]
    if (text === null || text === undefined) continue
    let value = Number(text)
    // Blanks would be 0, and `0x10` is no number of a file.
    if ((value === 0 && text.trim() === '') || value - value !== 0 || text.charCodeAt(1) > nine) {
      const read = readNumber(text, quantity)
      if (read === null) unreadable(start + i)
      else into[start + i] = read
      continue
    }
    if (multiply !== 1) value *= multiply
    if (divide !== 1) value /= divide
    into[start + i] = value
  }
}
const nine = '9'.charCodeAt(0)
