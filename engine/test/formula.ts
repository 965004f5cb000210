/** A formula as a tree, before anyone writes it as text. */
export type Formula =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'field'; readonly key: string }
  /** A number of published statements. */
  | { readonly kind: 'item'; readonly key: string }
  /** An enumeration or a text of securities, where a function groups or compares by it. */
  | { readonly kind: 'key'; readonly key: string }
  | {
      readonly kind: 'call'
      /** An operator's sign or a function's name. */
      readonly name: string
      readonly args: readonly Formula[]
      /** Windows and constants. */
      readonly numbers?: readonly number[]
      readonly texts?: readonly string[]
      /** How many arguments are written; the rest are the defaults of the table. */
      readonly written?: number
      /** The argument `mp`. */
      readonly minimum?: number
    }

export const call = (name: string, args: readonly Formula[], numbers: readonly number[] = [], minimum?: number): Formula => ({
  kind: 'call',
  name,
  args,
  numbers,
  ...(minimum === undefined ? {} : { minimum }),
})
