/**
 * Parsers of what a browser has stored: the schemas of the contract are too large for pages that only read a draft.
 * A shape gives the value back as its type.
 * @throws TypeError when the value does not fit
 */
export type Shape<T> = (value: unknown) => T

/** Entries that `eachOf` and `recordOf` dropped since the page was opened; a reader compares it before and after parsing. */
export const leftOut = { count: 0 }

export const fits =
  <T>(is: (value: unknown) => boolean): Shape<T> =>
  (value) => {
    if (!is(value)) throw new TypeError()
    return value as T
  }

export const text = fits<string>((value) => typeof value === 'string')
export const flag = fits<boolean>((value) => typeof value === 'boolean')
export const finite = fits<number>(Number.isFinite)
/** JSON writes a number that was not filled in (NaN) as null. */
export const number: Shape<number> = (value) => (value === null ? Number.NaN : finite(value))
export const oneOf = <const T>(...values: readonly T[]): Shape<T> => fits((value) => values.includes(value as T))
export const orNull =
  <T>(shape: Shape<T>): Shape<T | null> =>
  (value) =>
    value === null ? null : shape(value)
/** A key that may be absent; the type of the object says so. */
export const optional =
  <T>(shape: Shape<T>): Shape<T> =>
  (value) =>
    value === undefined ? (value as T) : shape(value)

const array = fits<unknown[]>(Array.isArray)
export const listOf =
  <T>(shape: Shape<T>): Shape<T[]> =>
  (value) =>
    array(value).map((one) => shape(one))
export const texts = listOf(text)

const object = fits<object>((value) => typeof value === 'object' && value !== null && !Array.isArray(value))

/** Those that fit, as `flatMap` takes them. */
const those =
  <K, T>(shape: (one: K) => T) =>
  (one: K): T[] => {
    try {
      return [shape(one)]
    } catch {
      leftOut.count++
      return []
    }
  }
/** A list of things that stand for themselves: one that does not fit is left out, the others stay. */
export const eachOf =
  <T>(shape: Shape<T>): Shape<T[]> =>
  (value) =>
    array(value).flatMap(those(shape))
/** The same by key. */
export const recordOf =
  <T>(shape: Shape<T>): Shape<Record<string, T>> =>
  (value) =>
    Object.fromEntries(Object.entries(object(value)).flatMap(those(([key, one]) => [key, shape(one)])))

type Fields<T> = { [K in keyof T]-?: Shape<T[K]> }

const fieldsOf = (fields: Record<string, Shape<unknown>>, other: (key: string, value: unknown) => unknown) => (value: unknown) => {
  const entries = Object.entries(object(value)).map(([key, one]) => [
    key,
    Object.hasOwn(fields, key) ? fields[key]?.(one) : other(key, one),
  ])
  for (const key of Object.keys(fields)) if (!Object.hasOwn(value as object, key)) fields[key]?.(undefined)
  return Object.fromEntries(entries)
}

/** These keys and no others: a rule with a key that this release does not know means something else. */
export const exactly = <T extends object>(fields: Fields<T>): Shape<T> =>
  fieldsOf(fields, () => {
    throw new TypeError()
  })
/** At least these keys; others stay as they are. */
export const atLeast = <T extends object>(fields: Partial<Fields<T>>): Shape<T> =>
  fieldsOf(fields as Record<string, Shape<unknown>>, (_, value) => value)
