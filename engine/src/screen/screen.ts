import type { Parameters, ScreenResult } from '@convexa/contract'
import { rankMethods } from '@convexa/contract/enums/rank-method'
import { rangeRefusal, refusal } from '../base/problem.ts'
import { evaluate, type Problem } from '../expression/index.ts'
import { rankRow, rankScratch } from '../kernels/index.ts'
import { exitDatesFor } from '../market/exit-dates.ts'
import type { Market } from '../market/market.ts'
import { lacksBar, missingOn } from '../panel/missing-bars.ts'
import type { Panel } from '../panel/panel.ts'
import { availableIn } from '../panel-views/available.ts'
import { type CompiledScreen, compileScreen, expressionsOf, panelFor } from './compiled-screen.ts'
import { conditionRules } from './conditions.ts'
import { exclusionFields, listColumns } from './list-columns.ts'
import { bestFirst } from './order.ts'
import { priceLevels } from './price-levels.ts'
import type { PriceLevel, ResolvedFactor } from './resolved-factor.ts'
import { Scorer } from './score.ts'
import type { ScoredDay, ValueColumn } from './scored.ts'
import { answerOf, screened } from './screened.ts'
import { lackingTexts, universeRules, unratedNotes } from './universe.ts'

export interface ScreenRequest {
  readonly parameters: Parameters
  /** Index of the day in the panel's dates. */
  readonly day: number
  /** Codes held now, for `change` and the buffer. */
  readonly previous?: readonly string[]
  /** Parts to answer; absent = all. */
  readonly need?: readonly ('list' | 'reserve' | 'excluded' | 'funnel')[]
}

export type ScreenOutcome = { ok: true; result: Omit<ScreenResult, 'data_time' | 'realtime'> } | { ok: false; problem: Problem }

/**
 * Universe, exclusions, conditions and ranking on one day → rows, best first.
 *
 * The rows are the whole ranking; of `previous` those that left the pool follow it without a rank. A last day is known from
 * its announcement on. Fields the request needs and the panel lacks are a problem that names them.
 */
export function screen(panel: Panel, market: Market, request: ScreenRequest): ScreenOutcome {
  const { parameters, day } = request
  const available = availableIn(panel, market.fields)
  const made = compileScreen(market, available, parameters, 'screen')
  if (!made.ok) return made
  if (!(day >= 0 && day < panel.dates.length)) {
    return { ok: false, problem: rangeRefusal(panel.dates[0], panel.dates[panel.dates.length - 1]) }
  }
  const lacking = lackingTexts(panel.securities, parameters)
  if (lacking) return { ok: false, problem: refusal('screen', lacking) }
  const { compiled } = made
  const listed = listColumns(market, available)
  const read = [...expressionsOf(compiled), ...listed.map(({ expression }) => expression)]
  const full = panelFor(panel, read, exclusionFields(market, parameters))
  const count = panel.securities.length
  const { missingBars: _days, ...input } = full
  const universe = universeRules({ ...input, ...missingOn(panel, day) }, market, parameters, exitDatesFor(panel, market))
  const scorer = new Scorer(full, compiled, [...universe.rules, ...conditionRules(compiled, count)], true)
  scorer.load(Int32Array.of(day))
  scorer.score(0)

  const order = new Int32Array(count)
  bestFirst(scorer.scores, count, order, rankScratch(count))
  const places = new Int32Array(count)
  for (let p = 0; p < scorer.size; p++) places[order[p]] = p + 1
  const place = (security: number) => places[security]
  const ranked = { size: scorer.size, at: (wanted: number) => order[wanted - 1], place, nearPlace: place }
  const columns = () => valueColumns(full, day, compiled, scorer, listed)
  const ratings = full.columns.get('rating')
  const unrated = unratedNotes(parameters, ratings, day * full.stride, count, (i) => scorer.fail[i] === 0)
  const parts = screened(
    { ...scoredDay(compiled, scorer, day, count, priceLevels(panel, market)), lacksBar: (i) => lacksBar(panel, i, day) },
    ranked,
    panel.securities,
    columns,
    [...universe.warnings, ...unrated],
    request.previous,
  )
  const about = { trade_date: panel.dates[day], data_mode: panel.dataMode, data_version: panel.dataVersion }
  return { ok: true, result: { ...about, ...answerOf(parts, request.need) } }
}

function scoredDay(
  compiled: CompiledScreen,
  scorer: Scorer,
  day: number,
  count: number,
  levelOf: (factor: ResolvedFactor) => PriceLevel,
): Omit<ScoredDay, 'lacksBar'> {
  const ranks = rankMethods[compiled.parameters.rank_method].ordinal ? scorer.normalized : ranksOf(scorer, count)
  return {
    compiled,
    rules: () => scorer.rules,
    day,
    size: scorer.size,
    best: scorer.best,
    worst: scorer.worst,
    spans: scorer.spans,
    failOf: (i) => scorer.fail[i],
    failures() {
      const counts = new Int32Array(scorer.rules.length + 1)
      for (let i = 0; i < count; i++) counts[scorer.fail[i]]++
      return counts
    },
    normalizedValue: (f, i) => scorer.normalized[f][i],
    rank: (f, i) => ranks[f][i],
    levelOf,
    value(factor: ResolvedFactor, i) {
      const { column, offset } = scorer.values(factor, 0)
      return column[offset + i]
    },
    hasValues(factor: ResolvedFactor) {
      const { column, offset } = scorer.values(factor, 0)
      for (let i = 0; i < count; i++) if (column[offset + i] === column[offset + i]) return true
      return false
    },
  }
}

function ranksOf({ normalized, pool }: Scorer, count: number): Float64Array[] {
  const scratch = rankScratch(count)
  return normalized.map((unit) => {
    const ranks = new Float64Array(count)
    rankRow(unit, 0, count, pool, ranks, scratch)
    return ranks
  })
}

/** The factors of the request, then the market's own columns, each once. */
function valueColumns(
  panel: Panel,
  day: number,
  compiled: CompiledScreen,
  scorer: Scorer,
  listed: ReturnType<typeof listColumns>,
): ValueColumn[] {
  const columns = new Map<string, ValueColumn>()
  for (const { factor } of [...compiled.filters, ...compiled.ranks]) {
    columns.set(factor.ref, { ref: factor.ref, values: factor.values, ...scorer.values(factor, 0) })
  }
  for (const { ref, expression, values } of listed) {
    if (!columns.has(ref)) columns.set(ref, { ref, values, column: evaluate(expression, panel, [day]), offset: 0 })
  }
  return [...columns.values()]
}
