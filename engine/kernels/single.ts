// Numbers of single precision as the shortest decimals that they stand for: src/kernels/single.ts says how.

// @ts-ignore: decorator
@inline function narrowed(low: v128, high: v128): v128 {
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5)
}

/** The numbers of two exponents. */
// @ts-ignore: decorator
@inline function ofExponents(table: usize, first: i32, second: i32): v128 {
  return v128.load64_lane(table + (<usize>second << 3), v128.load64_zero(table + (<usize>first << 3)), 1)
}

/** Writes four as numbers of `scale` decimals; bits where they are others. An absent one stays what it is, bit by bit. */
// @ts-ignore: decorator
@inline function othersOf(to: usize, from: usize, scales: v128, rough: v128, fine: v128): v128 {
  const m = f64x2.nearest(f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(from)), scales))
  const w = f64x2.nearest(f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(from, 8)), scales))
  const a = f64x2.add(f64x2.mul(m, rough), f64x2.mul(m, fine))
  const b = f64x2.add(f64x2.mul(w, rough), f64x2.mul(w, fine))
  v128.store(to, a)
  v128.store(to, b, 16)
  return v128.xor(narrowed(a, b), v128.load(from))
}

/** The larger of four and four, of absent ones the first. */
// @ts-ignore: decorator
@inline function larger(most: v128, from: usize): v128 {
  return f32x4.pmax(most, f32x4.abs(v128.load(from)))
}

/** The same of sixteen: whether one of them is another, or too large to be told apart. */
// @ts-ignore: decorator
@inline function hasOthers(to: usize, from: usize, scales: v128, rough: v128, fine: v128, bounds: v128): bool {
  const first = v128.or(othersOf(to, from, scales, rough, fine), othersOf(to + 32, from + 16, scales, rough, fine))
  const last = v128.or(othersOf(to + 64, from + 32, scales, rough, fine), othersOf(to + 96, from + 48, scales, rough, fine))
  const most = larger(larger(larger(larger(f32x4.splat(0), from), from + 16), from + 32), from + 48)
  return v128.any_true(v128.or(v128.or(first, last), f32x4.ge(most, bounds)))
}

/**
 * Those of `scale` decimals, told by its power of ten and the two parts of one over it; where `scale` is 0 nobody is tried so. Places of
 * what is not sure go to `odd`: says how many. `failed`: how many groups of four had more decimals.
 */
export function shortest(
  out: usize, n: i32, from: usize, table: usize, odd: usize, failed: usize,
  scale: f64, most: f64, least: f64, bound: f32,
): i32 {
  const scales = f64x2.splat(scale), rough = f64x2.splat(most), fine = f64x2.splat(least), bounds = f32x4.splat(bound)
  const ten = f64x2.splat(10), exponent = i64x2.splat(0x7ff0000000000000)
  const less = f64x2.splat((1 - 1e-6) / 16777216), more = f64x2.splat((1 + 1e-6) / 16777216)
  let found = odd
  let groups: i32 = 0
  let tried: i32 = 0
  for (let k: i32 = 0; k < n; k += 4) {
    if (scale != 0 && k == tried) {
      // Mostly none of sixteen is another.
      while (tried + 16 <= n && !hasOthers(out + (<usize>tried << 3), from + (<usize>tried << 2), scales, rough, fine, bounds)) tried += 16
      k = tried
      tried += 16
      if (k >= n) break
    }
    const v = v128.load(from + (<usize>k << 2))
    const low = f64x2.promote_low_f32x4(v)
    const high = f64x2.promote_low_f32x4(v128.shuffle<f32>(v, v, 2, 3, 2, 3))
    const to = out + (<usize>k << 3)
    const absent = f32x4.ne(v, v)
    if (scale != 0) {
      const others = othersOf(to, from + (<usize>k << 2), scales, rough, fine)
      if (!v128.any_true(v128.or(others, f32x4.ge(f32x4.abs(v), bounds)))) continue
    }
    groups++
    const e = v128.and(i32x4.shr_u(v, 23), i32x4.splat(255))
    const s = ofExponents(table, i32x4.extract_lane(e, 0), i32x4.extract_lane(e, 1))
    const z = ofExponents(table, i32x4.extract_lane(e, 2), i32x4.extract_lane(e, 3))
    const p = f64x2.mul(low, s), q = f64x2.mul(high, z)
    const m = f64x2.nearest(p), w = f64x2.nearest(q)
    const d = f64x2.abs(f64x2.sub(p, m)), g = f64x2.abs(f64x2.sub(q, w))
    const h = f64x2.mul(s, v128.and(low, exponent)), j = f64x2.mul(z, v128.and(high, exponent))
    const few = f64x2.le(d, f64x2.mul(h, less)), few2 = f64x2.le(g, f64x2.mul(j, less))
    const many = f64x2.gt(d, f64x2.mul(h, more)), many2 = f64x2.gt(g, f64x2.mul(j, more))
    const s2 = f64x2.mul(s, ten), z2 = f64x2.mul(z, ten)
    const a = f64x2.div(v128.bitselect(m, f64x2.nearest(f64x2.mul(low, s2)), few), v128.bitselect(s, s2, few))
    const b = f64x2.div(v128.bitselect(w, f64x2.nearest(f64x2.mul(high, z2)), few2), v128.bitselect(z, z2, few2))
    v128.store(to, a)
    v128.store(to, b, 16)
    const clear = v128.shuffle<f32>(v128.or(few, many), v128.or(few2, many2), 0, 2, 4, 6)
    const sure = v128.or(v128.and(f32x4.eq(narrowed(a, b), v), clear), absent)
    if (i32x4.all_true(sure)) continue
    for (let lane: i32 = 0, mask = i32x4.bitmask(sure); lane < 4; lane++) {
      if ((mask >> lane & 1) == 0) {
        store<u32>(found, k + lane)
        found += 4
      }
    }
  }
  store<u32>(failed, groups)
  return <i32>(found - odd) >> 2
}
