import type { Parameters, RankFactor } from '@convexa/contract'
import { missingValues } from '@convexa/contract/enums/missing-value'
import { rankMethods } from '@convexa/contract/enums/rank-method'
import { refusal } from '../base/problem.ts'
import type { Problem } from '../expression/index.ts'
import { rankRow } from '../kernels/index.ts'
import type { Market } from '../market/market.ts'
import { lacksBar } from '../panel/missing-bars.ts'
import { type CompiledScreen, compileScreenWith, type Neutral, rankedColumn } from './compiled-screen.ts'
import type { CrossSection, DayFacts, SectionFactor } from './cross-section.ts'
import { ExclusionMasks } from './exclusion-masks.ts'
import { placesOf } from './hold-range.ts'
import { fillOf } from './missing.ts'
import { neutralized } from './neutralize.ts'
import { Orders } from './orders.ts'
import { addRanks, around, lackingIn, rankIn, walkPool } from './pool-ranks.ts'
import { RankedScores } from './ranked-scores.ts'
import { scoresWholePool, standardize } from './score.ts'
import type { ScoredDay, ValueColumn } from './scored.ts'
import { type Screened, screened } from './screened.ts'
import { lackingTexts, unratedNotes } from './universe.ts'

type SectionScreen = CompiledScreen<SectionFactor>

/**
 * Incremental screen on the cross-section of a day: after an edit of the parameters only what it touches is computed again, and the answer is
 * that of `screen`, to the bit.
 *
 * 1. A rule is a bit in the mask of each security, and its bit alone is written again. Securities without a bit are the pool (`exclusion-masks.ts`).
 * 2. A column is put in order once; the ranks of a pool come from a walk along that order, never from a new sort (`orders.ts`).
 * 3. Scores are summed over the pool alone; of their order only the best are searched until a place further down is read.
 *
 * It needs no panel: values come with the section. What it has answered holds until it is asked again.
 */
export class IncrementalScreen {
  readonly #market: Market
  #workspace: Workspace | null = null
  #last: SectionScreen | null = null
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
    const made = compileScreenWith(this.#market, parameters, 'screen', section.factor, section.group)
    if (!made.ok) return made
    const { compiled } = made
    this.#last = compiled
    const { facts } = section
    const lacking = lackingTexts(facts.securities, parameters)
    if (lacking) return { ok: false, problem: refusal('screen', lacking) }
    const workspace = this.#workspaceFor(facts.securities.length)
    const { orders, masks, ranked } = workspace
    orders.begin()
    // A column that is ranked is put in order anyway; its filters then need not look at all of it.
    if (ranksByPlace(compiled)) for (const { row, factor, neutral } of compiled.ranks) if (!neutral) orders.of(rankedColumn(row, factor))
    masks.judge(facts, compiled)
    const scored = this.#score(workspace, compiled, facts)
    const { last } = placesOf(compiled.holdRange, scored.size)
    ranked.open(scored.size, last + parameters.hold_method.hold_threshold + spare)
    const columns = () => this.#valueColumns(section, compiled)
    const unrated = unratedNotes(parameters, facts.columns.get('rating'), 0, facts.securities.length, (i) => scored.failOf(i) === 0)
    const warnings = [...masks.warnings, ...unrated]
    return { ok: true, parts: screened(scored, ranked, facts.securities, columns, warnings, previous) }
  }

  /** Labels of all the rules of the last screen that take a security out, in their order; the first is the one that a screen tells. */
  rulesAgainst(security: number): string[] {
    return this.#last && this.#workspace ? this.#workspace.masks.against(security, this.#last) : []
  }

  #workspaceFor(count: number): Workspace {
    if (this.#workspace?.scores.length !== count) {
      this.#workspace = workspaceFor(this.#market, count)
      this.#known = new WeakMap()
    }
    return this.#workspace
  }

  #score(workspace: Workspace, compiled: SectionScreen, facts: DayFacts): ScoredDay {
    const { ranks } = compiled
    const { masks } = workspace
    const { members, pool } = masks
    const { scores } = workspace
    // A sum with NaN stays NaN: a security outside the pool has no score, whatever its ranks.
    for (let i = 0; i < scores.length; i++) scores[i] = initialScore[pool[i]]
    const byRank = ranksByPlace(compiled)
    const parts = ranks.map((rank, f) => {
      const column = rankedColumn(rank.row, rank.factor)
      return byRank && rank.neutral === null
        ? addByRank(workspace, rank.row, column, members)
        : addByUnits(workspace, rank, column, f, members, byRank)
    })
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
    // A statistic of an empty set fills nothing: a security without a score is not in the pool after all.
    let unscored = 0
    if (!scoresWholePool(compiled)) {
      for (let k = 0; k < members.length; k++) unscored += Number(scores[members[k]] !== scores[members[k]])
    }
    return {
      compiled,
      rules: () => masks.rulesOf(compiled),
      // The section has one.
      day: 0,
      size: masks.size - unscored,
      best,
      worst,
      spans: parts,
      failOf: (i) => masks.failOf(i, scores[i] === scores[i]),
      failures: () => masks.failures(unscored),
      normalizedValue: (f, i) => parts[f].normalizedValue(i),
      rank: byRank ? (f, i) => parts[f].normalizedValue(i) : ranksOf(workspace, parts, members),
      value: (factor: SectionFactor, i) => columnOf(factor)[i],
      hasValues: (factor: SectionFactor) => this.#hasValues(factor.column()),
      lacksBar: (i) => lacksBar({ ...facts, dates: [facts.date] }, i, 0),
      levelOf: (factor: SectionFactor) => factor.level(),
    }
  }

  #hasValues(column: Float64Array): boolean {
    const known = this.#known.get(column)
    if (known !== undefined) return known
    let found = false
    for (let i = 0; i < column.length && !found; i++) found = column[i] === column[i]
    this.#known.set(column, found)
    return found
  }

  /** The factors of the request, then the market's own columns, each once. */
  #valueColumns(section: CrossSection, compiled: SectionScreen): ValueColumn[] {
    const columns = new Map<string, ValueColumn>()
    const add = ({ ref, values, column }: SectionFactor) => {
      if (!columns.has(ref)) columns.set(ref, { ref, values, column: column(), offset: 0 })
    }
    for (const { factor } of [...compiled.filters, ...compiled.ranks]) add(factor)
    for (const ref of this.#market.columns) {
      const found = section.factor(ref)
      if (found.ok) add(found.factor)
    }
    return [...columns.values()]
  }
}

/** Buffers of an incremental screen, by number of securities. */
interface Workspace {
  readonly orders: Orders
  readonly masks: ExclusionMasks
  readonly ranked: RankedScores
  readonly scores: Float64Array
  readonly mask: Uint8Array
  readonly signed: Float64Array
  readonly residuals: Float64Array
  /** Stands for no size and for no group. */
  readonly same: Float64Array
  /** By factor. */
  readonly normalized: Float64Array[]
}

function workspaceFor(market: Market, count: number): Workspace {
  const orders = new Orders(count)
  const { scores, scratch } = orders
  return {
    ...{ orders, scores, masks: new ExclusionMasks(market, count, orders), ranked: new RankedScores(scores, scratch), normalized: [] },
    ...{ mask: new Uint8Array(count), signed: new Float64Array(count), residuals: new Float64Array(count) },
    same: new Float64Array(count).fill(1),
  }
}

const ranksByPlace = ({ parameters }: SectionScreen) => rankMethods[parameters.rank_method].ordinal

/** Places behind the holding and its buffer that are looked for at once: the reserves. */
const spare = 40

/** Initial score: outside the pool, in the pool. */
const initialScore = Float64Array.of(Number.NaN, 0)

/** A rank factor on a pool, its scores added. */
interface Part {
  readonly best: number
  readonly worst: number
  normalizedValue(i: number): number
}

/** A factor as ranks in the pool. Absent values are the worst rank, or rank with what fills them. */
function addByRank({ orders, masks, scores }: Workspace, row: RankFactor, column: Float64Array, members: Int32Array): Part {
  const { prefer, weight, missing_process: process } = row
  const { pool, version, size: worst } = masks
  const ordered = orders.of(column)
  const ranked = worst - lackingIn(ordered, pool)
  const large = prefer === 'large'
  if (ranked === worst || missingValues[process].from === 'score') {
    addRanks({ ordered, pool, version, members, ranked, large, weight, absent: worst, scores })
    const normalizedValue = (i: number) => {
      if (column[i] !== column[i]) return worst
      walkPool(ordered, pool, version)
      return large ? ranked + 1 - rankIn(ordered, i) : rankIn(ordered, i)
    }
    return { best: 1, worst, normalizedValue }
  }
  walkPool(ordered, pool, version)
  const fill = fillOf(process, column, 0, column.length, pool)
  const filled = fill === fill ? worst - ranked : 0
  const { smaller, upTo } = around(ordered, fill)
  const total = ranked + filled
  const turned = (rank: number) => (large ? total + 1 - rank : rank)
  const shared = turned((smaller + upTo + filled + 1) * 0.5)
  const normalizedValue = (i: number) => {
    const value = column[i]
    if (value !== value) return fill === fill ? shared : Number.NaN
    walkPool(ordered, pool, version)
    if (filled === 0 || value < fill) return turned(rankIn(ordered, i))
    return value === fill ? shared : turned(rankIn(ordered, i) + filled)
  }
  for (let k = 0; k < members.length; k++) scores[members[k]] += weight * normalizedValue(members[k])
  return { best: 1, worst, normalizedValue }
}

/** A factor as distances from the pool's mean in its standard deviations, or a neutralized one: computed anew for each pool. */
function addByUnits(
  workspace: Workspace,
  { row, neutral }: SectionScreen['ranks'][number],
  column: Float64Array,
  f: number,
  members: Int32Array,
  byRank: boolean,
): Part {
  const { scores, masks, orders } = workspace
  const { pool } = masks
  const sign = row.prefer === 'small' ? 1 : -1
  const fill = fillOf(row.missing_process, column, 0, pool.length, pool)
  let values: Float64Array = workspace.signed
  for (let i = 0; i < pool.length; i++) values[i] = sign * (column[i] === column[i] ? column[i] : fill)
  if (neutral !== null) values = neutralizedIn(workspace, values, neutral)
  workspace.normalized[f] ??= new Float64Array(pool.length)
  const normalized = workspace.normalized[f]
  const span = { best: 1, worst: masks.size }
  if (byRank) rankRow(values, 0, pool.length, pool, normalized, orders.scratch)
  else standardize(values, pool, normalized, span)
  if (missingValues[row.missing_process].from === 'score') {
    for (let i = 0; i < pool.length; i++) if (pool[i] === 1 && normalized[i] !== normalized[i]) normalized[i] = span.worst
  }
  for (let k = 0; k < members.length; k++) scores[members[k]] += row.weight * normalized[members[k]]
  return { ...span, normalizedValue: (i) => normalized[i] }
}

function neutralizedIn({ same, residuals, masks }: Workspace, values: Float64Array, { size, group }: Neutral<SectionFactor>): Float64Array {
  const cells = (factor: SectionFactor | null) => ({ column: factor?.column() ?? same, offset: 0 })
  return neutralized(values, cells(size), cells(group), masks.pool, residuals)
}

function ranksOf({ scores, mask, normalized, orders }: Workspace, parts: readonly Part[], members: Int32Array): ScoredDay['rank'] {
  let ranks: Float64Array[] | null = null
  return (f, i) => {
    ranks ??= parts.map((_, k) => {
      mask.fill(0)
      for (const m of members) mask[m] = Number(scores[m] === scores[m])
      const out = new Float64Array(mask.length)
      rankRow(normalized[k], 0, mask.length, mask, out, orders.scratch)
      return out
    })
    return ranks[f][i]
  }
}
