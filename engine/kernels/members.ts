import { noSpread } from './pairs'
import { finite, get, input, put } from './simd'

// Statistics of the valid days of a window of `w`, newest first: absent days are skipped, and there is a value where at least `minimum`
// days are left. Days are taken oldest first, as their twins in statistics.ts take them. What an absent day adds is 0: its bits are cut off.

// @ts-ignore: decorator
@inline function day(t: usize, k: i32, i: usize): v128 { return get(input(t, k) + i) }

// @ts-ignore: decorator
@inline function isThere(v: v128): v128 { return f64x2.eq(v, v) }

/** The first value that is there. */
// @ts-ignore: decorator
@inline function firstOf(known: v128, v: v128): v128 { return v128.bitselect(known, v, isThere(known)) }

/** v where the mask is set, NaN where it is not or where v is no finite number. */
// @ts-ignore: decorator
@inline function where(mask: v128, v: v128): v128 { return finite(v128.bitselect(v, f64x2.splat(NaN), mask)) }

/** Of the last window that was looked at. */
let countOf: v128 = f64x2.splat(0)

// @ts-ignore: decorator
@inline function meanOf(t: usize, w: i32, i: usize): v128 {
  const one = f64x2.splat(1)
  let first = f64x2.splat(NaN), sum = f64x2.splat(0), count = sum
  for (let k = w - 1; k >= 0; k--) {
    const v = day(t, k, i), valid = isThere(v)
    first = firstOf(first, v)
    sum = f64x2.add(sum, v128.and(f64x2.sub(v, first), valid))
    count = f64x2.add(count, v128.and(one, valid))
  }
  countOf = count
  return f64x2.add(first, f64x2.div(sum, count))
}

/** Mean of the distances from the mean. */
export function avedev_of_members(out: usize, n: i32, t: usize, w: i32, minimum: i32): void {
  const end = <usize>n << 3, least = f64x2.splat(<f64>minimum)
  for (let i: usize = 0; i < end; i += 16) {
    const mean = meanOf(t, w, i), count = countOf
    let sum = f64x2.splat(0)
    for (let k = w - 1; k >= 0; k--) {
      const v = day(t, k, i)
      sum = f64x2.add(sum, v128.and(f64x2.abs(f64x2.sub(v, mean)), isThere(v)))
    }
    put(out + i, where(f64x2.ge(count, least), f64x2.div(sum, count)))
  }
}

/** One over the spread about the mean, 0 where there is none. */
// @ts-ignore: decorator
@inline function perSpread(t: usize, w: i32, i: usize, mean: v128, count: v128): v128 {
  const one = f64x2.splat(1)
  let squares = f64x2.splat(0)
  for (let k = w - 1; k >= 0; k--) {
    const v = day(t, k, i), d = v128.and(f64x2.sub(v, mean), isThere(v))
    squares = f64x2.add(squares, f64x2.mul(d, d))
  }
  const spread = f64x2.sqrt(f64x2.div(squares, count))
  const isSpread = v128.and(f64x2.lt(spread, f64x2.splat(Infinity)), f64x2.ge(spread, leastSpread(mean)))
  return v128.and(f64x2.div(one, spread), isSpread)
}

// @ts-ignore: decorator
@inline function leastSpread(mean: v128): v128 { return f64x2.mul(f64x2.splat(noSpread), f64x2.add(f64x2.splat(1), f64x2.abs(mean))) }

/** Skewness, corrected for bias. */
export function skew_of_members(out: usize, n: i32, t: usize, w: i32, minimum: i32): void {
  const end = <usize>n << 3, least = f64x2.splat(<f64>max(minimum, 3))
  const one = f64x2.splat(1), two = f64x2.splat(2), zero = f64x2.splat(0)
  for (let i: usize = 0; i < end; i += 16) {
    const mean = meanOf(t, w, i), count = countOf, part = perSpread(t, w, i, mean, count)
    let three = zero
    for (let k = w - 1; k >= 0; k--) {
      const v = day(t, k, i), d = v128.and(f64x2.mul(f64x2.sub(v, mean), part), isThere(v))
      three = f64x2.add(three, f64x2.mul(f64x2.mul(d, d), d))
    }
    const factor = f64x2.div(f64x2.sqrt(f64x2.mul(count, f64x2.sub(count, one))), f64x2.sub(count, two))
    put(out + i, where(v128.and(f64x2.ge(count, least), f64x2.gt(part, zero)), f64x2.mul(factor, f64x2.div(three, count))))
  }
}

/** Excess kurtosis, corrected for bias. */
export function kurt_of_members(out: usize, n: i32, t: usize, w: i32, minimum: i32): void {
  const end = <usize>n << 3, least = f64x2.splat(<f64>max(minimum, 4))
  const one = f64x2.splat(1), two = f64x2.splat(2), three = f64x2.splat(3), zero = f64x2.splat(0)
  for (let i: usize = 0; i < end; i += 16) {
    const mean = meanOf(t, w, i), count = countOf, part = perSpread(t, w, i, mean, count)
    let four = zero
    for (let k = w - 1; k >= 0; k--) {
      const v = day(t, k, i), d = v128.and(f64x2.mul(f64x2.sub(v, mean), part), isThere(v))
      four = f64x2.add(four, f64x2.mul(f64x2.mul(f64x2.mul(d, d), d), d))
    }
    const before = f64x2.sub(count, one)
    const factor = f64x2.div(before, f64x2.mul(f64x2.sub(count, two), f64x2.sub(count, three)))
    const excess = f64x2.sub(f64x2.mul(f64x2.add(count, one), f64x2.div(four, count)), f64x2.mul(three, before))
    put(out + i, where(v128.and(f64x2.ge(count, least), f64x2.gt(part, zero)), f64x2.mul(factor, excess)))
  }
}

/** The deepest fall from a peak before it; absent where the first peak is not above 0. */
export function drawdown_of_members(out: usize, n: i32, t: usize, w: i32, minimum: i32): void {
  const end = <usize>n << 3, least = f64x2.splat(<f64>minimum)
  const one = f64x2.splat(1), zero = f64x2.splat(0)
  for (let i: usize = 0; i < end; i += 16) {
    let first = f64x2.splat(NaN), peak = first, worst = one, count = zero, infinite = zero
    for (let k = w - 1; k >= 0; k--) {
      const v = day(t, k, i), valid = isThere(v)
      first = firstOf(first, v)
      peak = firstOf(peak, v)
      peak = v128.bitselect(v, peak, f64x2.gt(v, peak))
      // What is absent is no smaller.
      worst = f64x2.pmin(worst, f64x2.div(v, peak))
      infinite = f64x2.add(infinite, v128.and(f64x2.sub(v, v), valid))
      count = f64x2.add(count, v128.and(one, valid))
    }
    const isTold = v128.and(f64x2.ge(count, least), f64x2.gt(first, zero))
    put(out + i, where(isTold, f64x2.add(f64x2.sub(worst, one), infinite)))
  }
}

/** Of pairs: `w` days of x, then `w` days of y; a day on which one of them is absent is no pair. */
export function correlation_of_members(out: usize, n: i32, t: usize, w: i32, minimum: i32): void {
  const end = <usize>n << 3, least = f64x2.splat(<f64>minimum)
  const one = f64x2.splat(1), zero = f64x2.splat(0)
  for (let i: usize = 0; i < end; i += 16) {
    let x = f64x2.splat(NaN), y = x, a = zero, b = zero, count = zero
    for (let k = w - 1; k >= 0; k--) {
      const u = day(t, k, i), v = day(t, w + k, i), isPair = v128.and(isThere(u), isThere(v))
      const isFirst = v128.and(isPair, f64x2.eq(count, zero))
      x = v128.bitselect(u, x, isFirst)
      y = v128.bitselect(v, y, isFirst)
      a = f64x2.add(a, v128.and(f64x2.sub(u, x), isPair))
      b = f64x2.add(b, v128.and(f64x2.sub(v, y), isPair))
      count = f64x2.add(count, v128.and(one, isPair))
    }
    x = f64x2.add(x, f64x2.div(a, count))
    y = f64x2.add(y, f64x2.div(b, count))
    let xx = zero, xy = zero, yy = zero
    for (let k = w - 1; k >= 0; k--) {
      const u = day(t, k, i), v = day(t, w + k, i), isPair = v128.and(isThere(u), isThere(v))
      const d = v128.and(f64x2.sub(u, x), isPair), e = v128.and(f64x2.sub(v, y), isPair)
      xx = f64x2.add(xx, f64x2.mul(d, d))
      xy = f64x2.add(xy, f64x2.mul(d, e))
      yy = f64x2.add(yy, f64x2.mul(e, e))
    }
    const degrees = f64x2.sub(count, one)
    const isTold = v128.and(f64x2.ge(count, least), v128.and(isSpread(f64x2.div(xx, degrees), x), isSpread(f64x2.div(yy, degrees), y)))
    const r = f64x2.div(f64x2.div(xy, f64x2.sqrt(xx)), f64x2.sqrt(yy))
    put(out + i, where(isTold, f64x2.max(f64x2.splat(-1), f64x2.min(one, r))))
  }
}

// @ts-ignore: decorator
@inline function isSpread(variance: v128, mean: v128): v128 {
  return v128.and(f64x2.lt(variance, f64x2.splat(Infinity)), f64x2.ge(f64x2.sqrt(variance), leastSpread(mean)))
}
