import { input } from './simd'

/**
 * Percentile ranks of a row: 1 = the largest, ties share their average, absent and unlisted cells are absent.
 *
 * 1. Gather (top word of the value with its sign turned, place) as one number of 64 bits.
 * 2. LSD radix in two passes over the upper bits in which the row's words differ at all.
 * 3. Inside a run of equal bits, by the whole value: insertion, or a heap where the run is long.
 *
 * scratch: two numbers of 8 bytes for each cell, then 32 KB.
 */
export function rank(out: usize, n: i32, t: usize, listed: usize, scratch: usize): void {
  const values = input(t, 0), N = <usize>n
  for (let i: usize = 0; i < N; i++) store<f64>(out + (i << 3), NaN)
  const sorted = sort(values, N, listed, scratch)
  tell(out, sorted, sortedCells, values)
}

/**
 * The order of a row, equal values in no order of their own: for each cell the place of the first of its equals (absent: one behind the
 * end), then the cells in order, then how many there are and how many equal the one before. Numbers of 4 bytes.
 */
export function order(places: usize, n: i32, t: usize, listed: usize, scratch: usize): void {
  const values = input(t, 0), N = <usize>n
  const cells = places + (N << 2)
  const sorted = sort(values, N, listed, scratch)
  const m = sortedCells
  for (let i: usize = 0; i < N; i++) store<u32>(places + (i << 2), <u32>m + 1)
  let first: u32 = 0, equals: u32 = 0
  let before: u64 = 0
  for (let i: usize = 0; i < m; i++) {
    const each = load<u64>(sorted + (i << 3))
    if (i > 0 && each >> 32 == before >> 32 && valueOf(each, values) == valueOf(before, values)) equals++
    else first = <u32>i
    store<u32>(places + (<usize>(<u32>each) << 2), first)
    store<u32>(cells + (i << 2), <u32>each)
    before = each
  }
  store<u32>(cells + (N << 2), <u32>m)
  store<u32>(cells + (N << 2) + 4, equals)
}

/** Cells that the last sort has put in order. */
let sortedCells: usize = 0

/** Steps 1 to 3; answers where the numbers lie in order. */
function sort(values: usize, N: usize, listed: usize, scratch: usize): usize {
  const a = scratch, b = a + (N << 3), low = b + (N << 3), high = low + 8192
  let m: usize = 0
  let least: u32 = 0xffffffff, most: u32 = 0
  for (let i: usize = 0; i < N; i++) {
    const v = load<f64>(values + (i << 3))
    if (v != v || load<u8>(listed + i) == 0) continue
    // Adding 0 turns −0 into +0.
    const word = <u32>(reinterpret<u64>(v + 0) >> 32)
    const key = word ^ (<u32>(<i32>word >> 31) | 0x80000000)
    least = min(least, key)
    most = max(most, key)
    store<u64>(a + (m << 3), (<u64>key << 32) | <u64>i)
    m++
  }
  sortedCells = m
  if (m == 0) return a
  const width: u32 = 32 - <u32>clz(most - least)
  const wanted: u32 = m > 2048 ? 22 : m > 256 ? 18 : 14
  const shift: u32 = width > wanted ? width - wanted : 0
  const bits: u32 = width - shift
  const lowBits: u32 = bits > 11 ? (bits + 1) >> 1 : bits
  const highBits: u32 = bits - lowBits
  let sorted = a
  if (bits > 0) {
    const mask: u32 = (1 << lowBits) - 1
    memory.fill(low, 0, 4 << lowBits)
    memory.fill(high, 0, 4 << highBits)
    for (let i: usize = 0; i < m; i++) {
      const key = (<u32>(load<u64>(a + (i << 3)) >> 32) - least) >> shift
      count(low, key & mask)
      count(high, key >> lowBits)
    }
    begins(low, 4 << lowBits)
    for (let i: usize = 0; i < m; i++) {
      const each = load<u64>(a + (i << 3))
      const key = (<u32>(each >> 32) - least) >> shift
      store<u64>(b + (take(low, key & mask) << 3), each)
    }
    sorted = b
    if (highBits > 0) {
      begins(high, 4 << highBits)
      for (let i: usize = 0; i < m; i++) {
        const each = load<u64>(b + (i << 3))
        const key = (<u32>(each >> 32) - least) >> shift
        store<u64>(a + (take(high, key >> lowBits) << 3), each)
      }
      sorted = a
    }
  }
  orderRuns(sorted, m, values, least, shift)
  return sorted
}

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

// @ts-ignore: decorator
@inline function valueOf(each: u64, values: usize): f64 {
  return load<f64>(values + (<usize>(<u32>each) << 3))
}

/** Whether the first belongs behind the second: by the top words, where these are equal by the whole values. */
// @ts-ignore: decorator
@inline function isLarger(first: u64, second: u64, values: usize): bool {
  const p = first >> 32, q = second >> 32
  return p > q || (p == q && valueOf(first, values) > valueOf(second, values))
}

function orderRuns(sorted: usize, m: usize, values: usize, least: u32, shift: u32): void {
  const end = sorted + (m << 3)
  let before = load<u64>(sorted)
  for (let p = sorted + 8; p < end; p += 8) {
    const each = load<u64>(p)
    if (!isLarger(before, each, values)) {
      before = each
      continue
    }
    // The run of equal upper bits around this place.
    const upper = (<u32>(each >> 32) - least) >> shift
    let from = p - 8
    while (from > sorted && (<u32>(load<u64>(from - 8) >> 32) - least) >> shift == upper) from -= 8
    let to = p + 8
    while (to < end && (<u32>(load<u64>(to) >> 32) - least) >> shift == upper) to += 8
    if (to - from <= 40 << 3) insert(from, to, values)
    else heap(from, <i32>((to - from) >> 3), values)
    p = to - 8
    before = load<u64>(p)
  }
}

function insert(from: usize, to: usize, values: usize): void {
  for (let p = from + 8; p < to; p += 8) {
    const each = load<u64>(p)
    let at = p
    while (at > from && isLarger(load<u64>(at - 8), each, values)) {
      store<u64>(at, load<u64>(at - 8))
      at -= 8
    }
    store<u64>(at, each)
  }
}

function heap(from: usize, size: i32, values: usize): void {
  for (let root = (size >> 1) - 1; root >= 0; root--) sink(from, root, size, values)
  for (let last = size - 1; last > 0; last--) {
    const p = from + (<usize>last << 3)
    const each = load<u64>(p)
    store<u64>(p, load<u64>(from))
    store<u64>(from, each)
    sink(from, 0, last, values)
  }
}

function sink(from: usize, root: i32, size: i32, values: usize): void {
  const each = load<u64>(from + (<usize>root << 3))
  let at = root
  for (let child = 2 * at + 1; child < size; child = 2 * at + 1) {
    let p = from + (<usize>child << 3)
    if (child + 1 < size && isLarger(load<u64>(p + 8), load<u64>(p), values)) {
      child++
      p += 8
    }
    const larger = load<u64>(p)
    if (!isLarger(larger, each, values)) break
    store<u64>(from + (<usize>at << 3), larger)
    at = child
  }
  store<u64>(from + (<usize>at << 3), each)
}

/** Places become ranks; equal values share theirs. */
function tell(out: usize, sorted: usize, m: usize, values: usize): void {
  const many = <f64>m
  let i: usize = 0
  while (i < m) {
    const each = load<u64>(sorted + (i << 3))
    let end = i + 1
    for (; end < m; end++) {
      const next = load<u64>(sorted + (end << 3))
      if (next >> 32 != each >> 32 || valueOf(next, values) != valueOf(each, values)) break
    }
    const rank = (<f64>(i + 1 + end) * 0.5) / many
    for (; i < end; i++) store<f64>(out + (<usize>(<u32>load<u64>(sorted + (i << 3))) << 3), rank)
  }
}
