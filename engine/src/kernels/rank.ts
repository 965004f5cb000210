/**
 * Order and ranks of one row, without a comparator (performance.md 4: a comparator sort costs six times as much).
 *
 * 1. Gather the values that count; the top 32 bits of each, with the sign turned, are its sort key.
 * 2. LSD radix sort of (key, position), stable, so equal values stay in the order of their indices.
 * 3. Inside a run of equal keys the lower 32 bits decide: insertion for short runs, radix again for long ones.
 */

/** Room for rows of up to `capacity` values; make one and use it for every row. */
export interface RankScratch {
  readonly capacity: number
  /** After `orderRow`: indices of the row, smallest value first. */
  readonly order: Uint32Array
  readonly values: Float64Array
  /** The same memory as `values`: low and high word of each. */
  readonly words: Uint32Array
  readonly indices: Uint32Array
  readonly keys: Uint32Array
  readonly places: Uint32Array
  readonly otherKeys: Uint32Array
  readonly otherPlaces: Uint32Array
  readonly counts: Uint32Array
}

export function rankScratch(capacity: number): RankScratch {
  const values = new Float64Array(capacity)
  return {
    capacity,
    order: new Uint32Array(capacity),
    values,
    words: new Uint32Array(values.buffer),
    indices: new Uint32Array(capacity),
    keys: new Uint32Array(capacity),
    places: new Uint32Array(capacity),
    otherKeys: new Uint32Array(capacity),
    otherPlaces: new Uint32Array(capacity),
    counts: new Uint32Array(2048),
  }
}

/**
 * Ranks of values[offset … offset + count) into out[outOffset …): 1 = smallest, ties share their average, +0 equals −0.
 * NaN and what the mask (1 = takes part, from maskOffset) leaves out get NaN. Returns how many were ranked.
 */
export function rankRow(
  values: Float64Array,
  offset: number,
  count: number,
  mask: Uint8Array | null,
  out: Float64Array,
  scratch: RankScratch,
  outOffset = 0,
  maskOffset = 0,
): number {
  const ranked = sortRow(values, offset, count, mask, scratch, maskOffset)
  const { values: gathered, places, indices } = scratch
  if (ranked < count) out.fill(Number.NaN, outOffset, outOffset + count)
  let i = 0
  while (i < ranked) {
    const value = gathered[places[i]]
    let end = i + 1
    while (end < ranked && gathered[places[end]] === value) end++
    const rank = (i + 1 + end) * 0.5
    for (; i < end; i++) out[outOffset + indices[places[i]]] = rank
  }
  return ranked
}

/**
 * Puts the indices 0 … count − 1 of a row into scratch.order, smallest value first, equal values by index.
 * NaN and what the mask leaves out are not in it. Returns how many are.
 */
export function orderRow(
  values: Float64Array,
  offset: number,
  count: number,
  mask: Uint8Array | null,
  scratch: RankScratch,
  maskOffset = 0,
): number {
  const ordered = sortRow(values, offset, count, mask, scratch, maskOffset)
  const { order, places, indices } = scratch
  for (let i = 0; i < ordered; i++) order[i] = indices[places[i]]
  return ordered
}

/** Leaves in scratch.places the places of the gathered values in ascending order. */
function sortRow(
  values: Float64Array,
  offset: number,
  count: number,
  mask: Uint8Array | null,
  scratch: RankScratch,
  maskOffset: number,
): number {
  if (count > scratch.capacity) throw new RangeError(`a row of ${count} does not fit scratch for ${scratch.capacity}`)
  const { values: gathered, words, indices, keys, places } = scratch
  let m = 0
  for (let i = 0; i < count; i++) {
    const value = values[offset + i]
    if (value !== value || (mask !== null && mask[maskOffset + i] === 0)) continue
    // Adding 0 turns −0 into +0.
    gathered[m] = value + 0
    const high = words[2 * m + 1]
    keys[m] = high ^ ((high >> 31) | 0x80000000)
    indices[m] = i
    places[m] = m
    m++
  }
  sortSegment(scratch, 0, m)
  orderEqualKeys(scratch, m)
  return m
}

const insertionLimit = 24

/** Sorts keys and places of [from, to) by key, stably. */
function sortSegment(scratch: RankScratch, from: number, to: number): void {
  const size = to - from
  if (size < 2) return
  if (size <= insertionLimit) {
    insertByKey(scratch, from, to)
    return
  }
  const { counts } = scratch
  // Few rows: small tables. The prefix sums of 2,048 counts cost as much as sorting some hundred values.
  const bits = size < 3_000 ? 8 : 11
  const buckets = 1 << bits
  let keys = scratch.keys
  let places = scratch.places
  let otherKeys = scratch.otherKeys
  let otherPlaces = scratch.otherPlaces
  for (let shift = 0; shift < 32; shift += bits) {
    const digits = buckets - 1
    counts.fill(0, 0, buckets)
    for (let i = from; i < to; i++) counts[(keys[i] >>> shift) & digits]++
    if (counts[(keys[from] >>> shift) & digits] === size) continue
    let sum = from
    for (let k = 0; k < buckets; k++) {
      const here = counts[k]
      counts[k] = sum
      sum += here
    }
    for (let i = from; i < to; i++) {
      const key = keys[i]
      const at = counts[(key >>> shift) & digits]++
      otherKeys[at] = key
      otherPlaces[at] = places[i]
    }
    ;[keys, otherKeys] = [otherKeys, keys]
    ;[places, otherPlaces] = [otherPlaces, places]
  }
  if (keys === scratch.keys) return
  // An odd number of passes ended in the other pair.
  for (let i = from; i < to; i++) {
    scratch.keys[i] = keys[i]
    scratch.places[i] = places[i]
  }
}

function insertByKey({ keys, places }: RankScratch, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const key = keys[i]
    const place = places[i]
    let at = i
    for (; at > from && keys[at - 1] > key; at--) {
      keys[at] = keys[at - 1]
      places[at] = places[at - 1]
    }
    keys[at] = key
    places[at] = place
  }
}

/** Values whose top words are equal are put in the order of their whole values. */
function orderEqualKeys(scratch: RankScratch, m: number): void {
  const { values, words, keys, places } = scratch
  let from = 0
  while (from < m) {
    const key = keys[from]
    let to = from + 1
    let sorted = true
    for (; to < m && keys[to] === key; to++) if (values[places[to]] < values[places[to - 1]]) sorted = false
    if (!sorted) {
      // Top words are the same, so is the sign: of negative numbers the larger low word is the smaller value.
      for (let i = from; i < to; i++) {
        const low = words[2 * places[i]]
        keys[i] = key >>> 31 === 1 ? low : ~low
      }
      sortSegment(scratch, from, to)
    }
    from = to
  }
}
