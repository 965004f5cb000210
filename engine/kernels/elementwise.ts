import { finite, get, input, nothing, put, truth } from './simd'

// Cell by cell. `n` is a multiple of four: rows have room behind their last cell.

export function add(out: usize, n: i32, t: usize): void {
  const a = input(t, 0), b = input(t, 1), end = <usize>n << 3
  for (let i: usize = 0; i < end; i += 16) {
    const v = get(a + i), w = get(b + i)
    put(out + i, finite(f64x2.add(v, w)))
  }
}

export function subtract(out: usize, n: i32, t: usize): void {
  const a = input(t, 0), b = input(t, 1), end = <usize>n << 3
  for (let i: usize = 0; i < end; i += 16) {
    const v = get(a + i), w = get(b + i)
    put(out + i, finite(f64x2.sub(v, w)))
  }
}

export function multiply(out: usize, n: i32, t: usize): void {
  const a = input(t, 0), b = input(t, 1), end = <usize>n << 3
  for (let i: usize = 0; i < end; i += 16) {
    const v = get(a + i), w = get(b + i)
    put(out + i, finite(f64x2.mul(v, w)))
  }
}

export function divide(out: usize, n: i32, t: usize): void {
  const a = input(t, 0), b = input(t, 1), end = <usize>n << 3
  for (let i: usize = 0; i < end; i += 16) {
    const v = get(a + i), w = get(b + i)
    put(out + i, finite(f64x2.div(v, w)))
  }
}

export function less(out: usize, n: i32, t: usize): void {
  const a = input(t, 0), b = input(t, 1), end = <usize>n << 3
  for (let i: usize = 0; i < end; i += 16) {
    const v = get(a + i), w = get(b + i)
    put(out + i, f64x2.add(f64x2.add(truth(f64x2.lt(v, w)), nothing(v)), nothing(w)))
  }
}

export function less_or_equal(out: usize, n: i32, t: usize): void {
  const a = input(t, 0), b = input(t, 1), end = <usize>n << 3
  for (let i: usize = 0; i < end; i += 16) {
    const v = get(a + i), w = get(b + i)
    put(out + i, f64x2.add(f64x2.add(truth(f64x2.le(v, w)), nothing(v)), nothing(w)))
  }
}

export function equal(out: usize, n: i32, t: usize): void {
  const a = input(t, 0), b = input(t, 1), end = <usize>n << 3
  for (let i: usize = 0; i < end; i += 16) {
    const v = get(a + i), w = get(b + i)
    put(out + i, f64x2.add(f64x2.add(truth(f64x2.eq(v, w)), nothing(v)), nothing(w)))
  }
}

export function unequal(out: usize, n: i32, t: usize): void {
  const a = input(t, 0), b = input(t, 1), end = <usize>n << 3
  for (let i: usize = 0; i < end; i += 16) {
    const v = get(a + i), w = get(b + i)
    put(out + i, f64x2.add(f64x2.add(truth(f64x2.ne(v, w)), nothing(v)), nothing(w)))
  }
}

/** The difference, 0 where it is no more than rounding: the twin says how much that is. */
export function difference(out: usize, n: i32, t: usize): void {
  const a = input(t, 0), b = input(t, 1), end = <usize>n << 3
  const share = f64x2.splat(1e-12)
  for (let i: usize = 0; i < end; i += 16) {
    const v = get(a + i), w = get(b + i)
    const d = f64x2.sub(v, w)
    const tied = f64x2.le(f64x2.abs(d), f64x2.mul(share, f64x2.max(f64x2.abs(v), f64x2.abs(w))))
    put(out + i, finite(v128.andnot(d, tied)))
  }
}

/** NaN if either is. */
export function larger(out: usize, n: i32, t: usize): void {
  const a = input(t, 0), b = input(t, 1), end = <usize>n << 3
  for (let i: usize = 0; i < end; i += 16) {
    const v = get(a + i), w = get(b + i)
    put(out + i, f64x2.max(v, w))
  }
}

export function smaller(out: usize, n: i32, t: usize): void {
  const a = input(t, 0), b = input(t, 1), end = <usize>n << 3
  for (let i: usize = 0; i < end; i += 16) {
    const v = get(a + i), w = get(b + i)
    put(out + i, f64x2.min(v, w))
  }
}

export function negative(out: usize, n: i32, t: usize): void {
  const a = input(t, 0), end = <usize>n << 3
  for (let i: usize = 0; i < end; i += 16) {
    const v = get(a + i)
    put(out + i, f64x2.sub(f64x2.splat(0), v))
  }
}

export function absolute(out: usize, n: i32, t: usize): void {
  const a = input(t, 0), end = <usize>n << 3
  for (let i: usize = 0; i < end; i += 16) {
    const v = get(a + i)
    put(out + i, f64x2.abs(v))
  }
}

export function sign(out: usize, n: i32, t: usize): void {
  const a = input(t, 0), end = <usize>n << 3
  const zero = f64x2.splat(0)
  for (let i: usize = 0; i < end; i += 16) {
    const v = get(a + i)
    put(out + i, f64x2.add(f64x2.sub(truth(f64x2.gt(v, zero)), truth(f64x2.lt(v, zero))), nothing(v)))
  }
}

export function square_root(out: usize, n: i32, t: usize): void {
  const a = input(t, 0), end = <usize>n << 3
  for (let i: usize = 0; i < end; i += 16) put(out + i, finite(f64x2.sqrt(get(a + i))))
}

/** a ÷ b − 1, where the base is larger than 0. */
export function change(out: usize, n: i32, t: usize): void {
  const a = input(t, 0), b = input(t, 1), end = <usize>n << 3
  const zero = f64x2.splat(0), one = f64x2.splat(1), nan = f64x2.splat(NaN)
  for (let i: usize = 0; i < end; i += 16) {
    const base = get(b + i)
    const v = f64x2.sub(f64x2.div(get(a + i), base), one)
    put(out + i, finite(v128.bitselect(v, nan, f64x2.gt(base, zero))))
  }
}

/** Where the first is absent so is the result, whichever of the others it would take. */
export function choose(out: usize, n: i32, t: usize): void {
  const a = input(t, 0), b = input(t, 1), c = input(t, 2), end = <usize>n << 3
  const zero = f64x2.splat(0), nan = f64x2.splat(NaN)
  for (let i: usize = 0; i < end; i += 16) {
    const test = get(a + i)
    const v = v128.bitselect(get(b + i), get(c + i), f64x2.ne(test, zero))
    put(out + i, v128.bitselect(v, nan, f64x2.eq(test, test)))
  }
}

/** √(v / degrees) */
export function root_of_variance(out: usize, n: i32, t: usize, degrees: f64): void {
  const a = input(t, 0), end = <usize>n << 3
  const by = f64x2.splat(degrees)
  for (let i: usize = 0; i < end; i += 16) put(out + i, f64x2.sqrt(f64x2.div(get(a + i), by)))
}

/** Days since the extreme of two halves: the older one's where it is better. Inputs: newer extreme and days, older ones. */
export function days_since(out: usize, n: i32, t: usize, apart: f64, isLargest: i32): void {
  const a = input(t, 0), b = input(t, 1), c = input(t, 2), d = input(t, 3), end = <usize>n << 3
  const one = f64x2.splat(1), by = f64x2.splat(apart)
  for (let i: usize = 0; i < end; i += 16) {
    const newer = get(a + i), older = get(c + i)
    const isOlder = truth(isLargest ? f64x2.gt(older, newer) : f64x2.lt(older, newer))
    const v = f64x2.mul(f64x2.add(get(d + i), by), isOlder)
    put(out + i, f64x2.add(v, f64x2.mul(get(b + i), f64x2.sub(one, isOlder))))
  }
}

/** Counts to the last cell: the listing row has no room behind it. */
export function listed_only(out: usize, n: i32, t: usize, listed: usize): void {
  const a = input(t, 0), N = <usize>n
  const nan = f64x2.splat(NaN)
  let i: usize = 0
  for (; i + 4 <= N; i += 4) {
    const p = a + (i << 3), q = out + (i << 3)
    const isListed = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(listed + i)))
    put(q, v128.bitselect(get(p), nan, i64x2.neg(i64x2.extend_low_i32x4_u(isListed))))
    put(q + 16, v128.bitselect(get(p + 16), nan, i64x2.neg(i64x2.extend_high_i32x4_u(isListed))))
  }
  for (; i < N; i++) store<f64>(out + (i << 3), load<u8>(listed + i) == 1 ? load<f64>(a + (i << 3)) : NaN)
}
