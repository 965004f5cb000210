/**
 * Reading an enum table: a record of rows by wire value whose key order is the order of display. Integer-like keys are sorted by number
 * in JavaScript and come back as numbers here.
 */
export interface Row {
  readonly label: string
  /** For table cells and chips. */
  readonly short?: string
  /** Explains the choice beside its label. */
  readonly hint?: string
  /** Label in one market, where it differs from `label`. */
  readonly byMarket?: Readonly<Record<string, string>>
}
type Table = Readonly<Record<PropertyKey, Row>>

export interface Choice<V> {
  value: V
  label: string
  hint?: string
}

/** All values in display order. Typed as a non-empty tuple, as zod wants it. */
export const valuesOf = <T extends Table>(table: T): readonly [keyof T, ...(keyof T)[]] =>
  Object.keys(table).map((key) => (/^\d+$/.test(key) ? Number(key) : key)) as unknown as readonly [keyof T, ...(keyof T)[]]

/** A value's label. Where markets name it differently and `market` is absent, all names, separated by `/`. */
export function labelOf<T extends Table>(table: T, value: keyof T, market?: string): string {
  const { label, byMarket } = table[value] as Row
  if (!byMarket) return label
  return market === undefined ? [...new Set([label, ...Object.values(byMarket)])].join('/') : (byMarket[market] ?? label)
}

/** Choices of a select, in display order. */
export const choicesOf = <T extends Table>(table: T, market?: string): Choice<keyof T>[] =>
  valuesOf(table).map((value) => {
    const { hint } = table[value] as Row
    return { value, label: labelOf(table, value, market), ...(hint === undefined ? {} : { hint }) }
  })

/** Whether something is a value of the table, as the wire writes it: the text '1' is not the number 1. */
export const isIn = <T extends Table>(table: T, value: unknown): value is keyof T => (valuesOf(table) as readonly unknown[]).includes(value)
