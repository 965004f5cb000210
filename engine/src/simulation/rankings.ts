import { timingRules } from '@convexa/contract/enums/timing-rule'
import type { RankScratch } from '../kernels/index.ts'
import { type BufferPool, rankScratch } from '../kernels/index.ts'
import type { Panel } from '../panel/panel.ts'
import { type CompiledScreen, neutralFactorsOf } from '../screen/compiled-screen.ts'
import { mostlyOne } from '../screen/flat.ts'
import { averageRank, bestFirst, placeOf } from '../screen/order.ts'
import type { ResolvedFactor } from '../screen/resolved-factor.ts'
import type { Rule, RuleName } from '../screen/rules.ts'
import { daysAtOnce, Scorer } from '../screen/score.ts'
import type { Ranked } from '../screen/select.ts'
import { meanWhere } from './mean-where.ts'

/** The rankings of all signal days of a run: computed once, read by every simulation on them. Rows are signal days. */
export interface Rankings {
  readonly days: Int32Array
  readonly count: number
  /** Size of the pool. */
  readonly size: Int32Array
  readonly depth: number
  /** days × depth: the best of each day, best first. */
  readonly order: Int32Array
  /** days × count: lower is better, NaN outside the pool. */
  readonly scores: Float64Array
  /** days × count: 0 = in the pool, else 1 + index of the first rule failed. */
  readonly fail: Uint8Array
  readonly rules: readonly RuleName[]
  /** By row: scores of the best and the worst possible; without meaning when direct. */
  readonly bestScore: Float64Array
  readonly worstScore: Float64Array
  /** Score is the one factor's value, its rank is counted when asked for. */
  readonly direct: boolean
  /** days × count: what hold weights are made of, or null. */
  readonly weight: Float64Array | null
  /** By threshold rule of the timing: the mean of its factor over each day's pool. */
  readonly means: readonly Float64Array[]
  /** What the scores are summed from, where they are kept: other weights need no new ranks (`rescore.ts`). */
  readonly normalized: NormalizedFactors | null
  /** By rank factor: on how many of the days that were looked at one value is that of more than half of the pool. */
  readonly flat: { readonly looked: number; readonly of: readonly { readonly factor: ResolvedFactor; readonly days: number }[] }
  /** By factor: 1 on signal days on which some listed security has a value. */
  readonly present: readonly { readonly factor: ResolvedFactor; readonly days: Uint8Array }[]
}

/** Normalized factors before weighting, ranks or z-scores (lower is better), by rank factor. */
export interface NormalizedFactors {
  /** days × count. */
  readonly values: readonly Float64Array[]
  /** Of the best and the worst possible of each day. */
  readonly best: readonly Float64Array[]
  readonly worst: readonly Float64Array[]
}

/** Options of rankings that are made for several runs. */
export interface RankingOptions {
  /** Keeps the normalized factors, from which other weights are summed, up to a limit of memory. */
  readonly normalized: boolean
  /** Buffers for tables larger than a row of days. Other threads can read them. */
  readonly buffers: BufferPool
}

/** Cells of normalized factors that are kept at most: 64 MB. */
const normalizedBudget = 8_000_000

/** Ranks the signal days, a chunk of days at a time so that memory stays bounded. Yields after each chunk. */
export function* rankDays(
  panel: Panel,
  compiled: CompiledScreen,
  rules: readonly Rule[],
  days: Int32Array,
  depth: number,
  { normalized: keepsNormalized, buffers }: RankingOptions,
): Generator<void, Rankings> {
  const count = panel.securities.length
  const scorer = new Scorer(panel, compiled, rules, false)
  const tables = new Tables(days.length, Math.min(depth, count), count)
  const size = new Int32Array(days.length)
  const scores = buffers.doubles(days.length * count)
  const fail = buffers.bytes(days.length * count)
  const bestScore = new Float64Array(days.length)
  const worstScore = new Float64Array(days.length)
  const weight = compiled.weight ? buffers.doubles(days.length * count) : null
  const factors = [...compiled.filters, ...compiled.ranks].map((each) => each.factor)
  if (compiled.weight) factors.push(compiled.weight)
  for (const { factor } of compiled.timing) if (factor) factors.push(factor)
  factors.push(...neutralFactorsOf(compiled))
  const thresholds = compiled.timing.flatMap(({ row, factor }) => (timingRules[row.rule].value === 'level' && factor ? [factor] : []))
  const means = thresholds.map(() => new Float64Array(days.length))
  const present = factors.map((factor) => ({ factor, days: new Uint8Array(days.length) }))
  const isKept = keepsNormalized && days.length * count * scorer.normalized.length <= normalizedBudget
  const normalized: NormalizedFactors | null = isKept
    ? {
        values: scorer.normalized.map(() => buffers.doubles(days.length * count)),
        best: scorer.normalized.map(() => buffers.doubles(days.length)),
        worst: scorer.normalized.map(() => buffers.doubles(days.length)),
      }
    : null

  const flat = compiled.ranks.map(({ factor }) => ({ factor, days: 0 }))
  const step = Math.ceil(days.length / mostLooked)
  let looked = 0
  const members = new Float64Array(count)
  const chunk = daysAtOnce(panel, days, factors)
  for (let start = 0; start < days.length; start += chunk) {
    const rows = days.subarray(start, Math.min(days.length, start + chunk))
    scorer.load(rows)
    for (let k = 0; k < rows.length; k++) {
      const at = start + k
      scorer.score(k)
      scores.set(scorer.scores, at * count)
      fail.set(scorer.fail, at * count)
      size[at] = scorer.size
      bestScore[at] = scorer.best
      worstScore[at] = scorer.worst
      tables.write(at, scorer.scores)
      normalized?.values.forEach((values, f) => {
        values.set(scorer.normalized[f], at * count)
        normalized.best[f][at] = scorer.spans[f].best
        normalized.worst[f][at] = scorer.spans[f].worst
      })
      if (at % step === 0) {
        looked++
        for (const each of flat) each.days += Number(mostlyOne(members, scorer.membersOf(each.factor, k, members)) > 0)
      }
      for (const each of present) each.days[at] = Number(scorer.hasValue(each.factor, k))
      if (weight && compiled.weight) {
        const { column, offset } = scorer.values(compiled.weight, k)
        weight.set(column.subarray(offset, offset + count), at * count)
      }
      thresholds.forEach((factor, r) => {
        const { column, offset } = scorer.values(factor, k)
        means[r][at] = meanWhere(column, offset, scorer.pool, 0, count)
      })
    }
    yield
  }
  scorer.end()
  const labels = scorer.rules.map(({ key, label, labelOf }) => ({ key, label, ...(labelOf && { labelOf }) }))
  const { depth: deep, order } = tables
  const { direct } = scorer
  return {
    days,
    count,
    size,
    depth: deep,
    order,
    scores,
    fail,
    rules: labels,
    bestScore,
    worstScore,
    direct,
    weight,
    means,
    normalized,
    flat: { looked, of: flat },
    present,
  }
}

/** Days of a run on which the rank factors are looked at, evenly spread. */
const mostLooked = 16

/** The tables of the best, written day after day. */
export class Tables {
  readonly depth: number
  /** days × depth. */
  readonly order: Int32Array
  readonly #row: Int32Array
  readonly #scratch: RankScratch
  /** The score up to which the best of the next day are looked for, from those of this day's table. */
  #guess = Number.POSITIVE_INFINITY

  constructor(days: number, depth: number, count: number) {
    this.depth = depth
    this.order = new Int32Array(days * depth).fill(-1)
    this.#row = new Int32Array(count)
    this.#scratch = rankScratch(count)
  }

  write(at: number, scores: Float64Array): void {
    const { depth } = this
    const row = this.#row
    const found = bestFirst(scores, depth, row, this.#scratch, this.#guess)
    this.order.set(row.subarray(0, found), at * depth)
    const [best, last] = [scores[row[0]], scores[row[depth - 1]]]
    const bound = last + (last - best) / 4
    this.#guess = found === depth && bound === bound ? bound : Number.POSITIVE_INFINITY
  }
}

/** One row of the rankings, opened for reading. */
export class DayRanking implements Ranked {
  size = 0
  /** Row in the rankings; −1 before the first. */
  row = -1
  readonly #rankings: Rankings
  readonly #places: Int32Array
  #known: Int32Array = new Int32Array(0)
  /** How often a place beyond the table was counted. */
  #counted = 0
  #all: Int32Array | null = null
  #scratch: RankScratch | null = null

  constructor(rankings: Rankings) {
    this.#rankings = rankings
    this.#places = new Int32Array(rankings.count)
  }

  open(row: number): this {
    const { order, depth, size } = this.#rankings
    const before = this.#known
    for (let p = 0; p < before.length; p++) this.#places[before[p]] = 0
    this.row = row
    this.size = size[row]
    this.#all = null
    this.#counted = 0
    this.#known = order.subarray(row * depth, row * depth + Math.min(depth, this.size))
    for (let p = 0; p < this.#known.length; p++) this.#places[this.#known[p]] = p + 1
    return this
  }

  at(place: number): number {
    if (place <= this.#known.length) return this.#known[place - 1]
    return this.#wholeOrder()[place - 1]
  }

  place(security: number): number {
    const near = this.#places[security]
    if (near > 0 || this.#all !== null) return near
    const { scores, count } = this.#rankings
    const own = scores[this.row * count + security]
    if (own !== own) return 0
    if (++this.#counted > mostCounted) {
      this.#wholeOrder()
      return this.#places[security]
    }
    return placeOf(scores, this.row * count, count, security)
  }

  nearPlace(security: number): number {
    return this.#places[security]
  }

  // A place beyond the table is rarely asked for: then the day's whole order is made.
  #wholeOrder(): Int32Array {
    if (this.#all !== null) return this.#all
    const { scores, count } = this.#rankings
    const all = new Int32Array(count)
    this.#scratch ??= rankScratch(count)
    bestFirst(scores.subarray(this.row * count, (this.row + 1) * count), count, all, this.#scratch)
    for (let p = this.#known.length; p < this.size; p++) this.#places[all[p]] = p + 1
    this.#known = all.subarray(0, this.size)
    this.#all = all
    return all
  }
}

/** Counting a place reads the whole row; beyond so many of them, putting the row in order is quicker. */
const mostCounted = 3

/** 0–100, 100 = best possible, NaN outside the pool (api.md 0.1: the order is that of the unscaled sum). */
export function scoreOf(rankings: Rankings, row: number, security: number, place: number): number {
  const { scores, count, size, direct } = rankings
  const own = scores[row * count + security]
  if (own !== own) return Number.NaN
  if (!direct) return scaled(rankings.bestScore[row], rankings.worstScore[row], own)
  return scaled(1, size[row], tiedRank(rankings, row, place) ?? averageRank(scores, row * count, count, security))
}

/** The rank of a place with its ties averaged, when the table shows all of them. */
function tiedRank({ order, depth, scores, count }: Rankings, row: number, place: number): number | null {
  if (place >= depth) return null
  const scoreAt = (p: number) => scores[row * count + order[row * depth + p - 1]]
  const own = scoreAt(place)
  let first = place
  while (first > 1 && scoreAt(first - 1) === own) first--
  let last = place
  while (last < depth && scoreAt(last + 1) === own) last++
  return last < depth ? (first + last) / 2 : null
}

function scaled(best: number, worst: number, own: number): number {
  return worst > best ? (100 * (worst - own)) / (worst - best) : 100
}
