import { input } from './simd'

// Cross-sections without an order. Sums go through the securities as they come: their order is part of the result's last digit.

/**
 * What each is above the mean of its group. Inputs: values, groups. Sums are of differences from the group's first value. scratch: for
 * each its group's place; then first value, sum and count of each group, behind those of nobody's, who all are without a group or a value.
 */
export function demean_in_group(out: usize, n: i32, t: usize, listed: usize, scratch: usize): void {
  const values = input(t, 0), groups = input(t, 1), N = <usize>n
  let most: i32 = -1
  for (let i: usize = 0; i < N; i++) {
    const g = load<f64>(groups + (i << 3))
    const group = select(<i32>g, -1, g >= 0 && load<u8>(listed + i) == 1)
    store<i32>(scratch + (i << 2), group)
    most = max(most, group)
  }
  const sums = scratch + (((N + 3) & ~3) << 2) + 24
  memory.fill(sums - 24, 0, 24 * <usize>(most + 2))
  for (let i: usize = 0; i < N; i++) {
    const v = load<f64>(values + (i << 3)), group = load<i32>(scratch + (i << 2))
    const p = sums + 24 * <usize>select(group, -1, v == v)
    const many = load<f64>(p, 16)
    if (many == 0) store<f64>(p, v)
    store<f64>(p, load<f64>(p, 8) + (v - load<f64>(p)), 8)
    store<f64>(p, many + 1, 16)
  }
  for (let p = sums, end = sums + 24 * <usize>(most + 1); p < end; p += 24) store<f64>(p, load<f64>(p) + load<f64>(p, 8) / load<f64>(p, 16), 8)
  store<f64>(sums - 24, NaN, 8)
  for (let i: usize = 0; i < N; i++) {
    const v = load<f64>(values + (i << 3)) - load<f64>(sums + 24 * <usize>load<i32>(scratch + (i << 2)), 8)
    store<f64>(out + (i << 3), v + (v - v))
  }
}

/** v · total ÷ Σ|v| */
export function scale(out: usize, n: i32, t: usize, listed: usize, _scratch: usize, total: f64): void {
  const values = input(t, 0), N = <usize>n
  let sizes: f64 = 0
  for (let i: usize = 0; i < N; i++) {
    const v = load<f64>(values + (i << 3))
    if (v == v && load<u8>(listed + i) == 1) sizes += abs(v)
  }
  for (let i: usize = 0; i < N; i++) {
    const v = load<u8>(listed + i) == 1 ? (load<f64>(values + (i << 3)) * total) / sizes + (sizes - sizes) : NaN
    store<f64>(out + (i << 3), v + (v - v))
  }
}
