import type { FilterFactor, Parameters } from '@convexa/contract'
import type { Market } from '../market/market.ts'
import { type CompiledScreen, rankedColumn } from './compiled-screen.ts'
import { byPercentile, type Condition, conditionLabel, conditionOf, leavesBy } from './conditions.ts'
import type { DayFacts, SectionFactor } from './cross-section.ts'
import type { Orders } from './orders.ts'
import { type Ordered, placesWithin, rankedIn, rankIn, walkPool } from './pool-ranks.ts'
import { labelFor, type Rule, type RuleName } from './rules.ts'
import { sameValue } from './same-value.ts'
import { dropsMissing, missingRules } from './score.ts'
import { universeRules } from './universe.ts'

type SectionScreen = CompiledScreen<SectionFactor>
type Filter = SectionScreen['filters'][number]

/** A filter whose bits are written, and from what; `ordered`: the order of its column, where the bits were read off it. */
interface FilterBits {
  readonly row: FilterFactor
  readonly column: Float64Array
  readonly universe: number
  condition: Condition | null
  ordered: Ordered | undefined
}

/**
 * Exclusion masks of a screen: per security one bit for each rule that excludes it, one word for each kind of rule. Only the bits of rules that
 * changed are written again. Securities without a bit are the pool.
 */
export class ExclusionMasks {
  /** 1 = in the pool. */
  readonly pool: Uint8Array
  /** Another number for another pool. */
  version = 0
  size = 0
  warnings: readonly string[] = []
  readonly #market: Market
  readonly #orders: Orders
  readonly #members: Int32Array
  /** Indices outside the pool. */
  readonly #gone: Int32Array
  #facts: DayFacts | null = null
  #judged: Pick<Parameters, 'universe' | 'exclude'> | null = null
  #rules: readonly Rule[] = []
  /** 1 = passes universe and exclusions; percentiles are taken over these. */
  readonly #universe: Uint8Array
  #universeVersion = 0
  readonly #ofUniverse: Int32Array
  readonly #ofFilters: Int32Array
  readonly #ofMissing: Int32Array
  #filters: FilterBits[] = []
  #missing: Record<'column' | 'size' | 'group', Float64Array | null>[] = []
  readonly #mask: Uint8Array
  readonly #percentiles: Float64Array

  constructor(market: Market, count: number, orders: Orders) {
    this.#market = market
    this.#orders = orders
    this.pool = orders.pool
    this.#members = new Int32Array(count)
    this.#gone = new Int32Array(count)
    this.#universe = new Uint8Array(count)
    this.#ofUniverse = new Int32Array(count)
    this.#ofFilters = new Int32Array(count)
    this.#ofMissing = new Int32Array(count)
    this.#mask = new Uint8Array(count)
    this.#percentiles = new Float64Array(count)
  }

  judge(facts: DayFacts, compiled: SectionScreen): void {
    this.#judgeUniverse(facts, compiled.parameters)
    this.#judgeFilters(compiled.filters)
    this.#judgeMissing(compiled)
    this.#gatherPool()
  }

  /** Indices of the pool. */
  get members(): Int32Array {
    return this.#members.subarray(0, this.size)
  }

  rulesOf(compiled: SectionScreen): RuleName[] {
    const filters = compiled.filters.map(({ row, factor, index }) => ({ key: `filter.${index}`, label: conditionLabel(row, factor) }))
    return [...this.#rules, ...filters, ...missingRules(compiled)]
  }

  /** Labels of all rules that exclude a security, in their order. */
  against(security: number, compiled: SectionScreen): string[] {
    const [universe, filters] = [this.#rules.length, this.#filters.length]
    const words: readonly (readonly [word: number, from: number, count: number])[] = [
      [this.#ofUniverse[security], 0, universe],
      [this.#ofFilters[security], universe, filters],
      [this.#ofMissing[security], universe + filters, this.#missing.length],
    ]
    const rules = this.rulesOf(compiled)
    return words.flatMap(([word, from, count]) =>
      rules.slice(from, from + count).flatMap((rule, r) => (((word >>> r) & 1) === 1 ? [labelFor(rule, security, 0)] : [])),
    )
  }

  /** 0 = in the pool, else 1 + index of the first rule failed; `isScored`: whether it has a score, which a statistic of an empty set gives to none. */
  failOf(i: number, isScored: boolean): number {
    const [universe, filters] = [this.#rules.length, this.#filters.length]
    if (this.#ofUniverse[i] !== 0) return lowestBit(this.#ofUniverse[i])
    if (this.#ofFilters[i] !== 0) return universe + lowestBit(this.#ofFilters[i])
    if (this.#ofMissing[i] !== 0) return universe + filters + lowestBit(this.#ofMissing[i])
    return isScored ? 0 : universe + filters + 1
  }

  /** How many fail which rule first; `unscored` of the pool have no score. */
  failures(unscored: number): Int32Array {
    const [ofUniverse, ofFilters, ofMissing] = [this.#ofUniverse, this.#ofFilters, this.#ofMissing]
    const sizes = [this.#rules.length, this.#filters.length, this.#missing.length]
    const [byUniverse, byFilters, byMissing] = sizes.map((size) => new Int32Array(size + 2)) as [Int32Array, Int32Array, Int32Array]
    const gone = this.#gone
    const many = ofUniverse.length - this.size
    for (let k = 0; k < many; k++) {
      const i = gone[k]
      const universe = ofUniverse[i]
      const filters = ofFilters[i]
      if (universe !== 0) byUniverse[lowestBit(universe)]++
      else if (filters !== 0) byFilters[lowestBit(filters)]++
      else byMissing[lowestBit(ofMissing[i])]++
    }
    // In the pool, but without a score.
    byMissing[1] += unscored
    const counts = [byUniverse, byFilters, byMissing].flatMap((each, k) => [...each.subarray(1, 1 + (sizes[k] ?? 0))])
    return Int32Array.from([this.size - unscored, ...counts])
  }

  #judgeUniverse(facts: DayFacts, { universe, exclude }: Parameters): void {
    const judged = { universe, exclude }
    if (facts === this.#facts && sameValue(judged, this.#judged)) return
    const { date, securities, listed, traded, missingBars, leaving, columns } = facts
    const count = securities.length
    const input = { dates: [date], securities, columns, stride: count, listed, traded, ...(missingBars && { missingBars }) }
    const leaveFrom = new Int32Array(count)
    for (let i = 0; i < count; i++) leaveFrom[i] = 1 - leaving[i]
    const { rules, warnings } = universeRules(input, this.#market, judged, leaveFrom)
    const words = this.#ofUniverse.fill(0)
    const mask = this.#mask
    const cells = { day: 0, count, universe: mask, values: noFactor }
    rules.forEach(({ apply }, r) => {
      mask.fill(0)
      apply(mask, 1, cells)
      for (let i = 0; i < count; i++) words[i] |= mask[i] << r
    })
    for (let i = 0; i < count; i++) this.#universe[i] = Number(words[i] === 0)
    this.#universeVersion++
    this.#rules = rules
    this.warnings = warnings
    this.#facts = facts
    this.#judged = judged
  }

  #judgeFilters(filters: readonly Filter[]): void {
    const words = this.#ofFilters
    const before = this.#filters
    const next = filters.map(({ row, factor }, f) => {
      const column = factor.column()
      const known = before[f]
      const universe = byPercentile(row) ? this.#universeVersion : 0
      const isKnown = known?.column === column && known.universe === universe && sameRow(known.row, row)
      return isKnown ? known : { row, column, universe, condition: null, ordered: undefined }
    })
    // All are new: no bit is cleared one by one.
    const isNew = next.every((each, f) => each !== before[f])
    if (isNew) words.fill(0)
    next.forEach((each, f) => {
      if (each === before[f]) return
      const { row, factor } = filters[f]
      const condition = conditionOf(row, factor.values)
      const values = byPercentile(row) ? this.#percentilesOf(each.column) : each.column
      const ordered = condition.members === null ? this.#orders.known(values) : undefined
      if (ordered) {
        const was = before[f]
        // Securities excluded before by another bound of the same column are few and known.
        if (was?.condition && was.ordered === ordered) forLeaving(was.condition, ordered, words, ~(1 << f), 0)
        else if (!isNew) keepBits(words, ~(1 << f))
        forLeaving(condition, ordered, words, -1, 1 << f)
      } else writeCondition(words, 1 << f, condition, values)
      each.condition = condition
      each.ordered = ordered
    })
    if (before.length > filters.length) keepBits(words, lowest(filters.length))
    this.#filters = next
  }

  /** Places in the universe from 0 (smallest) to 1; NaN for others. */
  #percentilesOf(column: Float64Array): Float64Array {
    const out = this.#percentiles
    const universe = this.#universe
    const ordered = this.#orders.of(column)
    // Walked for the universe now: no pool has this number.
    walkPool(ordered, universe, -2 - this.#universeVersion)
    const population = rankedIn(ordered)
    const span = population > 1 ? population - 1 : 1
    for (let i = 0; i < out.length; i++) {
      out[i] = universe[i] === 1 && column[i] === column[i] ? (rankIn(ordered, i) - 1) / span : Number.NaN
    }
    return out
  }

  #judgeMissing({ ranks }: SectionScreen): void {
    const words = this.#ofMissing
    const before = this.#missing
    const next = ranks.map(({ row, factor, neutral }, f) => {
      const column = dropsMissing(row) ? rankedColumn(row, factor) : null
      const [size, group] = [neutral?.size?.column() ?? null, neutral?.group?.column() ?? null]
      const known = before[f]
      return known && known.column === column && known.size === size && known.group === group ? known : { column, size, group }
    })
    const isNew = next.every((each, f) => each !== before[f])
    if (isNew) words.fill(0)
    next.forEach((each, f) => {
      if (each === before[f]) return
      const { column, size, group } = each
      const ordered = isNew && column !== null ? this.#orders.known(column) : undefined
      if (ordered) setBits(words, ordered.absent, 0, ordered.absent.length, -1, 1 << f)
      else writeAbsent(words, 1 << f, column)
      if (group !== null) addAbsent(words, 1 << f, group)
      if (size !== null) addUnsized(words, 1 << f, size)
    })
    if (before.length > ranks.length) keepBits(words, lowest(ranks.length))
    this.#missing = next
  }

  #gatherPool(): void {
    const [ofUniverse, ofFilters, ofMissing] = [this.#ofUniverse, this.#ofFilters, this.#ofMissing]
    const [pool, members, gone] = [this.pool, this.#members, this.#gone]
    let size = 0
    let changed = 0
    for (let i = 0; i < pool.length; i++) {
      const passes = Number((ofUniverse[i] | ofFilters[i] | ofMissing[i]) === 0)
      changed |= passes ^ pool[i]
      pool[i] = passes
      // Branch-free: both lists are written, and only the right one advances; the other entry is overwritten.
      gone[i - size] = i
      members[size] = i
      size += passes
    }
    this.size = size
    if (changed !== 0) this.version++
  }
}

/** Excluded securities are the ends of the column's order, or what lies between: for most conditions they are few. */
function forLeaving({ low, high, leaves }: Condition, ordered: Ordered, words: Int32Array, keep: number, add: number): void {
  const { from, to } = placesWithin(ordered, low, high)
  const { order, absent } = ordered
  if ((leaves & 1) !== 0) setBits(words, absent, 0, absent.length, keep, add)
  if ((leaves & 2) !== 0) {
    setBits(words, order, 0, from, keep, add)
    setBits(words, order, to, order.length, keep, add)
  }
  if ((leaves & 4) !== 0) setBits(words, order, from, to, keep, add)
}

/** Of the words of those listed: the bits to keep, with others added. */
function setBits(words: Int32Array, list: Int32Array, from: number, to: number, keep: number, add: number): void {
  for (let place = from; place < to; place++) words[list[place]] = (words[list[place]] & keep) | add
}

function writeCondition(words: Int32Array, bit: number, condition: Condition, column: Float64Array): void {
  const { low, high, leaves, members } = condition
  if (members !== null) {
    for (let i = 0; i < words.length; i++) words[i] = (words[i] & ~bit) | (-leavesBy(condition, column[i]) & bit)
    return
  }
  for (let i = 0; i < words.length; i++) {
    const value = column[i]
    const outcome = leaves >> (Number(value === value) + (Number(value >= low) & Number(value <= high)))
    words[i] = (words[i] & ~bit) | (-(outcome & 1) & bit)
  }
}

function writeAbsent(words: Int32Array, bit: number, column: Float64Array | null): void {
  if (column === null) keepBits(words, ~bit)
  else for (let i = 0; i < words.length; i++) words[i] = (words[i] & ~bit) | (-Number(column[i] !== column[i]) & bit)
}

function addAbsent(words: Int32Array, bit: number, column: Float64Array): void {
  for (let i = 0; i < words.length; i++) words[i] |= -Number(column[i] !== column[i]) & bit
}

/** Excludes securities without a size to be neutralized by. */
function addUnsized(words: Int32Array, bit: number, sizes: Float64Array): void {
  for (let i = 0; i < words.length; i++) words[i] |= -Number(!(sizes[i] > 0 && sizes[i] < Number.POSITIVE_INFINITY)) & bit
}

/** Of each word only these bits. */
function keepBits(words: Int32Array, bits: number): void {
  for (let i = 0; i < words.length; i++) words[i] &= bits
}

const lowest = (bits: number): number => (1 << bits) - 1

/** 1 for bit 0. */
function lowestBit(word: number): number {
  return 32 - Math.clz32(word & -word)
}

function noFactor(): never {
  throw new Error('no rule of the universe reads a factor')
}

function sameRow(one: FilterFactor, other: FilterFactor): boolean {
  if (one === other) return true
  return one.operation === other.operation && one.action === other.action && sameValue(one.value, other.value)
}
