import { finite, get, input, put } from './simd'

// Long windows, merged from blocks (src/expression/functions/window.ts). What is once not finite stays so: one look at the end.

/** Where the numbers of a call are: one after the other from `numbers` on. */
// @ts-ignore: decorator
@inline function number(numbers: usize, k: i32): f64 { return load<f64>(numbers + (<usize>k << 3)) }

export function mean_of_four(out: usize, n: i32, t: usize): void {
  const a = input(t, 0), b = input(t, 1), c = input(t, 2), d = input(t, 3), end = <usize>n << 3
  const quarter = f64x2.splat(0.25)
  for (let i: usize = 0; i < end; i += 16) {
    const v = f64x2.add(f64x2.add(get(a + i), get(b + i)), f64x2.add(get(c + i), get(d + i)))
    put(out + i, finite(f64x2.mul(v, quarter)))
  }
}

/** Numbers: each block's share of the window. The first block's mean, and what the others differ from it, two by two. */
export function merge_means(out: usize, n: i32, t: usize, numbers: usize, many: i32): void {
  const a = input(t, 0), end = <usize>n << 3
  for (let i: usize = 0; i < end; i += 16) {
    const mean = get(a + i)
    let v = mean
    for (let k = 1; k < many; k++) v = f64x2.add(v, f64x2.mul(f64x2.sub(get(input(t, k) + i), mean), f64x2.splat(number(numbers, k))))
    put(out + i, finite(v))
  }
}

/** Numbers: the sizes. */
export function sum_of_blocks(out: usize, n: i32, t: usize, numbers: usize, many: i32): void {
  const end = <usize>n << 3
  for (let i: usize = 0; i < end; i += 16) {
    let v = f64x2.splat(0)
    for (let k = 0; k < many; k++) v = f64x2.add(v, f64x2.mul(get(input(t, k) + i), f64x2.splat(number(numbers, k))))
    put(out + i, finite(v))
  }
}

/** Inputs: the mean, then the four days. */
export function squares_of_four_days(out: usize, n: i32, t: usize): void {
  const m = input(t, 0), a = input(t, 1), b = input(t, 2), c = input(t, 3), d = input(t, 4), end = <usize>n << 3
  for (let i: usize = 0; i < end; i += 16) {
    const mean = get(m + i)
    const e = f64x2.sub(get(a + i), mean), f = f64x2.sub(get(b + i), mean)
    const g = f64x2.sub(get(c + i), mean), h = f64x2.sub(get(d + i), mean)
    const v = f64x2.add(f64x2.mul(e, e), f64x2.mul(f, f))
    put(out + i, finite(f64x2.add(v, f64x2.add(f64x2.mul(g, g), f64x2.mul(h, h)))))
  }
}

/** Numbers: the sizes; those of single days come last. Inputs: the whole mean, mean and squares of each block, the single days. */
export function merge_squares(out: usize, n: i32, t: usize, numbers: usize, many: i32): void {
  const m = input(t, 0), end = <usize>n << 3
  for (let i: usize = 0; i < end; i += 16) {
    const mean = get(m + i)
    let v = f64x2.splat(0)
    let next = 1
    for (let k = 0; k < many; k++) {
      const size = number(numbers, k)
      const d = f64x2.sub(get(input(t, next) + i), mean)
      const square = f64x2.mul(d, d)
      if (size > 1) v = f64x2.add(v, f64x2.add(f64x2.mul(square, f64x2.splat(size)), get(input(t, next + 1) + i)))
      else v = f64x2.add(v, square)
      next += size > 1 ? 2 : 1
    }
    put(out + i, finite(v))
  }
}

/** Numbers: the sizes. Inputs: the whole means of x and y, then those of each block and its own products, none of a single day. */
export function merge_products(out: usize, n: i32, t: usize, numbers: usize, many: i32): void {
  const m = input(t, 0), o = input(t, 1), end = <usize>n << 3
  for (let i: usize = 0; i < end; i += 16) {
    const x = get(m + i), y = get(o + i)
    let v = f64x2.splat(0)
    let next = 2
    for (let k = 0; k < many; k++) {
      const size = number(numbers, k)
      const product = f64x2.mul(f64x2.sub(get(input(t, next) + i), x), f64x2.sub(get(input(t, next + 1) + i), y))
      if (size > 1) v = f64x2.add(v, f64x2.add(f64x2.mul(product, f64x2.splat(size)), get(input(t, next + 2) + i)))
      else v = f64x2.add(v, product)
      next += size > 1 ? 3 : 2
    }
    put(out + i, finite(v))
  }
}

/** x where y is there too. */
export function paired(out: usize, n: i32, t: usize): void {
  const a = input(t, 0), b = input(t, 1), end = <usize>n << 3
  for (let i: usize = 0; i < end; i += 16) {
    const w = get(b + i)
    put(out + i, f64x2.add(get(a + i), f64x2.sub(w, w)))
  }
}

/** Inputs: means of x and y, Σxx, Σxy, Σyy. */
export function correlated(out: usize, n: i32, t: usize, w: i32): void {
  const m = input(t, 0), o = input(t, 1), a = input(t, 2), b = input(t, 3), c = input(t, 4), end = <usize>n << 3
  const degrees = f64x2.splat(<f64>(w - 1)), one = f64x2.splat(1), nan = f64x2.splat(NaN), least = f64x2.splat(1e-12)
  for (let i: usize = 0; i < end; i += 16) {
    const xx = get(a + i), yy = get(c + i)
    const p = f64x2.mul(least, f64x2.add(one, f64x2.abs(get(m + i))))
    const q = f64x2.mul(least, f64x2.add(one, f64x2.abs(get(o + i))))
    const isSpread = v128.and(
      f64x2.ge(xx, f64x2.mul(f64x2.mul(p, p), degrees)),
      f64x2.ge(yy, f64x2.mul(f64x2.mul(q, q), degrees)),
    )
    const r = f64x2.div(get(b + i), f64x2.mul(f64x2.sqrt(xx), f64x2.sqrt(yy)))
    put(out + i, v128.bitselect(f64x2.max(f64x2.splat(-1), f64x2.min(one, r)), nan, isSpread))
  }
}
