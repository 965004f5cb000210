import { finite, get, input, put } from './simd'

// Windows of `w` days, newest first: one input each. Sums are of differences from today's value, which is in the window: equal
// values have exactly no spread, and at most a factor w of precision is lost, whatever the level.

export function sum_of_days(out: usize, n: i32, t: usize, w: i32): void {
  const today = input(t, 0), end = <usize>n << 3
  for (let i: usize = 0; i < end; i += 32) {
    let a = get(today + i), b = get(today + i + 16)
    for (let k = 1; k < w; k++) {
      const p = input(t, k) + i
      a = f64x2.add(a, get(p))
      b = f64x2.add(b, get(p + 16))
    }
    put(out + i, finite(a))
    put(out + i + 16, finite(b))
  }
}

export function mean_of_days(out: usize, n: i32, t: usize, w: i32): void {
  const today = input(t, 0), end = <usize>n << 3
  const part = f64x2.splat(1.0 / <f64>w)
  for (let i: usize = 0; i < end; i += 32) {
    const u = get(today + i), v = get(today + i + 16)
    let a = f64x2.splat(0), b = a
    for (let k = 1; k < w; k++) {
      const p = input(t, k) + i
      a = f64x2.add(a, f64x2.sub(get(p), u))
      b = f64x2.add(b, f64x2.sub(get(p + 16), v))
    }
    put(out + i, finite(f64x2.add(u, f64x2.mul(a, part))))
    put(out + i + 16, finite(f64x2.add(v, f64x2.mul(b, part))))
  }
}

/** Σ (value − mean)² */
export function squares_of_days(out: usize, n: i32, t: usize, w: i32): void {
  const today = input(t, 0), end = <usize>n << 3
  const part = f64x2.splat(1.0 / <f64>w)
  for (let i: usize = 0; i < end; i += 32) {
    const u = get(today + i), v = get(today + i + 16)
    let a = f64x2.splat(0), b = a, c = a, d = a
    for (let k = 1; k < w; k++) {
      const p = input(t, k) + i
      const e = f64x2.sub(get(p), u), f = f64x2.sub(get(p + 16), v)
      a = f64x2.add(a, e)
      b = f64x2.add(b, f)
      c = f64x2.add(c, f64x2.mul(e, e))
      d = f64x2.add(d, f64x2.mul(f, f))
    }
    put(out + i, finite(f64x2.sub(c, f64x2.mul(a, f64x2.mul(a, part)))))
    put(out + i + 16, finite(f64x2.sub(d, f64x2.mul(b, f64x2.mul(b, part)))))
  }
}

/** Weights 1 … w, today's the largest: a sum of sums. */
export function decay_of_days(out: usize, n: i32, t: usize, w: i32, factor: f64): void {
  const today = input(t, 0), end = <usize>n << 3
  const by = f64x2.splat(factor)
  for (let i: usize = 0; i < end; i += 32) {
    const u = get(today + i), v = get(today + i + 16)
    let a = f64x2.splat(0), b = a, c = a, d = a
    for (let k = 1; k < w; k++) {
      const p = input(t, k) + i
      a = f64x2.add(a, f64x2.sub(get(p), u))
      b = f64x2.add(b, f64x2.sub(get(p + 16), v))
      c = f64x2.add(c, a)
      d = f64x2.add(d, b)
    }
    put(out + i, finite(f64x2.add(u, f64x2.mul(c, by))))
    put(out + i + 16, finite(f64x2.add(v, f64x2.mul(d, by))))
  }
}

/** Where today stands among the valid days: each past one gives 2 points where smaller and 1 where equal. */
export function rank_of_today(out: usize, n: i32, t: usize, w: i32, minimum: i32): void {
  const today = input(t, 0), end = <usize>n << 3
  const least = f64x2.splat(<f64>minimum), half = f64x2.splat(0.5), one = f64x2.splat(1), nan = f64x2.splat(NaN)
  for (let i: usize = 0; i < end; i += 32) {
    const u = get(today + i), v = get(today + i + 16)
    const isThere = f64x2.eq(u, u), isOtherThere = f64x2.eq(v, v)
    let a = i64x2.splat(0), b = a, c = i64x2.splat(1), d = c
    for (let k = 1; k < w; k++) {
      const p = input(t, k) + i
      const e = get(p), f = get(p + 16)
      a = i64x2.sub(i64x2.sub(a, f64x2.lt(e, u)), f64x2.le(e, u))
      b = i64x2.sub(i64x2.sub(b, f64x2.lt(f, v)), f64x2.le(f, v))
      c = i64x2.sub(c, f64x2.eq(e, e))
      d = i64x2.sub(d, f64x2.eq(f, f))
    }
    const x = whole(a), y = whole(b), valid = whole(c), otherValid = whole(d)
    const isTold = v128.and(isThere, f64x2.ge(valid, least)), isOtherTold = v128.and(isOtherThere, f64x2.ge(otherValid, least))
    put(out + i, v128.bitselect(f64x2.div(f64x2.add(f64x2.mul(x, half), one), valid), nan, isTold))
    put(out + i + 16, v128.bitselect(f64x2.div(f64x2.add(f64x2.mul(y, half), one), otherValid), nan, isOtherTold))
  }
}

/** A small whole number becomes one with a fraction without leaving its lane: 2⁵² + number − 2⁵². */
// @ts-ignore: decorator
@inline function whole(number: v128): v128 {
  return f64x2.sub(v128.or(number, i64x2.splat(0x4330000000000000)), f64x2.splat(4503599627370496))
}

/** Σ weight · what a day differs from today; the first of the list says whether today's value is added: 1 or 0. */
export function sum_of_differences(out: usize, n: i32, t: usize, weights: usize, w: i32): void {
  const today = input(t, 0), end = <usize>n << 3
  const withToday = f64x2.splat(load<f64>(weights))
  for (let i: usize = 0; i < end; i += 32) {
    const u = get(today + i), v = get(today + i + 16)
    let a = f64x2.mul(u, withToday), b = f64x2.mul(v, withToday)
    for (let k = 1; k < w; k++) {
      const p = input(t, k) + i, weight = v128.load64_splat(weights + (<usize>k << 3))
      a = f64x2.add(a, f64x2.mul(f64x2.sub(get(p), u), weight))
      b = f64x2.add(b, f64x2.mul(f64x2.sub(get(p + 16), v), weight))
    }
    put(out + i, finite(a))
    put(out + i + 16, finite(b))
  }
}
