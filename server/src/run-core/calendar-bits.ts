import { dayNumber } from '@convexa/engine'

const dayMs = 86_400_000

/** Ascending dates as the first of them and a bit for each day of the calendar from it to the last. */
export function bitsOf(dates: readonly string[]): { readonly first: string; readonly bits: Uint8Array } {
  const [first = '', last = first] = [dates[0], dates.at(-1)]
  if (first === '') return { first, bits: new Uint8Array() }
  const from = dayNumber(first)
  const bits = new Uint8Array(((dayNumber(last) - from) >> 3) + 1)
  for (const date of dates) setBit(bits, dayNumber(date) - from)
  return { first, bits }
}

export function datesOf({ first, bits }: { readonly first: string; readonly bits: Uint8Array }): string[] {
  const start = Date.parse(`${first}T00:00:00Z`)
  const dates: string[] = []
  for (let day = 0; day < 8 * bits.length; day++)
    if (hasBit(bits, day)) dates.push(new Date(start + day * dayMs).toISOString().slice(0, 10))
  return dates
}

/** Flags of 0 and 1, eight in a byte. */
export function packFlags(flags: Uint8Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(flags.length / 8))
  for (const [at, flag] of flags.entries()) if (flag) setBit(bits, at)
  return bits
}

export const unpackFlags = (bits: Uint8Array, count: number): Uint8Array =>
  Uint8Array.from({ length: count }, (_, at) => Number(hasBit(bits, at)))

const setBit = (bits: Uint8Array, at: number) => {
  bits[at >> 3]! |= 1 << (at & 7)
}
const hasBit = (bits: Uint8Array, at: number): boolean => (bits[at >> 3]! & (1 << (at & 7))) !== 0
