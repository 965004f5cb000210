import { input } from './simd'

/**
 * Percentile ranks of a row: 1 = the largest, ties share their average, absent and unlisted cells are absent.
 *
 * 1. Gather the top word of each value with its sign turned, and see how far they reach on each side of zero.
 * 2. Leave out the gap around zero, cut the rest to as many bits as fit into one word beside the place, and sort these words by
 *    radix in one or two passes: all of it stays in the first cache.
 * 3. Inside a run of equal bits, by the whole value: insertion, or a heap where the run is long.
 *
 * scratch: 16 KB, then three words for each cell and some room behind.
 */
export function rank(out: usize, n: i32, t: usize, listed: usize, scratch: usize): void {
  const values = input(t, 0)
  const sorted = sort(values, n, listed, scratch)
  if (sortedCells < <usize>n) for (let i: usize = 0; i < <usize>n; i++) store<f64>(out + (i << 3), NaN)
  tell(out, sorted, sortedCells, values, placeBits)
}

/**
 * The order of a row, equal values in no order of their own: for each cell the place of the first of its equals (absent: one behind the
 * end), then the cells in order, then how many there are and how many equal the one before. Numbers of 4 bytes.
 */
export function order(places: usize, n: i32, t: usize, listed: usize, scratch: usize): void {
  const values = input(t, 0), N = <usize>n
  const cells = places + (N << 2)
  const sorted = sort(values, n, listed, scratch)
  const m = sortedCells, mask: u32 = (1 << placeBits) - 1
  for (let i: usize = 0; i < N; i++) store<u32>(places + (i << 2), <u32>m + 1)
  let equals: u32 = 0
  const end = sorted + (m << 2)
  for (let from = sorted; from < end; ) {
    const to = endOfRun(from, end, placeBits)
    if (to > from + 4) orderRun(from, to, values, mask)
    let first: u32 = 0
    let before: f64 = NaN
    for (let p = from; p < to; p += 4) {
      const each = load<u32>(p) & mask, value = valueOf(each, values, mask)
      const place = <u32>((p - sorted) >> 2)
      if (value == before) equals++
      else first = place
      store<u32>(places + (<usize>each << 2), first)
      store<u32>(cells + (<usize>place << 2), each)
      before = value
    }
    from = to
  }
  store<u32>(cells + (N << 2), <u32>m)
  store<u32>(cells + (N << 2) + 4, equals)
}

/** Cells that the last sort has put in order, and bits of a word that are the cell's. */
let sortedCells: usize = 0
let placeBits: u32 = 0

/** Steps 1 and 2; answers where the words lie in order, but for runs of equal bits. */
function sort(values: usize, n: i32, listed: usize, scratch: usize): usize {
  const words = <usize>((n + 7) & ~3) << 2
  const low = scratch, high = low + 8192, keys = high + 8192, a = keys + words, b = a + words
  const m = gather(values, <usize>n, listed, keys, a)
  sortedCells = m
  placeBits = 32 - <u32>clz(n - 1 | 1)
  if (m == 0) return a
  // Beyond the end the last key is repeated: what follows takes four at a time.
  v128.store(keys + (m << 2), i32x4.splat(load<u32>(keys + ((m - 1) << 2))))
  const signBit = i32x4.splat(zero)
  let least4 = i32x4.splat(-1), most4 = i32x4.splat(0), mostBelow4 = most4, leastAbove4 = least4
  for (let p = keys, end = keys + (m << 2); p < end; p += 16) {
    const key = v128.load(p)
    least4 = i32x4.min_u(least4, key)
    most4 = i32x4.max_u(most4, key)
    mostBelow4 = i32x4.max_u(mostBelow4, v128.and(key, i32x4.lt_u(key, signBit)))
    leastAbove4 = i32x4.min_u(leastAbove4, v128.or(key, i32x4.le_u(key, signBit)))
  }
  const least = leastOf(least4), most = mostOf(most4)
  // Those below zero from 0 on, then zero itself, then those above.
  const below: u32 = least < zero ? mostOf(mostBelow4) - least + 1 : 0
  const gap: u32 = most > zero ? leastOf(leastAbove4) - below - 1 : 0
  const reach: u32 = most > zero ? most - gap : below
  const width: u32 = 32 - <u32>clz(reach)
  const wanted: u32 = min(m > 1024 ? 20 : m > 128 ? 16 : 12, 32 - placeBits)
  const shift: u32 = width > wanted ? width - wanted : 0
  const bits: u32 = width - shift
  const lowBits: u32 = bits > 11 ? (bits + 1) >> 1 : bits
  const highBits: u32 = bits - lowBits
  const lowMask: u32 = (1 << lowBits) - 1
  memory.fill(low, 0, 4 << lowBits)
  memory.fill(high, 0, 4 << highBits)
  const least1 = i32x4.splat(least), below1 = i32x4.splat(below), gap1 = i32x4.splat(gap)
  for (let p: usize = 0, end = m << 2; p < end; p += 16) {
    const key = v128.load(keys + p)
    const above = v128.bitselect(below1, i32x4.sub(key, gap1), i32x4.eq(key, signBit))
    const place = v128.bitselect(i32x4.sub(key, least1), above, i32x4.lt_u(key, signBit))
    v128.store(a + p, v128.or(i32x4.shl(i32x4.shr_u(place, shift), placeBits), v128.load(a + p)))
  }
  const above = placeBits + lowBits
  for (let p = a, end = a + (m << 2); p < end; p += 4) {
    const each = load<u32>(p)
    count(low, (each >> placeBits) & lowMask)
    // A word is not shifted by all of its bits.
    count(high, highBits > 0 ? each >> above : 0)
  }
  let sorted = a
  if (bits > 0) {
    begins(low, 4 << lowBits)
    for (let p = a, end = a + (m << 2); p < end; p += 4) {
      const each = load<u32>(p)
      store<u32>(b + (take(low, (each >> placeBits) & lowMask) << 2), each)
    }
    sorted = b
    if (highBits > 0) {
      begins(high, 4 << highBits)
      for (let p = b, end = b + (m << 2); p < end; p += 4) {
        const each = load<u32>(p)
        store<u32>(a + (take(high, each >> above) << 2), each)
      }
      sorted = a
    }
  }
  return sorted
}

/** Keys and places of what takes part, one after the other: how many. */
function gather(values: usize, n: usize, listed: usize, keys: usize, places: usize): usize {
  const signBit = i32x4.splat(zero), plus = f64x2.splat(0), four = i32x4.splat(4)
  let m: usize = 0
  let i: usize = 0
  let place = i32x4(0, 1, 2, 3)
  for (; i + 4 <= n; i += 4) {
    const p = values + (i << 3)
    // Adding 0 turns −0 into +0.
    const u = f64x2.add(v128.load(p), plus), v = f64x2.add(v128.load(p, 16), plus)
    if (i64x2.all_true(v128.and(f64x2.eq(u, u), f64x2.eq(v, v))) && load<u32>(listed + i) == 0x01010101) {
      const word = i8x16.shuffle(u, v, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31)
      v128.store(keys + (m << 2), v128.xor(word, v128.or(i32x4.shr_s(word, 31), signBit)))
      v128.store(places + (m << 2), place)
      m += 4
    } else for (let k = i; k < i + 4; k++) m = gatherOne(values, k, listed, keys, places, m)
    place = i32x4.add(place, four)
  }
  for (; i < n; i++) m = gatherOne(values, i, listed, keys, places, m)
  return m
}

// @ts-ignore: decorator
@inline function gatherOne(values: usize, i: usize, listed: usize, keys: usize, places: usize, m: usize): usize {
  const v = load<f64>(values + (i << 3))
  if (v != v || load<u8>(listed + i) == 0) return m
  const word = <u32>(reinterpret<u64>(v + 0) >> 32)
  store<u32>(keys + (m << 2), word ^ (<u32>(<i32>word >> 31) | zero))
  store<u32>(places + (m << 2), <u32>i)
  return m + 1
}

// @ts-ignore: decorator
@inline function leastOf(v: v128): u32 {
  return min(
    min(<u32>i32x4.extract_lane(v, 0), <u32>i32x4.extract_lane(v, 1)),
    min(<u32>i32x4.extract_lane(v, 2), <u32>i32x4.extract_lane(v, 3)),
  )
}

// @ts-ignore: decorator
@inline function mostOf(v: v128): u32 {
  return max(
    max(<u32>i32x4.extract_lane(v, 0), <u32>i32x4.extract_lane(v, 1)),
    max(<u32>i32x4.extract_lane(v, 2), <u32>i32x4.extract_lane(v, 3)),
  )
}

/** The key of zero. */
const zero: u32 = 0x80000000

// @ts-ignore: decorator
@inline function count(table: usize, digit: u32): void {
  const p = table + (<usize>digit << 2)
  store<u32>(p, load<u32>(p) + 1)
}

// @ts-ignore: decorator
@inline function take(table: usize, digit: u32): usize {
  const p = table + (<usize>digit << 2)
  const place = load<u32>(p)
  store<u32>(p, place + 1)
  return <usize>place
}

/** Counts become the places where each digit begins. */
// @ts-ignore: decorator
@inline function begins(table: usize, bytes: u32): void {
  let sum: u32 = 0
  for (let p = table, end = table + <usize>bytes; p < end; p += 4) {
    const here = load<u32>(p)
    store<u32>(p, sum)
    sum += here
  }
}

/** Orders runs of equal bits by their values; places become ranks, equal values share theirs. */
function tell(out: usize, sorted: usize, m: usize, values: usize, placeBits: u32): void {
  const many = <f64>m, mask: u32 = (1 << placeBits) - 1
  const end = sorted + (m << 2)
  for (let from = sorted; from < end; ) {
    const to = endOfRun(from, end, placeBits)
    const before = (from - sorted) >> 2
    if (to == from + 4) store<f64>(out + (<usize>(load<u32>(from) & mask) << 3), <f64>(before + 1) / many)
    else tellRun(out, from, to, before, many, values, mask)
    from = to
  }
}

// @ts-ignore: decorator
@inline function endOfRun(from: usize, end: usize, placeBits: u32): usize {
  const upper = load<u32>(from) >> placeBits
  let to = from + 4
  while (to < end && load<u32>(to) >> placeBits == upper) to += 4
  return to
}

function tellRun(out: usize, from: usize, to: usize, before: usize, many: f64, values: usize, mask: u32): void {
  const isMixed = orderRun(from, to, values, mask)
  for (let p = from; p < to; ) {
    const value = valueAt(p, values, mask)
    let q = isMixed ? p + 4 : to
    while (q < to && valueAt(q, values, mask) == value) q += 4
    const first = before + ((p - from) >> 2) + 1, last = before + ((q - from) >> 2)
    const rank = (<f64>(first + last) * 0.5) / many
    for (; p < q; p += 4) store<f64>(out + (<usize>(load<u32>(p) & mask) << 3), rank)
  }
}

// @ts-ignore: decorator
@inline function valueOf(each: u32, values: usize, mask: u32): f64 { return load<f64>(values + (<usize>(each & mask) << 3)) }

// @ts-ignore: decorator
@inline function valueAt(p: usize, values: usize, mask: u32): f64 { return valueOf(load<u32>(p), values, mask) }

/** Whether there is more than one value. */
function orderRun(from: usize, to: usize, values: usize, mask: u32): bool {
  const first = valueAt(from, values, mask)
  let before = first
  for (let p = from + 4; p < to; p += 4) {
    const value = valueAt(p, values, mask)
    if (before > value) {
      if (to - from <= 40 << 2) insert(from, to, values, mask)
      else heap(from, <i32>((to - from) >> 2), values, mask)
      return true
    }
    before = value
  }
  return before != first
}

function insert(from: usize, to: usize, values: usize, mask: u32): void {
  for (let p = from + 4; p < to; p += 4) {
    const each = load<u32>(p), value = valueOf(each, values, mask)
    let at = p
    while (at > from && valueAt(at - 4, values, mask) > value) {
      store<u32>(at, load<u32>(at - 4))
      at -= 4
    }
    store<u32>(at, each)
  }
}

function heap(from: usize, size: i32, values: usize, mask: u32): void {
  for (let root = (size >> 1) - 1; root >= 0; root--) sink(from, root, size, values, mask)
  for (let last = size - 1; last > 0; last--) {
    const p = from + (<usize>last << 2)
    const each = load<u32>(p)
    store<u32>(p, load<u32>(from))
    store<u32>(from, each)
    sink(from, 0, last, values, mask)
  }
}

function sink(from: usize, root: i32, size: i32, values: usize, mask: u32): void {
  const each = load<u32>(from + (<usize>root << 2)), value = valueOf(each, values, mask)
  let at = root
  for (let child = 2 * at + 1; child < size; child = 2 * at + 1) {
    let p = from + (<usize>child << 2)
    if (child + 1 < size && valueAt(p + 4, values, mask) > valueAt(p, values, mask)) {
      child++
      p += 4
    }
    if (valueAt(p, values, mask) <= value) break
    store<u32>(from + (<usize>at << 2), load<u32>(p))
    at = child
  }
  store<u32>(from + (<usize>at << 2), each)
}
