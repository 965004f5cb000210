import { finite, get, input, put } from './simd'

// Windows of pairs: `w` days of x, newest first, then `w` days of y. As in window.ts, differences are from today's values.

/** A spread of less than 1e-12 · (1 + |mean|) is none. */
export const noSpread: f64 = 1e-12

export function correlation_of_days(out: usize, n: i32, t: usize, w: i32): void {
  const today = input(t, 0), todayOfY = input(t, w), end = <usize>n << 3
  const tableOfY = <usize>w << 2, last = t + tableOfY
  const part = f64x2.splat(1.0 / <f64>w), degrees = f64x2.splat(<f64>(w - 1))
  for (let i: usize = 0; i < end; i += 16) {
    const x = get(today + i), y = get(todayOfY + i)
    let a = f64x2.splat(0), b = a, c = a, d = a, e = a
    for (let q = t + 4; q < last; q += 4) {
      const u = f64x2.sub(get(<usize>load<u32>(q) + i), x), v = f64x2.sub(get(<usize>load<u32>(q + tableOfY) + i), y)
      a = f64x2.add(a, u)
      b = f64x2.add(b, v)
      c = f64x2.add(c, f64x2.mul(u, u))
      d = f64x2.add(d, f64x2.mul(v, v))
      e = f64x2.add(e, f64x2.mul(u, v))
    }
    put(out + i, correlationOf(part, degrees, x, y, a, b, c, d, e))
  }
}

/** Of the sums of differences from today's x and y, their squares and products. */
// @ts-ignore: decorator
@inline function correlationOf(part: v128, degrees: v128, x: v128, y: v128, a: v128, b: v128, c: v128, d: v128, e: v128): v128 {
  const one = f64x2.splat(1), nan = f64x2.splat(NaN)
  const least = f64x2.splat(noSpread)
  const meanOfA = f64x2.mul(a, part), meanOfB = f64x2.mul(b, part)
  const xx = f64x2.sub(c, f64x2.mul(a, meanOfA)), yy = f64x2.sub(d, f64x2.mul(b, meanOfB))
  const xy = f64x2.sub(e, f64x2.mul(a, meanOfB))
  const p = f64x2.mul(least, f64x2.add(one, f64x2.abs(f64x2.add(x, meanOfA))))
  const q = f64x2.mul(least, f64x2.add(one, f64x2.abs(f64x2.add(y, meanOfB))))
  const isSpread = v128.and(f64x2.ge(xx, f64x2.mul(f64x2.mul(p, p), degrees)), f64x2.ge(yy, f64x2.mul(f64x2.mul(q, q), degrees)))
  // In this order what is no number stays none: of sums beyond all numbers.
  const r = f64x2.div(xy, f64x2.mul(f64x2.sqrt(xx), f64x2.sqrt(yy)))
  return v128.bitselect(f64x2.pmax(f64x2.pmin(r, one), f64x2.splat(-1)), nan, isSpread)
}

/** Σ (x − mean of x)(y − mean of y) */
export function products_of_days(out: usize, n: i32, t: usize, w: i32): void {
  const today = input(t, 0), todayOfY = input(t, w), end = <usize>n << 3
  const part = f64x2.splat(1.0 / <f64>w)
  for (let i: usize = 0; i < end; i += 16) {
    const x = get(today + i), y = get(todayOfY + i)
    let a = f64x2.splat(0), b = a, e = a
    for (let k = 1; k < w; k++) {
      const u = f64x2.sub(get(input(t, k) + i), x), v = f64x2.sub(get(input(t, w + k) + i), y)
      a = f64x2.add(a, u)
      b = f64x2.add(b, v)
      e = f64x2.add(e, f64x2.mul(u, v))
    }
    put(out + i, finite(f64x2.sub(e, f64x2.mul(a, f64x2.mul(b, part)))))
  }
}
