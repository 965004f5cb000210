/**
 * Order and ranks of one row, without a comparator (performance.md 4: a comparator sort costs ten times as much).
 *
 * 1. Gather the values that count; the top 32 bits of each, with the sign turned, are its sort key.
 * 2. LSD radix sort of (key, place) on the upper 22 bits of the key, stable, so equal values stay in the order of their indices.
 * 3. Inside a run of equal upper bits: insertion by the whole value, or where the run is long, radix on the rest of the bits.
 */

/** A digit of the radix sort has 11 bits. */
const digitBits = 11
const digits = 1 << digitBits
const digitMask = digits - 1
const lowShift = 32 - 2 * digitBits
const highShift = 32 - digitBits

/** Up to so many values, insertion is quicker than counting. */
const insertionLimit = 40

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
  readonly lowCounts: Uint32Array
  readonly highCounts: Uint32Array
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
    lowCounts: new Uint32Array(digits),
    highCounts: new Uint32Array(digits),
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
  if (m <= insertionLimit) {
    insertByValue(scratch, 0, m)
    return m
  }
  sortByUpperBits(scratch, m)
  orderRuns(scratch, m)
  return m
}

function sortByUpperBits({ keys, places, otherKeys, otherPlaces, lowCounts, highCounts }: RankScratch, m: number): void {
  lowCounts.fill(0)
  highCounts.fill(0)
  for (let i = 0; i < m; i++) {
    const key = keys[i]
    lowCounts[(key >>> lowShift) & digitMask]++
    highCounts[key >>> highShift]++
  }
  // Counts become the places where each digit begins; both tables in one loop, which shows on rows of a few hundred.
  let low = 0
  let high = 0
  for (let k = 0; k < digits; k++) {
    const lowHere = lowCounts[k]
    const highHere = highCounts[k]
    lowCounts[k] = low
    highCounts[k] = high
    low += lowHere
    high += highHere
  }
  for (let i = 0; i < m; i++) {
    const key = keys[i]
    const at = lowCounts[(key >>> lowShift) & digitMask]++
    otherKeys[at] = key
    otherPlaces[at] = places[i]
  }
  for (let i = 0; i < m; i++) {
    const key = otherKeys[i]
    const at = highCounts[key >>> highShift]++
    keys[at] = key
    places[at] = otherPlaces[i]
  }
}

function orderRuns(scratch: RankScratch, m: number): void {
  const { keys } = scratch
  let from = 0
  while (from < m) {
    const upper = keys[from] >>> lowShift
    let to = from + 1
    while (to < m && keys[to] >>> lowShift === upper) to++
    if (to - from <= insertionLimit) insertByValue(scratch, from, to)
    else orderLongRun(scratch, from, to)
    from = to
  }
}

function insertByValue({ values, places }: RankScratch, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const place = places[i]
    const value = values[place]
    let at = i
    for (; at > from && values[places[at - 1]] > value; at--) places[at] = places[at - 1]
    places[at] = place
  }
}

/** Many values close together: by the rest of the key, then inside equal keys by the lower word. */
function orderLongRun(scratch: RankScratch, start: number, end: number): void {
  const { values, words, keys, places } = scratch
  sortByKey(scratch, start, end)
  let from = start
  while (from < end) {
    const key = keys[from]
    let to = from + 1
    let sorted = true
    for (; to < end && keys[to] === key; to++) if (values[places[to]] < values[places[to - 1]]) sorted = false
    if (!sorted && to - from <= insertionLimit) insertByValue(scratch, from, to)
    else if (!sorted) {
      // Top words are the same, so is the sign: of negative numbers the larger low word is the smaller value.
      for (let i = from; i < to; i++) {
        const low = words[2 * places[i]]
        keys[i] = key >>> 31 === 1 ? low : ~low
      }
      sortByKey(scratch, from, to)
    }
    from = to
  }
}

/** Sorts keys and places of [from, to) by the whole key, stably, eight bits at a time. */
function sortByKey(scratch: RankScratch, from: number, to: number): void {
  const { lowCounts: counts } = scratch
  let { keys, places, otherKeys, otherPlaces } = scratch
  for (let shift = 0; shift < 32; shift += 8) {
    counts.fill(0, 0, 256)
    for (let i = from; i < to; i++) counts[(keys[i] >>> shift) & 255]++
    if (counts[(keys[from] >>> shift) & 255] === to - from) continue
    let sum = from
    for (let k = 0; k < 256; k++) {
      const here = counts[k]
      counts[k] = sum
      sum += here
    }
    for (let i = from; i < to; i++) {
      const key = keys[i]
      const at = counts[(key >>> shift) & 255]++
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
