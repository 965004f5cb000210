/**
 * Numbers of single precision as doubles: each is the shortest decimal that it stands for (0.01, not 0.0099999998), of those the nearest,
 * so that a number that somebody types meets the number that a file wrote (domain.md 4.3).
 *
 * Fewest digits are fewest decimals. With ulp the step of floats of an exponent and 10^-k the coarsest step of decimals that is not
 * below it, at most one decimal of k places rounds to the float; where none does, one of k + 1 places does. Both are whole numbers
 * divided by a power of ten that a double holds: the quotient is the double that the decimal's text is read as.
 */
import { type Arena, ownArena } from './arena.ts'

/** The shortest decimal of one float. Of any other double: of the float nearest to it. */
export function shortestDecimal(value: number): number {
  const single = Math.fround(value)
  if (single === 0) return single
  const scale = scales[exponentOf(single)]
  for (const power of scale > 0 ? [scale, 10 * scale] : []) {
    const decimal = nearestWhole(single * power) / power
    if (Math.fround(decimal) === single) return decimal
  }
  return Number.isFinite(single) ? byDigits(single) : single
}

/** Ties go to the even one, as in the kernel. */
const nearestWhole = (value: number): number => value + half - half
const half = 1.5 * 2 ** 52

/** Very large and very small ones, and powers of two: below these floats lie twice as near as above. */
function byDigits(single: number): number {
  for (let digits = 1; digits < 9; digits++) {
    const [whole, exponent] = single.toExponential(digits - 1).split('e')
    const nearest = Number(whole.replace('.', ''))
    for (const digit of [nearest, nearest + Math.sign(single)]) {
      const decimal = Number(`${digit}e${Number(exponent) - digits + 1}`)
      if (Math.fround(decimal) === single) return decimal
    }
  }
  return Number(single.toPrecision(9))
}

const words = new Uint32Array(1)
const floats = new Float32Array(words.buffer)
function exponentOf(single: number): number {
  floats[0] = single
  return (words[0] >>> 23) & 255
}

/** Exact up to 22, which a power by `**` is not said to be. */
const powerOfTen = (k: number): number => Number(`1e${k}`)

/** By exponent of a float: 10^k, or 0 where there is no such power. */
const scales = Float64Array.from({ length: 256 }, (_, exponent) => {
  const ulp = 2 ** (exponent - 150)
  let k = 0
  while (k <= 21 && powerOfTen(-(k + 1)) >= ulp) k++
  // A zero is a zero.
  if (exponent === 0) return 1
  return k > 21 || ulp > 1 ? 0 : powerOfTen(k)
})

/**
 * By decimals, at most six: the power of ten, its reciprocal in two parts, and the bound below which floats distinguish all decimals of so
 * many places. The whole numbers have 24 bits then and the rough part 29, so their product is exact, and the sum of both products is the
 * quotient: its relative error is 2^-82 at most, and no such quotient lies as near to the middle of two doubles.
 */
const sizes = Array.from({ length: 7 }, (_, k) => {
  const scale = powerOfTen(k)
  const step = 2 ** (Math.floor(-k * Math.log2(10)) - 28)
  const rough = Math.floor(1 / scale / step) * step
  return { scale, rough, fine: (1 - rough * scale) / scale, bound: 2 ** (24 + Math.floor(-k * Math.log2(10))) }
})
const unknown = { scale: 0, rough: 0, fine: 0, bound: 0 }

/** Floats that are turned at once: they and what becomes of them stay in the processor's near caches. */
const atOnce = 4_096

/** Turns a column of singles; learns how many decimals it mostly has. */
export class Singles {
  #size: (typeof sizes)[number] | null = null

  /** Writes the shortest decimals of `from` into `out`, of the same length; where they share memory, `out` may not reach a cell of `from` before its own place. */
  widen(from: Float32Array, out: Float64Array): void {
    const room = roomOf()
    for (let first = 0; first < from.length; first += atOnce) {
      const count = Math.min(atOnce, from.length - first)
      if (room) this.#widen(room, from.subarray(first, first + count), out.subarray(first, first + count))
      else for (let k = first; k < first + count; k++) out[k] = shortestDecimal(from[k])
    }
  }

  #widen({ arena, singles, doubles, odd, shortest }: Room, from: Float32Array, out: Float64Array): void {
    const count = from.length
    // The kernel takes four at a time.
    const fours = 4 * Math.ceil(count / 4)
    singles.set(from)
    if (fours > count) singles.fill(0, count, fours)
    this.#size ??= sizeOf(singles, count)
    const { scale, rough, fine, bound } = this.#size
    const left = shortest(at.doubles, fours, at.singles, at.table, at.odd, at.failed, scale, rough, fine, bound)
    for (let k = 0; k < left; k++) doubles[odd[k]] = shortestDecimal(singles[odd[k]])
    // Of another kind than the cells before: the next ones are looked at anew.
    if (scale > 0 && arena.words[at.failed / 4] > count / 16) this.#size = null
    out.set(count === atOnce ? doubles : doubles.subarray(0, count))
  }
}

/** The cells of a column as doubles. */
export function doublesOf(cells: Float32Array | Float64Array): Float64Array<ArrayBuffer> {
  if (cells instanceof Float64Array) return Float64Array.from(cells)
  const doubles = new Float64Array(cells.length)
  new Singles().widen(cells, doubles)
  return doubles
}

/** By how many decimals some of the cells have. */
function sizeOf(singles: Float32Array, count: number): (typeof sizes)[number] {
  let most = 0
  let seen = 0
  for (let k = 0; k < count && seen < 8; k++) {
    const single = singles[k]
    if (single !== single || single === 0) continue
    seen++
    while (most < sizes.length && Math.fround(nearestWhole(single * sizes[most].scale) / sizes[most].scale) !== single) most++
    if (most === sizes.length || Math.abs(single) >= sizes[most].bound) return unknown
  }
  return sizes[most]
}

interface Room {
  readonly arena: Arena
  readonly singles: Float32Array
  readonly doubles: Float64Array
  readonly odd: Uint32Array
  readonly shortest: (...numbers: number[]) => number
}

/** Addresses: what each exponent needs, floats, doubles, places of what is odd, how many groups had more decimals. */
const at = (() => {
  const singles = 8 * scales.length
  const doubles = singles + 4 * atOnce
  const odd = doubles + 8 * atOnce
  const failed = odd + 4 * atOnce
  return { table: 0, singles, doubles, odd, failed, end: failed + 8 }
})()

let room: Room | null | undefined

/** Made once; null where there is no WebAssembly. */
function roomOf(): Room | null {
  if (room !== undefined) return room
  const arena = ownArena(at.end)
  const { buffer } = arena.cells
  const shortest = arena.kernels?.['shortest'] as Room['shortest'] | undefined
  arena.cells.set(scales)
  const views = {
    singles: new Float32Array(buffer, at.singles, atOnce),
    doubles: new Float64Array(buffer, at.doubles, atOnce),
    odd: new Uint32Array(buffer, at.odd, atOnce),
  }
  room = shortest ? { arena, ...views, shortest } : null
  return room
}
