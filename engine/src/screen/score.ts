import type { RankFactor } from '@convexa/contract'
import { missingValues } from '@convexa/contract/enums/missing-value'
import { rankMethods } from '@convexa/contract/enums/rank-method'
import { type Expression, evaluateAll } from '../expression/index.ts'
import { BufferPool, rankScratch, ranksOf } from '../kernels/index.ts'
import type { Panel } from '../panel/panel.ts'
import { type CompiledScreen, expressionsOf, type Neutral, neutralFactorsOf } from './compiled-screen.ts'
import { fillOf, forwardFilled } from './missing.ts'
import { neutralized } from './neutralize.ts'
import type { Named, ResolvedFactor } from './resolved-factor.ts'
import { type DayCells, passing, type Rule } from './rules.ts'

/**
 * Scores days of a panel by a compiled screen; a lower score is better. For each day:
 *
 * 1. The rules, in order, say who leaves and why: universe, exclusions, filter rows.
 * 2. A security without a value in a factor whose `missing_process` cannot give one leaves before any rank is computed.
 *    So does one without the size or the group that a factor is neutralized by; its residual in the pool then stands for the value.
 * 3. Each factor becomes a rank in the pool (1 = best, ties averaged) or a z-score (lower = better).
 * 4. score = Σ weight × that. The pool is ordered by score, equal scores by code.
 *
 * With one factor the order by value is the order by rank, so step 3 is left out (`direct`) and the score is the value itself.
 */
export class Scorer {
  readonly rules: readonly Rule[]
  /** Of the day last scored: 0 = in the pool, else 1 + index of the first rule failed. */
  readonly fail: Uint8Array
  /** 1 = in the pool. */
  readonly pool: Uint8Array
  /** Lower is better; NaN outside the pool. */
  readonly scores: Float64Array
  /** By rank factor, unless direct: rank or z-score, lower = better. */
  readonly normalized: readonly Float64Array[]
  /** By rank factor, unless direct: the normalized values of the best and the worst possible. */
  readonly spans: { best: number; worst: number }[]
  readonly direct: boolean
  size = 0
  /** Score of the best and the worst possible, unless direct. */
  best = 0
  worst = 0

  readonly #panel: Panel
  readonly #compiled: CompiledScreen
  readonly #count: number
  readonly #scratch
  readonly #signed: Float64Array
  /** What a value is multiplied with outside the pool and in it: NaN, or the factor's sign. */
  readonly #signs = Float64Array.of(Number.NaN, 1)
  readonly #universe: Uint8Array
  readonly #firstFilter: number
  /** For neutralized factors: the column that stands for no size and no group, and the residuals. */
  readonly #same: Float64Array | null
  readonly #residuals: Float64Array | null
  readonly #own: ReadonlyMap<string, Float64Array>
  readonly #buffers = new BufferPool()
  #columns = new Map<string, Float64Array>()
  #rows: Int32Array = new Int32Array(0)

  /** `keepUnits`: of one factor too, and the values of everybody (a screen tells them). */
  constructor(panel: Panel, compiled: CompiledScreen, rules: readonly Rule[], keepUnits: boolean) {
    const count = panel.securities.length
    this.rules = [...rules, ...missingRules(compiled).map((rule) => ({ ...rule, apply: () => {} }))]
    this.direct =
      !keepUnits &&
      compiled.ranks.length === 1 &&
      compiled.ranks[0].neutral === null &&
      rankMethods[compiled.parameters.rank_method].ordinal &&
      missingValues[compiled.ranks[0].row.missing_process].from !== 'score'
    this.fail = new Uint8Array(count)
    this.pool = new Uint8Array(count)
    this.scores = new Float64Array(count)
    this.normalized = this.direct ? [] : compiled.ranks.map(() => new Float64Array(count))
    this.spans = this.direct ? [] : compiled.ranks.map(() => ({ best: 0, worst: 0 }))
    this.#panel = panel
    this.#compiled = compiled
    this.#count = count
    this.#scratch = rankScratch(count)
    this.#signed = new Float64Array(count)
    this.#universe = new Uint8Array(count)
    const firstFilter = rules.findIndex((rule) => rule.key.startsWith('filter.'))
    this.#firstFilter = firstFilter < 0 ? rules.length : firstFilter
    const isNeutralized = compiled.ranks.some(({ neutral }) => neutral !== null)
    this.#same = isNeutralized ? new Float64Array(count).fill(1) : null
    this.#residuals = isNeutralized ? new Float64Array(count) : null
    this.#own = keepUnits ? new Map() : ownColumns(panel, compiled)
  }

  /** Computes the factors on the days about to be scored (ascending). */
  load(rows: Int32Array): void {
    this.#rows = rows
    const expressions = expressionsOf(this.#compiled).filter(({ text }) => !this.#own.has(text))
    // Days after days go into the memory of those before: to touch new memory costs more than what is computed.
    this.#buffers.release()
    const into = expressions.map(() => this.#buffers.doubles(rows.length * this.#panel.stride))
    const columns = evaluateAll(expressions, this.#panel, rows, { into })
    this.#columns = new Map(expressions.map(({ text }, k) => [text, columns[k]]))
    for (const { row, factor } of this.#compiled.ranks) {
      if (missingValues[row.missing_process].from !== 'history') continue
      this.#columns.set(filledKey(factor), forwardFilled(factor.expression, this.#panel, rows))
    }
  }

  /** No day will be scored or read any more: releases its buffers. */
  end(): void {
    this.#buffers.release()
    this.#columns.clear()
  }

  /** The value of a factor on the k-th loaded day, for each security from `offset`. */
  values(factor: ResolvedFactor, k: number): { column: Float64Array; offset: number } {
    const { text } = factor.expression
    const { stride } = this.#panel
    const own = this.#own.get(text)
    if (own) return { column: own, offset: this.#rows[k] * stride }
    return { column: this.#columns.get(text) as Float64Array, offset: k * stride }
  }

  /** The values of the pool in a factor on the k-th loaded day, the day last scored; says how many. */
  membersOf(factor: ResolvedFactor, k: number, out: Float64Array): number {
    const { column, offset } = this.values(factor, k)
    let members = 0
    for (let i = 0; i < this.#count; i++) if (this.pool[i] === 1) out[members++] = column[offset + i]
    return members
  }

  /** Whether some listed security has a value in a factor on the k-th loaded day. */
  hasValue(factor: ResolvedFactor, k: number): boolean {
    const { column, offset } = this.values(factor, k)
    const { listed, stride } = this.#panel
    const row = this.#rows[k] * stride
    for (let i = 0; i < this.#count; i++) if (column[offset + i] === column[offset + i] && listed[row + i] === 1) return true
    return false
  }

  /** Scores the k-th of the loaded days. */
  score(k: number): void {
    const { fail, pool } = this
    const count = this.#count
    const cells: DayCells = { day: this.#rows[k], count, universe: this.#universe, values: (factor) => this.values(factor, k) }
    fail.fill(0)
    const leading = this.rules.length - this.#compiled.ranks.length
    for (let r = 0; r < leading; r++) {
      if (r === this.#firstFilter) this.#markPassing(this.#universe)
      this.rules[r].apply(fail, r + 1, cells)
    }
    if (this.direct && dropsMissing(this.#compiled.ranks[0].row)) {
      this.#scoreWhole(k, leading + 1)
      return
    }
    this.#dropMissing(k, leading)
    this.size = this.#markPassing(pool)
    if (this.direct) this.#scoreByValue(k)
    else this.#scoreByUnits(k)
  }

  /** The factor's values with gaps of up to 20 days closed, where the request wants that. */
  #ranked(index: number, k: number): { column: Float64Array; offset: number } {
    const { row, factor } = this.#compiled.ranks[index]
    if (missingValues[row.missing_process].from !== 'history') return this.values(factor, k)
    return { column: this.#columns.get(filledKey(factor)) as Float64Array, offset: k * this.#panel.stride }
  }

  #markPassing(mask: Uint8Array): number {
    const { fail } = this
    let left = 0
    for (let i = 0; i < this.#count; i++) left += mask[i] = 1 & passing(fail[i])
    return left
  }

  // First those that nothing can fill, so that the statistics are of the pool that remains; then those of an all-absent factor.
  #dropMissing(k: number, leading: number): void {
    const { fail } = this
    this.#compiled.ranks.forEach(({ row, neutral }, f) => {
      const id = leading + f + 1
      if (neutral?.size) this.#dropWhere(this.values(neutral.size, k), id, (size) => !(size > 0 && size < Number.POSITIVE_INFINITY))
      if (neutral?.group) this.#dropWhere(this.values(neutral.group, k), id, (group) => group !== group)
      if (!dropsMissing(row)) return
      const { column, offset } = this.#ranked(f, k)
      for (let i = 0; i < this.#count; i++) {
        const value = column[offset + i]
        fail[i] |= id & passing(fail[i]) & -Number(value !== value)
      }
    })
  }

  #dropWhere({ column, offset }: { column: Float64Array; offset: number }, id: number, leaves: (value: number) => boolean): void {
    const { fail } = this
    for (let i = 0; i < this.#count; i++) if (fail[i] === 0 && leaves(column[offset + i])) fail[i] = id
  }

  /** Neutralizes the values of the pool by size, group or both: the residuals in this pool. */
  #neutralize({ size, group }: Neutral<ResolvedFactor>, signed: Float64Array, k: number): void {
    const same = { column: this.#same as Float64Array, offset: 0 }
    const sizes = size ? this.values(size, k) : same
    const groups = group ? this.values(group, k) : same
    signed.set(neutralized(signed, sizes, groups, this.pool, this.#residuals as Float64Array))
  }

  /** `#dropMissing`, the pool and `#costByValue` in one walk: the one factor alone says who lacks a value. */
  #scoreWhole(k: number, id: number): void {
    const { scores, pool, fail } = this
    const { column, offset } = this.#ranked(0, k)
    const signs = this.#signs
    signs[1] = signOf(this.#compiled.ranks[0].row)
    let size = 0
    for (let i = 0; i < this.#count; i++) {
      const value = column[offset + i]
      const failed = fail[i] | (id & passing(fail[i]) & -Number(value !== value))
      const isIn = 1 & passing(failed)
      fail[i] = failed
      pool[i] = isIn
      size += isIn
      scores[i] = value * signs[isIn]
    }
    this.size = size
  }

  #scoreByValue(k: number): void {
    const { scores, pool } = this
    const { column, offset, sign, fill } = this.#prepared(0, k)
    const signs = this.#signs
    signs[1] = sign
    for (let i = 0; i < this.#count; i++) {
      const value = column[offset + i]
      scores[i] = (value === value ? value : fill) * signs[pool[i]]
    }
    this.#dropUnscored(0)
  }

  #scoreByUnits(k: number): void {
    const { scores, pool, normalized, spans } = this
    const count = this.#count
    const ranks = this.#compiled.ranks
    const byRank = rankMethods[this.#compiled.parameters.rank_method].ordinal
    for (let i = 0; i < count; i++) scores[i] = pool[i] === 0 ? Number.NaN : 0
    this.best = 0
    this.worst = 0
    for (let f = 0; f < ranks.length; f++) {
      const { neutral } = ranks[f]
      const signed = this.#signedValues(f, k, neutral)
      const normalizedValues = normalized[f]
      if (byRank) {
        ranksOf(signed, pool, normalizedValues, this.#scratch)
        spans[f].best = 1
        spans[f].worst = this.size
      } else {
        standardize(signed, pool, normalizedValues, spans[f])
      }
      const { worst } = spans[f]
      const { weight, missing_process } = ranks[f].row
      if (missingValues[missing_process].from === 'score')
        for (let i = 0; i < count; i++) if (pool[i] === 1 && normalizedValues[i] !== normalizedValues[i]) normalizedValues[i] = worst
      for (let i = 0; i < count; i++) scores[i] += weight * normalizedValues[i]
      this.best += weight * spans[f].best
      this.worst += weight * worst
    }
    if (scoresWholePool(this.#compiled)) return
    for (let f = 0; f < ranks.length; f++) this.#dropUnscored(f)
  }

  /** A factor's values, small = good, gaps filled, neutralized as the request says: the row itself where it is that. */
  #signedValues(f: number, k: number, neutral: Neutral<ResolvedFactor> | null): Float64Array {
    const { column, offset, sign, fill } = this.#prepared(f, k)
    const count = this.#count
    if (sign === 1 && fill !== fill && neutral === null) return column.subarray(offset, offset + count)
    const signed = this.#signed
    for (let i = 0; i < count; i++) {
      const value = column[offset + i]
      signed[i] = sign * (value === value ? value : fill)
    }
    if (neutral !== null) this.#neutralize(neutral, signed, k)
    return signed
  }

  #prepared(f: number, k: number): { column: Float64Array; offset: number; sign: number; fill: number } {
    const { row } = this.#compiled.ranks[f]
    const { column, offset } = this.#ranked(f, k)
    return {
      column,
      offset,
      sign: signOf(row),
      fill: fillOf(row.missing_process, column, offset, this.#count, this.pool),
    }
  }

  // A factor that has no value at all leaves nobody: a statistic of nothing fills nothing.
  #dropUnscored(f: number): void {
    const id = this.rules.length - this.#compiled.ranks.length + f + 1
    const { scores, pool, fail } = this
    for (let i = 0; i < this.#count; i++) {
      if (pool[i] === 1 && scores[i] !== scores[i]) {
        pool[i] = 0
        fail[i] = id
        this.size--
      }
    }
  }
}

/** Cells of factor values held at once: 128 MB of f64, and a quarter of it where a chunk more costs little: its memory is used again. */
const [cellBudget, nearBudget] = [16_000_000, 4_000_000]
/** Days that a chunk looks back at may be this share of it. */
const mostBefore = 1 / 8

/** How many of the days are loaded at once. */
export function daysAtOnce({ stride }: Panel, days: Int32Array, factors: readonly ResolvedFactor[]): number {
  const within = (budget: number) => Math.max(16, Math.floor(budget / (stride * Math.max(1, factors.length))))
  const near = within(nearBudget)
  if (near >= days.length) return near
  const span = days[near] - days[0]
  const isCheap = factors.every(({ expression }) => expression.historyCost === 0 && expression.needs.lookback <= span * mostBefore)
  return isCheap ? near : within(cellBudget)
}

/** The panel's column that an expression is nothing but; undefined where it is more than that. */
export function columnRead({ columns }: Panel, { tree: { graph, root } }: Expression): Float64Array | undefined {
  const node = graph.nodes[root.node]
  return node.kind === 'field' && root.delay === 0 ? columns.get(node.key) : undefined
}

/**
 * Columns of the panel that only rank or filter, by the text of their factor, read in place. They may have values of unlisted securities,
 * which the first rule excludes.
 */
function ownColumns(panel: Panel, compiled: CompiledScreen): Map<string, Float64Array> {
  const { filters, ranks, weight, timing } = compiled
  const others = [weight, ...timing.map(({ factor }) => factor), ...neutralFactorsOf(compiled)]
  const own = new Map<string, Float64Array>()
  for (const { expression } of [...filters, ...ranks].map(({ factor }) => factor)) {
    const column = columnRead(panel, expression)
    if (column && !others.some((other) => other?.expression.text === expression.text)) own.set(expression.text, column)
  }
  return own
}

/** Rules, with their labels, that exclude securities without a value in a rank factor. */
export function missingRules({ ranks }: CompiledScreen<Named>): Pick<Rule, 'key' | 'label'>[] {
  return ranks.map(({ factor, neutral }) => ({
    key: `missing.${factor.ref}`,
    label: [factor, neutral?.size, neutral?.group].flatMap((each) => (each ? [`缺少「${each.label}」`] : [])).join('或'),
  }))
}

/** Every security of the pool certainly has a score: ranks of values without gaps. */
export function scoresWholePool({ ranks, parameters }: CompiledScreen<Named>): boolean {
  return rankMethods[parameters.rank_method].ordinal && ranks.every(({ row, neutral }) => neutral === null && dropsMissing(row))
}

/** Securities without a value in the factor are excluded, so every ranked one has a value. */
export function dropsMissing({ missing_process: process }: RankFactor): boolean {
  return missingValues[process].from === 'nothing' || missingValues[process].from === 'history'
}

/** Small scores are the best. */
const signOf = ({ prefer }: RankFactor): 1 | -1 => (prefer === 'small' ? 1 : -1)

function filledKey(factor: ResolvedFactor): string {
  return `${factor.expression.text}\u0000filled`
}

/** Numbers that differ by less than this share of themselves are the same. */
const rounding = 1e-12

/** z-scores inside the pool (ddof 1); a factor that is the same for all says nothing: 0. */
export function standardize(values: Float64Array, pool: Uint8Array, out: Float64Array, span: { best: number; worst: number }): void {
  let n = 0
  let sum = 0
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (let i = 0; i < pool.length; i++) {
    const value = values[i]
    if (pool[i] === 1 && value === value) {
      sum += value
      n++
      if (value < least) least = value
      if (value > most) most = value
    }
  }
  const mean = sum / n
  let squares = 0
  for (let i = 0; i < pool.length; i++) {
    const distance = values[i] - mean
    if (pool[i] === 1 && distance === distance) squares += distance * distance
  }
  // The mean of equal numbers is a hair beside them: that is no deviation.
  const isSame = !(most - least > rounding * Math.max(Math.abs(most), Math.abs(least)))
  const deviation = n > 1 && !isSame ? Math.sqrt(squares / (n - 1)) : 0
  span.best = 0
  span.worst = 0
  for (let i = 0; i < pool.length; i++) {
    if (pool[i] === 0) {
      out[i] = Number.NaN
      continue
    }
    const z = deviation > 0 ? (values[i] - mean) / deviation : values[i] === values[i] ? 0 : Number.NaN
    out[i] = z
    if (z < span.best) span.best = z
    if (z > span.worst) span.worst = z
  }
}
