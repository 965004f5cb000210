import { get, input, put } from './simd'

// Splits of blocks of days for the probability of overfitting (src/report/robustness/overfitting.ts).

/**
 * A split and its mirror: the best configuration of each, and the rank of that configuration in the other. Inputs, by configuration: sums of
 * returns and of their squares over the blocks inside, in the first and in the second half of the days (4), the same outside (4); room for the
 * strengths inside and outside. Writes to `told`, as numbers of 4 bytes: best inside, best outside; how many stand below and level with the
 * first outside, and with the second inside.
 */
export function score_split(told: usize, n: i32, t: usize, inside: i32, outside: i32): void {
  const here = input(t, 8), there = input(t, 9)
  const best = strengths(here, n, t, 0, inside), mirror = strengths(there, n, t, 4, outside)
  store<i32>(told, best)
  store<i32>(told, mirror, 4)
  stand(told + 8, there, n, best)
  stand(told + 16, here, n, mirror)
}

/** Writes what is larger where the Sharpe ratio is, two at a time. Returns the first of the largest. */
function strengths(out: usize, n: i32, t: usize, from: i32, days: i32): i32 {
  const a = input(t, from), b = input(t, from + 1), c = input(t, from + 2), d = input(t, from + 3)
  const many = f64x2.splat(<f64>days), hair = f64x2.splat(1e-12), two = f64x2.splat(2)
  let most = f64x2.splat(-Infinity), best = f64x2.splat(0), k = f64x2.replace_lane(best, 1, 1)
  const end = <usize>(n & ~1) << 3
  for (let at: usize = 0; at < end; at += 16) {
    const strength = strengthOf(get(a + at), get(b + at), get(c + at), get(d + at), many, hair)
    put(out + at, strength)
    const above = f64x2.gt(strength, most)
    most = v128.bitselect(strength, most, above)
    best = v128.bitselect(k, best, above)
    k = f64x2.add(k, two)
  }
  const x = f64x2.extract_lane(most, 0), y = f64x2.extract_lane(most, 1)
  const p = f64x2.extract_lane(best, 0), q = f64x2.extract_lane(best, 1)
  const found = x > y || (x == y && p < q) ? p : q
  if (n & 1) {
    const lone = strengthOf(v128.load64_zero(a + end), v128.load64_zero(b + end), v128.load64_zero(c + end), v128.load64_zero(d + end), many, hair)
    v128.store64_lane(out + end, lone, 0)
    if (n == 1 || f64x2.extract_lane(lone, 0) > max<f64>(x, y)) return n - 1
  }
  return <i32>found
}

/** Of returns that do not vary, rounding leaves a hair: their strength is 0. */
// @ts-ignore: decorator
@inline function strengthOf(a: v128, b: v128, c: v128, d: v128, many: v128, hair: v128): v128 {
  const sum = f64x2.add(a, b)
  const squares = f64x2.mul(many, f64x2.add(c, d))
  const variance = f64x2.sub(squares, f64x2.mul(sum, sum))
  return v128.and(f64x2.div(f64x2.mul(sum, f64x2.abs(sum)), variance), f64x2.gt(variance, f64x2.mul(hair, squares)))
}

/** How many are smaller than one of them, and how many equal, itself among them. */
function stand(told: usize, values: usize, n: i32, at: i32): void {
  const mine = load<f64>(values + (<usize>at << 3)), own = f64x2.splat(mine)
  let below = i64x2.splat(0), level = below
  const end = <usize>(n & ~1) << 3
  for (let k: usize = 0; k < end; k += 16) {
    const value = get(values + k)
    // A mask is −1.
    below = i64x2.sub(below, f64x2.lt(value, own))
    level = i64x2.sub(level, f64x2.eq(value, own))
  }
  let less = <i32>(i64x2.extract_lane(below, 0) + i64x2.extract_lane(below, 1))
  let same = <i32>(i64x2.extract_lane(level, 0) + i64x2.extract_lane(level, 1))
  if (n & 1) {
    const value = load<f64>(values + end)
    less += <i32>(value < mine)
    same += <i32>(value == mine)
  }
  store<i32>(told, less)
  store<i32>(told, same, 4)
}
