/** A day's ranking as the selection reads it. */
export interface Ranked {
  /** Size of the pool. */
  readonly size: number
  /** The security at a 1-based place. */
  at(place: number): number
  /** The place of a security, 0 when it is not in the pool. */
  place(security: number): number
  /** The place within the holding range and its buffer, 0 beyond: enough to decide whether a held security stays. */
  nearPlace(security: number): number
}

export interface SelectionRules {
  /** Places of the holding, 1-based, both included. */
  readonly first: number
  readonly last: number
  /** A held security stays while its place ≤ last + buffer. */
  readonly buffer: number
  /** At most so many of one issuer; 0 = no limit. */
  readonly perIssuer: number
  /** Issuer number by security. */
  readonly issuer: Int32Array
  /** `next`: the next place stands in for one that cannot be bought; `cash`: its place stays empty. */
  readonly emptySlot: 'next' | 'cash'
}

/**
 * Selects the holding after a ranking, from the pool and the `positions` that may be sold (reference rule 5):
 *
 * 1. Those that must stay (`mustStay`: least holding days), then held ones whose place is first … last + buffer, best first.
 * 2. Free places go to the best of the order that can be bought.
 *
 * The answer is ordered as trades are made: those kept by place, then the newcomers by place; without a buffer simply by place.
 */
export function select(
  ranked: Ranked,
  rules: SelectionRules,
  positions: readonly number[],
  mustStay: (security: number) => boolean,
  canBuy: (security: number) => boolean,
): number[] {
  const wanted = Math.max(0, rules.last - rules.first + 1)
  const issuers = rules.perIssuer > 0 ? new Map<number, number>() : null
  const admits = (security: number) => issuers === null || (issuers.get(rules.issuer[security]) ?? 0) < rules.perIssuer
  const admit = (security: number) => {
    if (issuers === null) return
    const issuer = rules.issuer[security]
    issuers.set(issuer, (issuers.get(issuer) ?? 0) + 1)
  }

  const placeOf = (security: number) => ranked.place(security)
  const kept: number[] = []
  const candidates: number[] = []
  for (const security of positions) {
    const near = ranked.nearPlace(security)
    if (mustStay(security)) kept.push(security)
    else if (near >= rules.first && near <= rules.last + rules.buffer) candidates.push(security)
  }
  sortByPlace(kept, placeOf)
  for (const security of kept) admit(security)
  const staying = kept.length
  for (const security of sortByPlace(candidates, placeOf)) {
    if (kept.length >= wanted) break
    if (!admits(security)) continue
    admit(security)
    kept.push(security)
  }

  const stayers = staying > 0 ? new Set(kept.slice(0, staying)) : null
  // The loop below meets the kept securities in order: only the next one has to be compared.
  let next = staying
  const newcomers: number[] = []
  let free = wanted - kept.length
  for (let place = rules.first; place <= ranked.size && free > 0; place++) {
    const security = ranked.at(place)
    if (security === kept[next]) {
      next++
      continue
    }
    if (stayers?.has(security) || !admits(security)) continue
    if (!canBuy(security)) {
      if (rules.emptySlot === 'cash') free--
      continue
    }
    admit(security)
    newcomers.push(security)
    free--
  }
  const selection = [...kept, ...newcomers]
  return rules.buffer === 0 ? sortByPlace(selection, placeOf) : selection
}

/** Factor by which a place and a security's index fit into one exact number. */
const indexSpan = 2 ** 22
const noPlace = 2 ** 30
/** Up to so many, insertion sort is faster than the runtime's sort; the lists are nearly sorted already. */
const insertionLimit = 64
const fewKeys = new Float64Array(insertionLimit)

/** In place: by place, those outside the pool last, by index. Place and index are one number, so no comparator is needed. */
export function sortByPlace(list: number[], placeOf: (security: number) => number): number[] {
  const { length } = list
  const keys = length <= insertionLimit ? fewKeys : new Float64Array(length)
  for (let k = 0; k < length; k++) keys[k] = (placeOf(list[k]) || noPlace) * indexSpan + list[k]
  if (length <= insertionLimit) insert(keys, length)
  else keys.sort()
  // The rest of a division by a power of two, without the call that a rest of doubles is; a whole number, or the list and all that reads
  // it would hold doubles from now on.
  for (let k = 0; k < length; k++) list[k] = (keys[k] - Math.floor(keys[k] / indexSpan) * indexSpan) | 0
  return list
}

function insert(keys: Float64Array, count: number): void {
  for (let k = 1; k < count; k++) {
    const key = keys[k]
    let at = k
    for (; at > 0 && keys[at - 1] > key; at--) keys[at] = keys[at - 1]
    keys[at] = key
  }
}
