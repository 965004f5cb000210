import { get, input, put } from './simd'

// Windows of `w` days that are kept sorted from day to day by inserting the new value and removing the oldest. A result depends only on the
// values in the window, not on the order of the calls. Absent days are skipped; a result needs `minimum` values.
//
// A call is for `days` consecutive days. The table holds, for each series and then for the results, an address for each day; a result that
// is not wanted has none. A fresh state is filled from the first `w` of the days.

/** State of a security: how many valid values, where the oldest is, `w` values in ascending order, `w` as they came. In numbers of 8 bytes. */
// @ts-ignore: decorator
@inline function sizeOfOrder(w: usize): usize { return (2 + 2 * w) << 3 }

/** The q-quantile, linear between two neighbours. */
export function quantile_of_members(t: usize, n: i32, w: i32, days: i32, minimum: i32, state: usize, isFresh: bool, q: f64): void {
  for (let i = 0; i < n; i++) slide(t, <usize>i << 3, <usize>w, <usize>days, minimum, state + <usize>i * sizeOfOrder(<usize>w), isFresh, q, false)
}

/** The median distance from the median. */
export function median_distance_of_members(t: usize, n: i32, w: i32, days: i32, minimum: i32, state: usize, isFresh: bool, _none: f64): void {
  for (let i = 0; i < n; i++) slide(t, <usize>i << 3, <usize>w, <usize>days, minimum, state + <usize>i * sizeOfOrder(<usize>w), isFresh, 0.5, true)
}

// @ts-ignore: decorator
@inline function slide(t: usize, cell: usize, w: usize, days: usize, minimum: i32, state: usize, isFresh: bool, q: f64, isDistance: bool): void {
  const sorted = state + 16, came = sorted + (w << 3), end = came + (w << 3)
  let count: i32 = 0, oldest = came, k: usize = 0
  if (isFresh) {
    for (; k < w - 1; k++) {
      const v = load<f64>(input(t, <i32>k) + cell)
      store<f64>(came + (k << 3), v)
      if (v != v) continue
      store<f64>(sorted + (<usize>count << 3), v)
      count++
    }
    sort(sorted, count)
    oldest = came + (k << 3)
    store<f64>(oldest, NaN)
  } else {
    count = <i32>load<f64>(state)
    oldest = came + (<usize>load<f64>(state, 8) << 3)
  }
  for (; k < days; k++) {
    const v = load<f64>(input(t, <i32>k) + cell)
    count = replace(sorted, count, load<f64>(oldest), v)
    store<f64>(oldest, v)
    oldest += 8
    if (oldest == end) oldest = came
    const out = input(t, <i32>(days + k))
    if (out == 0) continue
    let told: f64 = NaN
    if (count >= minimum) told = isDistance ? medianDistance(sorted, count) : quantile(sorted, count, q)
    store<f64>(out + cell, told + (told - told))
  }
  store<f64>(state, <f64>count)
  store<f64>(state, <f64>((oldest - came) >> 3), 8)
}

/** By falling distances (Shell 1959; distances of Ciura 2001): few are put in place one by one. */
function sort(a: usize, count: i32): void {
  let apart: usize = count > 300 ? 301 : count > 132 ? 132 : count > 57 ? 57 : count > 23 ? 23 : count > 10 ? 10 : 1
  const end = a + (<usize>count << 3)
  while (true) {
    const far = apart << 3
    for (let p = a + far; p < end; p += 8) {
      const v = load<f64>(p)
      let at = p
      while (at >= a + far && load<f64>(at - far) > v) {
        store<f64>(at, load<f64>(at - far))
        at -= far
      }
      store<f64>(at, v)
    }
    if (apart == 1) return
    apart = apart > 132 ? 132 : apart > 57 ? 57 : apart > 23 ? 23 : apart > 10 ? 10 : apart > 4 ? 4 : 1
  }
}

/** One value less and one more, either of them absent perhaps: how many there are then. */
// @ts-ignore: decorator
@inline function replace(sorted: usize, count: i32, old: f64, v: f64): i32 {
  let end = sorted + (<usize>count << 3), p = end
  if (old == old) {
    p = placeOf(sorted, count, old)
    if (!(v < old)) {
      // The place moves up to its value, of what is absent to the end.
      while (p + 8 < end && !(load<f64>(p, 8) >= v)) {
        store<f64>(p, load<f64>(p, 8))
        p += 8
      }
      if (v != v) return count - 1
      store<f64>(p, v)
      return count
    }
  } else if (v != v) return count
  else count++
  while (p > sorted && load<f64>(p - 8) > v) {
    store<f64>(p, load<f64>(p - 8))
    p -= 8
  }
  store<f64>(p, v)
  return count
}

/** The first that is not smaller. No branch depends on the values. */
// @ts-ignore: decorator
@inline function placeOf(sorted: usize, count: i32, v: f64): usize {
  let p = sorted
  for (let left = <usize>count; left > 1; ) {
    const half = left >> 1
    p = select(p + (half << 3), p, load<f64>(p + (half << 3) - 8) < v)
    left -= half
  }
  return p
}

// @ts-ignore: decorator
@inline function quantile(sorted: usize, count: i32, q: f64): f64 {
  const place = <f64>(count - 1) * q
  const below = <i32>place
  const p = sorted + (<usize>below << 3)
  const low = load<f64>(p)
  return below + 1 < count ? low + (load<f64>(p, 8) - low) * (place - <f64>below) : low
}

/** From the median outwards, to both sides. */
// @ts-ignore: decorator
@inline function medianDistance(sorted: usize, count: i32): f64 {
  const middle = quantile(sorted, count, 0.5)
  const end = sorted + (<usize>count << 3)
  let right = sorted + (<usize>(count >> 1) << 3), left = right
  // Of equal values in the middle some may be on either side.
  const place = <f64>(count - 1) * 0.5
  const below = <i32>place
  let low: f64 = 0, next: f64 = 0
  for (let k = 0; k <= below + 1 && k < count; k++) {
    const a = left > sorted ? abs(load<f64>(left - 8) - middle) : Infinity
    const b = right < end ? abs(load<f64>(right) - middle) : Infinity
    low = k <= below ? (a < b ? a : b) : low
    next = a < b ? a : b
    if (left > sorted && (right == end || a < b)) left -= 8
    else right += 8
  }
  return below + 1 < count ? low + (next - low) * (place - <f64>below) : low
}

/**
 * Spearman's correlation. State of a security, for w days up to an even number: where the oldest is; x, y, and the points of each: 2 for
 * every smaller one of its window and 1 for every equal one. Points are whole numbers: no sum of them is ever rounded.
 */
export function rank_corr_of_members(t: usize, n: i32, w: i32, days: i32, minimum: i32, state: usize, isFresh: bool, _none: f64): void {
  const row = <usize>((w + 1) & ~1) << 3, size = 16 + 4 * row
  for (let i = 0; i < n; i++) {
    const cell = <usize>i << 3, own = state + <usize>i * size
    const x = own + 16, y = x + row, pointsOfX = y + row, pointsOfY = pointsOfX + row
    if (isFresh) {
      for (let p = x; p < pointsOfX; p += 8) store<f64>(p, NaN)
      memory.fill(pointsOfX, 0, 2 * row)
      store<f64>(own, 0)
    }
    let oldest = <i32>load<f64>(own)
    for (let k = 0; k < days; k++) {
      const u = load<f64>(input(t, k) + cell), v = load<f64>(input(t, days + k) + cell)
      const isPair = u == u && v == v
      enter(x, pointsOfX, row, <usize>oldest << 3, isPair ? u : NaN)
      enter(y, pointsOfY, row, <usize>oldest << 3, isPair ? v : NaN)
      oldest = oldest + 1 == w ? 0 : oldest + 1
      const out = input(t, 2 * days + k)
      if (out != 0) store<f64>(out + cell, correlationOf(pointsOfX, pointsOfY, row, minimum))
    }
    store<f64>(own, <f64>oldest)
  }
}

/** Puts a value into the place of another, and says so to the points of all. */
// @ts-ignore: decorator
@inline function enter(values: usize, points: usize, row: usize, place: usize, v: f64): void {
  const old = f64x2.splat(load<f64>(values + place)), now = f64x2.splat(v), one = f64x2.splat(1)
  store<f64>(values + place, NaN)
  let own = f64x2.splat(0)
  for (let p: usize = 0; p < row; p += 16) {
    const each = get(values + p)
    const more = f64x2.add(v128.and(f64x2.lt(now, each), one), v128.and(f64x2.le(now, each), one))
    const less = f64x2.add(v128.and(f64x2.lt(old, each), one), v128.and(f64x2.le(old, each), one))
    put(points + p, f64x2.add(get(points + p), f64x2.sub(more, less)))
    own = f64x2.add(own, f64x2.add(v128.and(f64x2.lt(each, now), one), v128.and(f64x2.le(each, now), one)))
  }
  store<f64>(values + place, v)
  // Its own equal too.
  store<f64>(points + place, v == v ? f64x2.extract_lane(own, 0) + f64x2.extract_lane(own, 1) + 1 : 0)
}

// @ts-ignore: decorator
@inline function correlationOf(pointsOfX: usize, pointsOfY: usize, row: usize, minimum: i32): f64 {
  const zero = f64x2.splat(0), one = f64x2.splat(1)
  let many = zero, a = zero, b = zero, aa = zero, ab = zero, bb = zero
  for (let p: usize = 0; p < row; p += 16) {
    const u = get(pointsOfX + p), v = get(pointsOfY + p)
    many = f64x2.add(many, v128.and(f64x2.gt(u, zero), one))
    a = f64x2.add(a, u)
    b = f64x2.add(b, v)
    aa = f64x2.add(aa, f64x2.mul(u, u))
    ab = f64x2.add(ab, f64x2.mul(u, v))
    bb = f64x2.add(bb, f64x2.mul(v, v))
  }
  const count = both(many), x = both(a), y = both(b)
  const xx = count * both(aa) - x * x, yy = count * both(bb) - y * y
  if (count < <f64>minimum || xx == 0 || yy == 0) return NaN
  const r = (count * both(ab) - x * y) / sqrt(xx) / sqrt(yy)
  return r > 1 ? 1 : r < -1 ? -1 : r
}

// @ts-ignore: decorator
@inline function both(v: v128): f64 { return f64x2.extract_lane(v, 0) + f64x2.extract_lane(v, 1) }
