import { endOfRun, isApart, orderRun, placeBits, sort, valueOf } from './rank'
import { input } from './simd'

// Forward returns of a day, and their correlation with a row of that day (src/binning/horizons.ts).

/**
 * Returns at two horizons, one in each half of a vector: additions of a sum wait for each other, so two sums cost what one does. Inputs:
 * indices of the securities (4 bytes), their prices, the rows of prices at both horizons, room for the second's returns (the first's: `out`),
 * each security's deviation from the mean of the compared row, and room for the sums of both horizons: Σ return, Σ (return − mean)²,
 * Σ deviation · (return − mean).
 */
export function returns_at_two(out: usize, n: i32, t: usize): void {
  const who = input(t, 0), base = input(t, 1), first = input(t, 2), second = input(t, 3)
  const other = input(t, 4), above = input(t, 5), told = input(t, 6), end = <usize>n << 3
  const one = f64x2.splat(1), nan = f64x2.splat(NaN), infinite = f64x2.splat(Infinity)
  let sum = f64x2.splat(0)
  for (let k: usize = 0; k < end; k += 8) {
    const i = <usize>load<u32>(who + (k >> 1)) << 3
    const then = v128.load64_lane(second + i, v128.load64_zero(first + i), 1)
    const change = f64x2.sub(f64x2.div(then, v128.load64_splat(base + k)), one)
    const known = v128.bitselect(change, nan, f64x2.lt(change, infinite))
    v128.store64_lane(out + k, known, 0)
    v128.store64_lane(other + k, known, 1)
    sum = f64x2.add(sum, known)
  }
  const mean = f64x2.div(sum, f64x2.splat(<f64>n))
  let yy = f64x2.splat(0), xy = yy
  for (let k: usize = 0; k < end; k += 8) {
    const y = f64x2.sub(v128.load64_lane(other + k, v128.load64_zero(out + k), 1), mean)
    yy = f64x2.add(yy, f64x2.mul(y, y))
    xy = f64x2.add(xy, f64x2.mul(v128.load64_splat(above + k), y))
  }
  v128.store(told, sum)
  v128.store(told, yy, 16)
  v128.store(told, xy, 32)
}

/**
 * Of the ranks of a row without gaps, less their mean and doubled so that they are whole: Σ rank · other and Σ rank², exact in any order. The
 * ranks are never written. Inputs: the row, the other ranks likewise doubled (numbers of 4 bytes). scratch: as `rank`.
 */
export function rank_sums(told: usize, n: i32, t: usize, listed: usize, scratch: usize): void {
  const values = input(t, 0), others = input(t, 1)
  const sorted = sort(values, n, listed, scratch)
  const mask: u32 = (1 << placeBits) - 1, end = sorted + (<usize>n << 2)
  // As if no two were equal: of places 0, 1, … the doubled ranks are 1 − n, 3 − n, …
  let xy: i64 = 0
  let rank = 1 - n
  for (let p = sorted; p < end; p += 4, rank += 2) xy += <i64>(rank * otherOf(load<u32>(p), others, mask))
  const many = <i64>n
  let yy = (many * many * many - many) / 3
  for (let from = sorted; from + 4 < end; ) {
    if (isApart(from, end, placeBits)) {
      from += 16
      continue
    }
    const to = endOfRun(from, end, placeBits)
    if (to > from + 4) {
      const first = <i32>((from - sorted) >> 1) + 1 - n
      for (let p = from, own = first; p < to; p += 4, own += 2) xy -= <i64>(own * otherOf(load<u32>(p), others, mask))
      orderRun(from, to, values, mask)
      for (let p = from, own = first; p < to; ) {
        const value = valueOf(load<u32>(p), values, mask)
        let together = 0
        let size = 0
        for (; p < to && valueOf(load<u32>(p), values, mask) == value; p += 4, size++) together += otherOf(load<u32>(p), others, mask)
        // Equal values share the rank in their middle.
        xy += <i64>(own + size - 1) * <i64>together
        const equals = <i64>size
        yy -= (equals * equals * equals - equals) / 3
        own += 2 * size
      }
    }
    from = to
  }
  store<f64>(told, <f64>xy)
  store<f64>(told, <f64>yy, 8)
}

// @ts-ignore: decorator
@inline function otherOf(word: u32, others: usize, mask: u32): i32 { return load<i32>(others + (<usize>(word & mask) << 2)) }
