import type { FilterFactor, Parameters, RankFactor } from '@convexa/contract'
import type { Problem } from '../expression/index.ts'
import { type RankScratch, rankRow, rankScratch } from '../kernels/index.ts'
import type { Market } from '../market/market.ts'
import { refusal } from '../problem.ts'
import { byPercentile, type Condition, conditionLabel, conditionOf, leavesBy } from './conditions.ts'
import type { CrossSection, DayFacts, SectionFactor } from './cross-section.ts'
import { freed } from './freed.ts'
import { fillOf } from './missing.ts'
import { bestFirst } from './order.ts'
import { addRanks, around, lackingIn, type Ordered, orderedOf, rankedIn, rankIn, walkPool } from './pool-ranks.ts'
import { type Neutral, placesOf, type Recipe, recipeWith } from './recipe.ts'
import type { Rule } from './rules.ts'
import { costsAll, dropsMissing, missingRules, standardize } from './score.ts'
import type { ScoredDay, ValueColumn } from './scored.ts'
import { type Screened, screened } from './screened.ts'
import type { Ranked } from './select.ts'
import { lackingTexts, universeRules } from './universe.ts'

type Standing = Recipe<SectionFactor>
type Filter = Standing['filters'][number]

/**
 * A screen that stays on the cross-section of a day while its parameters change: what an edit does not touch is not computed again,
 * and the answer is that of `screen`, to the bit.
 *
 * 1. A rule is a bit in the word of each security, and its bit alone is written again. Who has no bit set is the pool.
 * 2. A column is put in order once; the ranks of a pool come from a walk along that order, never from a new sort (`pool-ranks.ts`).
 * 3. Costs are summed over the pool alone; of their order only the best are looked for until someone asks further down.
 *
 * It needs no panel: values come with the section. What it has answered holds until it is asked again.
 */
export class StandingScreen {
  readonly #market: Market
  #facts: DayFacts | null = null
  #last: Standing | null = null
  #judged: Pick<Parameters, 'universe' | 'exclude'> | null = null
  #universeRules: readonly Rule[] = []
  #universeWarnings: readonly string[] = []
  /** Who passes universe and exclusions: what percentiles are taken of. */
  #universe = new Uint8Array(0)
  #universeVersion = 0
  /** By security: bits of the rules that it fails, a word for each kind of rule. */
  #ofUniverse = new Int32Array(0)
  #ofFilters = new Int32Array(0)
  #ofMissing = new Int32Array(0)
  #filters: { readonly row: FilterFactor; readonly column: Float64Array; readonly universe: number }[] = []
  #missing: Record<'column' | 'size' | 'group', Float64Array | null>[] = []
  #pool = new Uint8Array(0)
  #members = new Int32Array(0)
  #size = 0
  #uncosted = 0
  #poolVersion = 0
  #cost = new Float64Array(0)
  #mask = new Uint8Array(0)
  #percentiles = new Float64Array(0)
  #signed = new Float64Array(0)
  #residuals = new Float64Array(0)
  /** Stands for no size and for no group. */
  #same = new Float64Array(0)
  #scratch: RankScratch = rankScratch(0)
  #ranking = new Ranking(this.#cost, this.#scratch)
  #units: Float64Array[] = []
  #orders = new WeakMap<Float64Array, Ordered>()
  #known = new WeakMap<Float64Array, boolean>()

  constructor(market: Market) {
    this.#market = market
  }

  /** `previous`: codes held now, for `change` and the buffer. */
  screen(
    section: CrossSection,
    parameters: Parameters,
    previous?: readonly string[],
  ): { ok: true; parts: Screened } | { ok: false; problem: Problem } {
    const made = recipeWith(this.#market, parameters, 'screen', section.factor, section.group)
    if (!made.ok) return made
    const { recipe } = made
    this.#last = recipe
    const { facts } = section
    const lacking = lackingTexts(facts.securities, parameters)
    if (lacking) return { ok: false, problem: refusal('screen', lacking) }
    if (facts.securities.length !== this.#pool.length) this.#makeRoom(facts.securities.length)
    this.#judgeUniverse(facts, parameters)
    this.#judgeFilters(recipe.filters)
    this.#judgeMissing(recipe)
    this.#gatherPool()
    const scored = this.#score(recipe)
    const { last } = placesOf(recipe.holdRange, scored.size)
    const ranked = this.#ranking
    ranked.open(scored.size, last + parameters.hold_method.hold_threshold + spare)
    const columns = () => this.#valueColumns(section, recipe)
    return { ok: true, parts: screened(scored, ranked, facts.securities, columns, this.#universeWarnings, previous) }
  }

  /** Labels of all the rules of the last screen that take a security out, in their order; the first is the one that a screen tells. */
  rulesAgainst(security: number): string[] {
    if (this.#last === null) return []
    const [universe, filters] = [this.#universeRules.length, this.#filters.length]
    const words: readonly (readonly [word: number, from: number, count: number])[] = [
      [this.#ofUniverse[security], 0, universe],
      [this.#ofFilters[security], universe, filters],
      [this.#ofMissing[security], universe + filters, this.#missing.length],
    ]
    const rules = this.#rulesOf(this.#last)
    return words.flatMap(([word, from, count]) =>
      rules.slice(from, from + count).flatMap(({ label }, r) => (((word >>> r) & 1) === 1 ? [label] : [])),
    )
  }

  #makeRoom(count: number): void {
    this.#facts = null
    this.#filters = []
    this.#missing = []
    this.#universe = new Uint8Array(count)
    this.#ofUniverse = new Int32Array(count)
    this.#ofFilters = new Int32Array(count)
    this.#ofMissing = new Int32Array(count)
    this.#pool = new Uint8Array(count)
    this.#members = new Int32Array(count)
    this.#cost = new Float64Array(count)
    this.#mask = new Uint8Array(count)
    this.#percentiles = new Float64Array(count)
    this.#signed = new Float64Array(count)
    this.#residuals = new Float64Array(count)
    this.#same = new Float64Array(count).fill(1)
    this.#scratch = rankScratch(count)
    this.#ranking = new Ranking(this.#cost, this.#scratch)
    this.#units = []
    this.#orders = new WeakMap()
    this.#known = new WeakMap()
  }

  #judgeUniverse(facts: DayFacts, { universe, exclude }: Parameters): void {
    const judged = { universe, exclude }
    if (facts === this.#facts && sameValue(judged, this.#judged)) return
    const count = facts.securities.length
    const { date, securities, listed, traded, leaving, columns } = facts
    const ground = { dates: [date], securities, columns, stride: count, listed, traded }
    const leaveFrom = Int32Array.from(leaving, (leaves) => 1 - leaves)
    const { rules, warnings } = universeRules(ground, this.#market, judged, leaveFrom)
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
    this.#universeRules = rules
    this.#universeWarnings = warnings
    this.#facts = facts
    this.#judged = judged
  }

  #judgeFilters(filters: readonly Filter[]): void {
    const words = this.#ofFilters
    const before = this.#filters
    this.#filters = filters.map(({ row, factor }, f) => {
      const column = factor.column()
      const known = before[f]
      const percentile = byPercentile(row)
      const universe = percentile ? this.#universeVersion : 0
      if (known?.column === column && known.universe === universe && sameRow(known.row, row)) return known
      const values = percentile ? this.#percentilesOf(column) : column
      writeCondition(words, 1 << f, conditionOf(row, factor.values), values)
      return { row, column, universe }
    })
    if (before.length > filters.length) keepBits(words, filters.length)
  }

  /** Places in the universe from 0 (smallest) to 1; NaN for others. */
  #percentilesOf(column: Float64Array): Float64Array {
    const out = this.#percentiles
    const universe = this.#universe
    const ordered = this.#orderOf(column)
    // Walked for the universe now: no pool has this number.
    walkPool(ordered, universe, -2 - this.#universeVersion)
    const population = rankedIn(ordered)
    const span = population > 1 ? population - 1 : 1
    for (let i = 0; i < out.length; i++) {
      out[i] = universe[i] === 1 && column[i] === column[i] ? (rankIn(ordered, i) - 1) / span : Number.NaN
    }
    return out
  }

  #judgeMissing({ ranks }: Standing): void {
    const words = this.#ofMissing
    const before = this.#missing
    this.#missing = ranks.map(({ row, factor, neutral }, f) => {
      const column = dropsMissing(row) ? rankedColumn(row, factor) : null
      const [size, group] = [neutral?.size?.column() ?? null, neutral?.group?.column() ?? null]
      const known = before[f]
      if (known && known.column === column && known.size === size && known.group === group) return known
      clearBit(words, 1 << f)
      for (const each of [column, group]) if (each !== null) addAbsent(words, 1 << f, each)
      if (size !== null) addUnsized(words, 1 << f, size)
      return { column, size, group }
    })
    if (before.length > ranks.length) keepBits(words, ranks.length)
  }

  #gatherPool(): void {
    const [ofUniverse, ofFilters, ofMissing] = [this.#ofUniverse, this.#ofFilters, this.#ofMissing]
    const [pool, members] = [this.#pool, this.#members]
    let size = 0
    let changed = 0
    for (let i = 0; i < pool.length; i++) {
      const passes = Number((ofUniverse[i] | ofFilters[i] | ofMissing[i]) === 0)
      changed |= passes ^ pool[i]
      pool[i] = passes
      members[size] = i
      size += passes
    }
    this.#size = size
    if (changed !== 0) this.#poolVersion++
  }

  #score(recipe: Standing): ScoredDay {
    const { ranks, parameters } = recipe
    const cost = this.#cost.fill(0)
    const members = this.#members.subarray(0, this.#size)
    const byRank = parameters.rank_method !== 'zscore'
    const parts = ranks.map((rank, f) => {
      const column = rankedColumn(rank.row, rank.factor)
      return byRank && rank.neutral === null ? this.#addRanks(rank.row, column, members) : this.#addUnits(rank, column, f, members, byRank)
    })
    for (let i = 0; i < cost.length; i++) cost[i] *= nanOutside[this.#pool[i]]
    let [best, worst] = [0, 0]
    ranks.forEach(({ row }, f) => {
      best += row.weight * parts[f].best
      worst += row.weight * parts[f].worst
    })
    // Asked for value by value: the section is asked once.
    const columns = new Map<SectionFactor, Float64Array>()
    const columnOf = (factor: SectionFactor): Float64Array => {
      const known = columns.get(factor)
      if (known) return known
      const column = factor.column()
      columns.set(factor, column)
      return column
    }
    // A statistic of nothing fills nothing: who has no cost is not in the pool after all.
    this.#uncosted = 0
    if (!costsAll(recipe)) {
      for (let k = 0; k < members.length; k++) this.#uncosted += Number(cost[members[k]] !== cost[members[k]])
    }
    return {
      recipe,
      rules: () => this.#rulesOf(recipe),
      size: this.#size - this.#uncosted,
      best,
      worst,
      spans: parts,
      failOf: (i) => this.#failOf(i),
      failures: () => this.#failures(),
      unit: (f, i) => parts[f].unit(i),
      rank: byRank ? (f, i) => parts[f].unit(i) : this.#ranksOf(parts, members),
      value: (factor: SectionFactor, i) => columnOf(factor)[i],
      hasValues: (factor: SectionFactor) => this.#hasValues(factor.column()),
    }
  }

  #rulesOf(recipe: Standing): ReturnType<ScoredDay['rules']> {
    const filters = recipe.filters.map(({ row, factor, index }) => ({ key: `filter.${index}`, label: conditionLabel(row, factor) }))
    return [...this.#universeRules, ...filters, ...missingRules(recipe)]
  }

  #failOf(i: number): number {
    const [universe, filters] = [this.#universeRules.length, this.#filters.length]
    if (this.#ofUniverse[i] !== 0) return lowestBit(this.#ofUniverse[i])
    if (this.#ofFilters[i] !== 0) return universe + lowestBit(this.#ofFilters[i])
    if (this.#ofMissing[i] !== 0) return universe + filters + lowestBit(this.#ofMissing[i])
    return this.#cost[i] === this.#cost[i] ? 0 : universe + filters + 1
  }

  #failures(): Int32Array {
    const [ofUniverse, ofFilters, ofMissing] = [this.#ofUniverse, this.#ofFilters, this.#ofMissing]
    const counts = [0, 1, 2].map(() => new Int32Array(33))
    const [byUniverse, byFilters, byMissing] = counts as [Int32Array, Int32Array, Int32Array]
    for (let i = 0; i < ofUniverse.length; i++) {
      const universe = ofUniverse[i]
      const filters = ofFilters[i]
      if (universe !== 0) byUniverse[lowestBit(universe)]++
      else if (filters !== 0) byFilters[lowestBit(filters)]++
      else byMissing[lowestBit(ofMissing[i])]++
    }
    // Nobody without a bit: lowestBit(0) = 0. Who lost its cost was counted there too.
    byMissing[1] += this.#uncosted
    const sizes = [this.#universeRules.length, this.#filters.length, this.#missing.length]
    return Int32Array.from([byMissing[0] - this.#uncosted, ...counts.flatMap((each, k) => [...each.subarray(1, 1 + (sizes[k] ?? 0))])])
  }

  /** A factor as ranks in the pool. Absent values are the worst rank, or rank with what fills them. */
  #addRanks({ prefer, weight, missing_process: process }: RankFactor, column: Float64Array, members: Int32Array): Part {
    const cost = this.#cost
    const pool = this.#pool
    const version = this.#poolVersion
    const ordered = this.#orderOf(column)
    const worst = this.#size
    const ranked = worst - lackingIn(ordered, pool)
    const large = prefer === 'large'
    if (ranked === worst || process === 'worst') {
      addRanks({ ordered, pool, version, members, ranked, large, weight, absent: worst, cost })
      const unit = (i: number) => {
        if (column[i] !== column[i]) return worst
        walkPool(ordered, pool, version)
        return large ? ranked + 1 - rankIn(ordered, i) : rankIn(ordered, i)
      }
      return { best: 1, worst, unit }
    }
    walkPool(ordered, pool, version)
    const fill = fillOf(process, column, 0, column.length, pool)
    const filled = fill === fill ? worst - ranked : 0
    const { smaller, upTo } = around(ordered, fill)
    const total = ranked + filled
    const turned = (rank: number) => (large ? total + 1 - rank : rank)
    const shared = turned((smaller + upTo + filled + 1) * 0.5)
    const unit = (i: number) => {
      const value = column[i]
      if (value !== value) return fill === fill ? shared : Number.NaN
      walkPool(ordered, pool, version)
      if (filled === 0 || value < fill) return turned(rankIn(ordered, i))
      return value === fill ? shared : turned(rankIn(ordered, i) + filled)
    }
    for (let k = 0; k < members.length; k++) cost[members[k]] += weight * unit(members[k])
    return { best: 1, worst, unit }
  }

  /** A factor as distances from the pool's mean in its standard deviations, or one that is freed of something: of each pool anew. */
  #addUnits({ row, neutral }: Standing['ranks'][number], column: Float64Array, f: number, members: Int32Array, byRank: boolean): Part {
    const cost = this.#cost
    const pool = this.#pool
    const sign = row.prefer === 'small' ? 1 : -1
    const fill = fillOf(row.missing_process, column, 0, pool.length, pool)
    let values: Float64Array = this.#signed
    for (let i = 0; i < pool.length; i++) values[i] = sign * (column[i] === column[i] ? column[i] : fill)
    if (neutral !== null) values = this.#freed(values, neutral)
    this.#units[f] ??= new Float64Array(pool.length)
    const units = this.#units[f]
    const span = { best: 1, worst: this.#size }
    if (byRank) rankRow(values, 0, pool.length, pool, units, this.#scratch)
    else standardize(values, pool, units, span)
    if (row.missing_process === 'worst') {
      for (let i = 0; i < pool.length; i++) if (pool[i] === 1 && units[i] !== units[i]) units[i] = span.worst
    }
    for (let k = 0; k < members.length; k++) cost[members[k]] += row.weight * units[members[k]]
    return { ...span, unit: (i) => units[i] }
  }

  #freed(values: Float64Array, { size, group }: Neutral<SectionFactor>): Float64Array {
    const cells = (factor: SectionFactor | null) => ({ column: factor?.column() ?? this.#same, offset: 0 })
    return freed(values, cells(size), cells(group), this.#pool, this.#residuals)
  }

  #ranksOf(parts: readonly Part[], members: Int32Array): ScoredDay['rank'] {
    let ranks: Float64Array[] | null = null
    return (f, i) => {
      ranks ??= parts.map((_, k) => {
        const mask = this.#mask.fill(0)
        for (const m of members) mask[m] = Number(this.#cost[m] === this.#cost[m])
        const out = new Float64Array(mask.length)
        rankRow(this.#units[k], 0, mask.length, mask, out, this.#scratch)
        return out
      })
      return ranks[f][i]
    }
  }

  #orderOf(column: Float64Array): Ordered {
    const known = this.#orders.get(column)
    if (known) return known
    const made = orderedOf(column, this.#pool.length, this.#scratch)
    this.#orders.set(column, made)
    return made
  }

  #hasValues(column: Float64Array): boolean {
    const known = this.#known.get(column)
    if (known !== undefined) return known
    let found = false
    for (let i = 0; i < this.#pool.length && !found; i++) found = column[i] === column[i]
    this.#known.set(column, found)
    return found
  }

  /** The factors of the request, then the market's own columns, each once. */
  #valueColumns(section: CrossSection, recipe: Standing): ValueColumn[] {
    const columns = new Map<string, ValueColumn>()
    const add = ({ ref, values, column }: SectionFactor) => {
      if (!columns.has(ref)) columns.set(ref, { ref, values, column: column(), offset: 0 })
    }
    for (const { factor } of [...recipe.filters, ...recipe.ranks]) add(factor)
    for (const ref of this.#market.columns) {
      const found = section.factor(ref)
      if (found.ok) add(found.factor)
    }
    return [...columns.values()]
  }
}

/** Places behind the holding and its buffer that are looked for at once: the reserves. */
const spare = 40

/** By who is in the pool: what a cost is multiplied with. */
const nanOutside = Float64Array.of(Number.NaN, 1)

/** A rank factor on a pool, its costs added. */
interface Part {
  readonly best: number
  readonly worst: number
  unit(i: number): number
}

/** The order of costs: the best are looked for at once, the others when someone asks for them. */
class Ranking implements Ranked {
  size = 0
  readonly #cost: Float64Array
  readonly #scratch: RankScratch
  readonly #order: Int32Array
  readonly #places: Int32Array
  #known = 0
  /** A cost that the last of the best hardly exceeds: that of the last time, with some room. */
  #guess = Number.POSITIVE_INFINITY

  constructor(cost: Float64Array, scratch: RankScratch) {
    this.#cost = cost
    this.#scratch = scratch
    this.#order = new Int32Array(cost.length)
    this.#places = new Int32Array(cost.length)
  }

  /** The costs are new. */
  open(size: number, depth: number): void {
    for (let place = 0; place < this.#known; place++) this.#places[this.#order[place]] = 0
    this.size = size
    this.#find(Math.min(depth, this.#cost.length))
    const [best, last] = [this.#cost[this.#order[0]], this.#cost[this.#order[this.#known - 1]]]
    const bound = last + (last - best) / 4
    this.#guess = this.#known === depth && bound === bound ? bound : Number.POSITIVE_INFINITY
  }

  at(place: number): number {
    if (place > this.#known) this.#find(this.#cost.length)
    return this.#order[place - 1]
  }

  place(security: number): number {
    const near = this.#places[security]
    if (near > 0 || this.#cost[security] !== this.#cost[security]) return near
    this.#find(this.#cost.length)
    return this.#places[security]
  }

  nearPlace(security: number): number {
    return this.#places[security]
  }

  #find(depth: number): void {
    this.#known = bestFirst(this.#cost, depth, this.#order, this.#scratch, this.#guess)
    for (let place = 0; place < this.#known; place++) this.#places[this.#order[place]] = place + 1
  }
}

function rankedColumn({ missing_process: process }: RankFactor, factor: SectionFactor): Float64Array {
  return process === 'forward_fill' ? factor.filled() : factor.column()
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

function addAbsent(words: Int32Array, bit: number, column: Float64Array): void {
  for (let i = 0; i < words.length; i++) words[i] |= -Number(column[i] !== column[i]) & bit
}

/** Who has no size to be freed of. */
function addUnsized(words: Int32Array, bit: number, sizes: Float64Array): void {
  for (let i = 0; i < words.length; i++) words[i] |= -Number(!(sizes[i] > 0 && sizes[i] < Number.POSITIVE_INFINITY)) & bit
}

function clearBit(words: Int32Array, bit: number): void {
  for (let i = 0; i < words.length; i++) words[i] &= ~bit
}

/** Of each word only the lowest bits. */
function keepBits(words: Int32Array, bits: number): void {
  for (let i = 0; i < words.length; i++) words[i] &= (1 << bits) - 1
}

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

/** Equal as JSON is, the order of keys aside. */
function sameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length) return false
  return keys.every((key) => sameValue((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]))
}
