import { input } from './simd'

/**
 * Percentile ranks of a row: 1 = the largest, ties share their average, absent and unlisted cells are absent.
 *
 * 1. Gather the top word of each value with its sign turned, and see how far they reach on each side of zero.
 * 2. Leave out the gap around zero, cut the rest to as many bits as fit into one word beside the place, and sort these words by
 *    radix in one or two passes: all of it stays in the first cache.
 * 3. Places become ranks as if no bits were equal, two at a time. Inside a run of equal bits, by the whole value: where all are equal they
 *    share their ranks, few others are compared all with all, many are put in order by a heap.
 *
 * scratch: 16 KB, then three words for each cell and some room behind.
 */
export function rank(out: usize, n: i32, t: usize, listed: usize, scratch: usize): void {
  const values = input(t, 0)
  const sorted = sort(values, n, listed, scratch)
  if (sortedCells < <usize>n) for (let i: usize = 0; i < <usize>n; i++) store<f64>(out + (i << 3), NaN)
  // The counts and the keys are read no more.
  tell(out, sorted, sortedCells, <f64>sortedCells, values, placeBits, scratch + 16_384, scratch)
}

/** The same not as shares but as numbers from 1 on; how many are ranked is left at the beginning of the scratch. */
export function ranks(out: usize, n: i32, t: usize, listed: usize, scratch: usize): void {
  const values = input(t, 0)
  const sorted = sort(values, n, listed, scratch)
  if (sortedCells < <usize>n) for (let i: usize = 0; i < <usize>n; i++) store<f64>(out + (i << 3), NaN)
  tell(out, sorted, sortedCells, 1, values, placeBits, scratch + 16_384, scratch)
  store<u32>(scratch, <u32>sortedCells)
}

/**
 * The order of a row, equal values in no order of their own: for each cell the place of the first of its equals (absent: one behind the
 * end), then the cells in order and behind them the absent ones, then how many there are and how many equal the one before. Numbers of 4 bytes.
 */
export function order(places: usize, n: i32, t: usize, listed: usize, scratch: usize): void {
  const values = input(t, 0), N = <usize>n
  const cells = places + (N << 2)
  const sorted = sort(values, n, listed, scratch)
  const m = sortedCells, mask: u32 = (1 << placeBits) - 1
  // What is written too far is written again: the cells follow.
  const behind = i32x4.splat(<u32>m + 1)
  if (m < N) for (let p = places, end = places + (N << 2); p < end; p += 16) v128.store(p, behind)
  for (let p: usize = 0, end = m << 2; p < end; p += 4) {
    const each = load<u32>(sorted + p) & mask
    store<u32>(cells + p, each)
    store<u32>(places + (<usize>each << 2), <u32>(p >> 2))
  }
  let equals: u32 = 0
  const end = sorted + (m << 2)
  let from = sorted
  while (from + 4 < end) {
    if (isApart(from, end, placeBits)) {
      from += 16
      continue
    }
    const to = endOfRun(from, end, placeBits)
    if (to > from + 4) equals += orderEquals(places, cells, sorted, from, to, values, mask)
    from = to
  }
  if (m < N) tellAbsent(cells + (m << 2), places, N, <u32>m + 1)
  store<u32>(cells + (N << 2), <u32>m)
  store<u32>(cells + (N << 2) + 4, equals)
}

/** The cells whose place is one behind the end. */
function tellAbsent(absent: usize, places: usize, n: usize, behind: u32): void {
  let to = absent
  const behind4 = i32x4.splat(behind)
  for (let i: usize = 0; i < n; i += 4) {
    if (i + 4 <= n && !v128.any_true(i32x4.eq(v128.load(places + (i << 2)), behind4))) continue
    for (let k = i, end = min(i + 4, n); k < end; k++) {
      if (load<u32>(places + (k << 2)) != behind) continue
      store<u32>(to, <u32>k)
      to += 4
    }
  }
}

/** Orders a run of equal bits; equal values have the place of the first of them. How many equal the one before. */
function orderEquals(places: usize, cells: usize, sorted: usize, from: usize, to: usize, values: usize, mask: u32): u32 {
  orderRun(from, to, values, mask)
  let first: u32 = 0, equals: u32 = 0
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
  return equals
}

/** Whether five from here on are there and none has the bits of the next. */
// @ts-ignore: decorator
@inline export function isApart(from: usize, end: usize, placeBits: u32): bool {
  return from + 20 <= end && !v128.any_true(i32x4.eq(i32x4.shr_u(v128.load(from), placeBits), i32x4.shr_u(v128.load(from, 4), placeBits)))
}

/** Cells that the last sort has put in order, and bits of a word that are the cell's. */
export let sortedCells: usize = 0
export let placeBits: u32 = 0

/** Steps 1 and 2; answers where the words lie in order, but for runs of equal bits. */
export function sort(values: usize, n: i32, listed: usize, scratch: usize): usize {
  const words = <usize>((n + 7) & ~3) << 2
  const low = scratch, high = low + 8192, keys = high + 8192, a = keys + words, b = a + words
  const signBit = i32x4.splat(zero), plus = f64x2.splat(0), four = i32x4.splat(4)
  let least4 = i32x4.splat(-1), most4 = i32x4.splat(0), mostBelow4 = most4, leastAbove4 = least4
  let m: usize = 0
  let place = i32x4(0, 1, 2, 3)
  const N = <usize>n
  for (let i: usize = 0; i < N; i += 4) {
    const p = values + (i << 3)
    // Adding 0 turns −0 into +0.
    const u = f64x2.add(v128.load(p), plus), v = f64x2.add(v128.load(p, 16), plus)
    let key: v128
    if (i + 4 <= N && i64x2.all_true(v128.and(f64x2.eq(u, u), f64x2.eq(v, v))) && load<u32>(listed + i) == 0x01010101) {
      const word = i8x16.shuffle(u, v, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31)
      key = v128.xor(word, v128.or(i32x4.shr_s(word, 31), signBit))
      v128.store(keys + (m << 2), key)
      v128.store(a + (m << 2), place)
      m += 4
    } else {
      const before = m
      for (let k = i, end = min(i + 4, N); k < end; k++) m = gatherOne(values, k, listed, keys, a, m)
      place = i32x4.add(place, four)
      if (m == before) continue
      // The last key is repeated, so that four are there.
      v128.store(keys + (m << 2), i32x4.splat(load<u32>(keys + ((m - 1) << 2))))
      place = i32x4.sub(place, four)
      key = v128.load(keys + (before << 2))
    }
    place = i32x4.add(place, four)
    least4 = i32x4.min_u(least4, key)
    most4 = i32x4.max_u(most4, key)
    mostBelow4 = i32x4.max_u(mostBelow4, v128.and(key, i32x4.lt_u(key, signBit)))
    leastAbove4 = i32x4.min_u(leastAbove4, v128.or(key, i32x4.le_u(key, signBit)))
  }
  sortedCells = m
  placeBits = 32 - <u32>clz(n - 1 | 1)
  if (m == 0) return a
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
  const least1 = i32x4.splat(least), below1 = i32x4.splat(below), gap1 = i32x4.splat(gap), mask1 = i32x4.splat(lowMask)
  const whole = m & ~3
  for (let p: usize = 0, end = m << 2; p < end; p += 16) {
    const key = v128.load(keys + p)
    const above = v128.bitselect(below1, i32x4.sub(key, gap1), i32x4.eq(key, signBit))
    const place = i32x4.shr_u(v128.bitselect(i32x4.sub(key, least1), above, i32x4.lt_u(key, signBit)), shift)
    v128.store(a + p, v128.or(i32x4.shl(place, placeBits), v128.load(a + p)))
    if (p < whole << 2) {
      const digits = v128.and(place, mask1), others = i32x4.shr_u(place, lowBits)
      count(low, i32x4.extract_lane(digits, 0))
      count(high, i32x4.extract_lane(others, 0))
      count(low, i32x4.extract_lane(digits, 1))
      count(high, i32x4.extract_lane(others, 1))
      count(low, i32x4.extract_lane(digits, 2))
      count(high, i32x4.extract_lane(others, 2))
      count(low, i32x4.extract_lane(digits, 3))
      count(high, i32x4.extract_lane(others, 3))
    }
  }
  for (let p = a + (whole << 2), end = a + (m << 2); p < end; p += 4) {
    const digits = load<u32>(p) >> placeBits
    count(low, digits & lowMask)
    count(high, digits >> lowBits)
  }
  const above = placeBits + lowBits
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

/** Places become ranks, equal values share theirs; told as shares of `many`. */
function tell(out: usize, sorted: usize, m: usize, many: f64, values: usize, placeBits: u32, firsts: usize, room: usize): void {
  const alike = equalToNext(sorted, m, placeBits)
  if (alike >= m >> 3 && tellAlike(out, sorted, m, many, values, placeBits, firsts)) return
  tellApart(out, sorted, m, many, placeBits)
  if (alike > 0) tellRuns(out, sorted, m, many, values, placeBits, room)
}

/** As if no two had equal bits. */
function tellApart(out: usize, sorted: usize, m: usize, whole: f64, placeBits: u32): void {
  const many = f64x2.splat(whole), two = f64x2.splat(2), mask: u32 = (1 << placeBits) - 1
  let rank = f64x2(1, 2)
  const end = sorted + ((m & ~1) << 2)
  for (let p = sorted; p < end; p += 8) {
    const share = f64x2.div(rank, many)
    v128.store64_lane(out + (<usize>(load<u32>(p) & mask) << 3), share, 0)
    v128.store64_lane(out + (<usize>(load<u32>(p, 4) & mask) << 3), share, 1)
    rank = f64x2.add(rank, two)
  }
  if (m & 1) store<f64>(out + (<usize>(load<u32>(end) & mask) << 3), <f64>m / whole)
}

/** How many words have the bits of the next one. */
function equalToNext(sorted: usize, m: usize, placeBits: u32): usize {
  let count = i32x4.splat(0)
  let p = sorted
  const end = sorted + ((m - 1) << 2)
  for (; p + 16 <= end; p += 16) count = i32x4.sub(count, i32x4.eq(i32x4.shr_u(v128.load(p), placeBits), i32x4.shr_u(v128.load(p, 4), placeBits)))
  let sum = i32x4.extract_lane(count, 0) + i32x4.extract_lane(count, 1) + i32x4.extract_lane(count, 2) + i32x4.extract_lane(count, 3)
  for (; p < end; p += 4) sum += i32(load<u32>(p) >> placeBits == load<u32>(p, 4) >> placeBits)
  return <usize>sum
}

/**
 * Where values of equal bits are equal, as mostly when there are many: forward the first place of each one's equals, backward the last.
 * No branch depends on them. False, and nothing told, where some are not.
 */
function tellAlike(out: usize, sorted: usize, m: usize, whole: f64, values: usize, placeBits: u32, firsts: usize): bool {
  const mask: u32 = (1 << placeBits) - 1
  let upper: u32 = -1, first: u32 = 0
  let before: f64 = NaN
  for (let p: u32 = 0; p < <u32>m; p++) {
    const each = load<u32>(sorted + (<usize>p << 2))
    const value = valueOf(each, values, mask), own = each >> placeBits
    const isSame = own == upper
    if (isSame & (value != before)) return false
    first = select(first, p, isSame)
    store<u32>(firsts + (<usize>p << 2), first)
    upper = own
    before = value
  }
  // What is kept of a place from here on is twice its rank.
  let last: u32 = 0, next: u32 = -1
  for (let p = <i32>m - 1; p >= 0; p--) {
    const own = load<u32>(firsts + (<usize>p << 2))
    last = select(last, <u32>p, own == next)
    store<u32>(firsts + (<usize>p << 2), own + last + 2)
    next = own
  }
  const many = f64x2.splat(whole), half = f64x2.splat(0.5)
  const end = (m & ~1) << 2
  for (let p: usize = 0; p < end; p += 8) {
    const share = f64x2.div(f64x2.mul(f64x2.convert_low_i32x4_u(v128.load64_zero(firsts + p)), half), many)
    v128.store64_lane(out + (<usize>(load<u32>(sorted + p) & mask) << 3), share, 0)
    v128.store64_lane(out + (<usize>(load<u32>(sorted + p, 4) & mask) << 3), share, 1)
  }
  if (m & 1) store<f64>(out + (<usize>(load<u32>(sorted + end) & mask) << 3), (<f64>load<u32>(firsts + end) * 0.5) / whole)
  return true
}

/** Run after run of equal bits: what `tellApart` said of them is said again, by counting or in order. */
function tellRuns(out: usize, sorted: usize, m: usize, many: f64, values: usize, placeBits: u32, room: usize): void {
  const mask: u32 = (1 << placeBits) - 1
  const end = sorted + (m << 2)
  let from = sorted
  while (from + 4 < end) {
    if (isApart(from, end, placeBits)) {
      from += 16
      continue
    }
    const to = endOfRun(from, end, placeBits)
    const before = (from - sorted) >> 2
    if (to > from + 4) {
      if (to - from <= mostCounted << 2) tellCounted(out, from, to, before, many, values, mask, room)
      else tellRun(out, from, to, before, many, values, mask)
    }
    from = to
  }
}

/** Up to so many are compared all with all: no branch to guess. */
const mostCounted: usize = 48

/** A smaller one gives 2 points, an equal one 1, oneself too. The values lie in the room of the counts. */
function tellCounted(out: usize, from: usize, to: usize, before: usize, many: f64, values: usize, mask: u32, room: usize): void {
  let end = room
  for (let p = from; p < to; p += 4, end += 8) store<f64>(end, valueAt(p, values, mask))
  store<f64>(end, NaN)
  for (let p = from, own = room; p < to; p += 4, own += 8) {
    const value = v128.load64_splat(own)
    let points = i64x2.splat(0)
    for (let q = room; q < end; q += 16) {
      const other = v128.load(q)
      points = i64x2.sub(points, i64x2.add(f64x2.lt(other, value), f64x2.le(other, value)))
    }
    const sum = i64x2.extract_lane(points, 0) + i64x2.extract_lane(points, 1) + 1 + <i64>(before << 1)
    store<f64>(out + (<usize>(load<u32>(p) & mask) << 3), (<f64>sum * 0.5) / many)
  }
}

// @ts-ignore: decorator
@inline export function endOfRun(from: usize, end: usize, placeBits: u32): usize {
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
@inline export function valueOf(each: u32, values: usize, mask: u32): f64 { return load<f64>(values + (<usize>(each & mask) << 3)) }

// @ts-ignore: decorator
@inline function valueAt(p: usize, values: usize, mask: u32): f64 { return valueOf(load<u32>(p), values, mask) }

/** Whether there is more than one value. */
export function orderRun(from: usize, to: usize, values: usize, mask: u32): bool {
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
