import { finite, get, input, put } from './simd'

// Recursive functions: a day's value depends on that of the day before, whose row follows the inputs in the table.

/** before + alpha · (value − before), over absent days as before; the first value itself. */
export function smoothed(out: usize, n: i32, t: usize, alpha: f64): void {
  const values = input(t, 0), before = input(t, 1), end = <usize>n << 3
  const by = f64x2.splat(alpha), whole = i64x2.splat(alpha == 1 ? -1 : 0)
  for (let i: usize = 0; i < end; i += 16) {
    const v = get(values + i), known = get(before + i)
    const isFresh = v128.or(whole, f64x2.ne(known, known))
    const next = v128.bitselect(v, f64x2.add(known, f64x2.mul(by, f64x2.sub(v, known))), isFresh)
    put(out + i, finite(v128.bitselect(next, known, f64x2.eq(v, v))))
  }
}

/** How many days were valid since the listing. */
export function valid_since_listing(out: usize, n: i32, t: usize): void {
  const values = input(t, 0), before = input(t, 1), end = <usize>n << 3
  const one = f64x2.splat(1)
  for (let i: usize = 0; i < end; i += 16) {
    const v = get(values + i), known = get(before + i)
    put(out + i, f64x2.add(v128.and(known, f64x2.eq(known, known)), v128.and(one, f64x2.eq(v, v))))
  }
}

/** The state where today has a value and enough days were valid. Inputs: value, state, number of valid days. */
export function shown_from(out: usize, n: i32, t: usize, least: f64): void {
  const values = input(t, 0), states = input(t, 1), valid = input(t, 2), end = <usize>n << 3
  const enough = f64x2.splat(least), nan = f64x2.splat(NaN)
  for (let i: usize = 0; i < end; i += 16) {
    const v = get(values + i)
    const state = f64x2.add(get(states + i), f64x2.sub(v, v))
    put(out + i, v128.bitselect(state, nan, f64x2.ge(get(valid + i), enough)))
  }
}
