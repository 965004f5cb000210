import type { Parameters, ScreenResult } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { isFraction } from '@convexa/contract/enums/hold-range'
import { type HoldWeight, holdWeights, isByFactor } from '@convexa/contract/enums/hold-weight'
import { weigh } from '@convexa/engine'
import { throwApiError } from '../base/api-error.ts'
import { addDays, tradingDays } from '../market/calendar.ts'
import { admit } from '../quant/admission.ts'
import { checkedRequest, forCompute, ownFactors } from '../quant/own-factors.ts'
import { planOf } from '../usage/limits.ts'
import type { ConfigRow } from './configs.ts'
import { type MarketDay, marketDay, type QmtDeps } from './market-day.ts'

const deadlineMs = 40_000

/** A rule of a source with its share of the money. */
export interface Member {
  readonly parameters: Parameters
  readonly share: number
}

/** The rules that a config trades: one of a strategy, several of a group. @throws ApiError 40004 the source is gone */
export async function membersOf({ db }: QmtDeps, { user_id, kind, source_type, source_id }: ConfigRow): Promise<Member[]> {
  const strategies = db.selectFrom('strategy as s').where('s.user_id', '=', user_id).where('s.kind', '=', kind)
  if (source_type === 'strategy') {
    const found = await strategies.select('s.detail').where('s.id', '=', source_id).executeTakeFirst()
    return found ? [{ parameters: found.detail, share: 1 }] : throwApiError(errorCodes.notFound)
  }
  const members = await strategies
    .innerJoin('strategy_group_member as m', (join) => join.onRef('m.strategy_id', '=', 's.id').onRef('m.user_id', '=', 's.user_id'))
    .select(['s.detail', 'm.weight'])
    .where('m.group_id', '=', source_id)
    .orderBy('m.place')
    .execute()
  return members.length > 0
    ? members.map(({ detail, weight }) => ({ parameters: detail, share: weight }))
    : throwApiError(errorCodes.notFound)
}

/** The newest day of a source's market, with what its rules weigh by. */
export async function dayFor(deps: QmtDeps, config: ConfigRow, members: readonly Member[], signal: AbortSignal): Promise<MarketDay> {
  const refs = isByFactor(config.hold_weight_type) ? members.map(({ parameters }) => parameters.hold_method.hold_weight_factor) : []
  if (refs.includes(undefined)) throwApiError(errorCodes.invalidRequest, '所选策略没有设置权重因子，请换一种权重方式')
  const own = await ownFactors(deps.db, config.user_id, config.kind)
  return marketDay(deps, config.user_id, config.kind, signal, { refs: refs.filter((ref) => ref !== undefined), own })
}

export type Screened = Omit<ScreenResult, 'data_time' | 'realtime'>

/** A rule's screen on the newest day, against what is held. @throws ApiError 22xxx, 40000 the rule, 50301 */
export async function screenNow(
  deps: QmtDeps,
  userId: string,
  { market, kind }: MarketDay,
  parameters: Parameters,
  previous: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<Screened> {
  const { own, ...cost } = checkedRequest(market, await ownFactors(deps.db, userId, kind), parameters, null)
  admit(market, await planOf(deps.db, userId), cost, 1)
  const input = {
    parameters,
    ...(previous && { previous: [...previous] }),
    need: ['list' as const, 'excluded' as const],
    ...forCompute(own),
  }
  return deps.compute.call('screen', market.ref, input, { deadlineMs, asker: { id: userId }, signal })
}

/** The same on the trading day before; null where the data begin later. */
export async function screenBefore(
  deps: QmtDeps,
  userId: string,
  { market, kind, signalDate }: MarketDay,
  parameters: Parameters,
  signal: AbortSignal,
): Promise<Screened | null> {
  const before = tradingDays(addDays(signalDate, -30), addDays(signalDate, -1)).at(-1)
  if (!before || before < market.snapshot.firstDate) return null
  const { own } = checkedRequest(market, await ownFactors(deps.db, userId, kind), parameters, null)
  const input = { parameters, dates: [before], forward: [], need: ['list' as const], ...forCompute(own) }
  const { results } = await deps.compute.call('historyScreen', market.ref, input, { deadlineMs, asker: { id: userId }, signal })
  return results[0] ?? null
}

/** What a source lists on a day: with a weight to be bought, without one to be kept while held. */
export interface Listed {
  readonly code: string
  readonly rank: number
  readonly weight: number
}

export interface Ranks {
  readonly hold_rank: number | null
  readonly buy_rank: number | null
}

/** One rule's list with the weights of the config. */
export function listOf(
  day: MarketDay,
  screened: Screened,
  { hold_method: hold }: Parameters,
  type: HoldWeight,
  { hold_rank, buy_rank }: Ranks,
): Listed[] {
  const ranked = screened.list_items.filter((row) => row.rank !== null).sort((a, b) => a.rank! - b.rank!)
  const chosen = ranked.filter(({ selected }) => selected)
  const range = hold.hold_range_end - hold.hold_range_start + 1
  const places = !isFraction(hold) && hold.empty_slot === 'cash' ? Math.max(chosen.length, range) : chosen.length
  const { by } = holdWeights[type]
  const values = Float64Array.from(chosen, ({ code }) => {
    const quote = day.quotes.get(code)
    if (by === 'size') return quote?.size ?? Number.NaN
    if (by === 'volatility') return quote?.volatility ?? Number.NaN
    return quote?.values.get(hold.hold_weight_factor ?? '') ?? Number.NaN
  })
  const order = chosen.map((_, i) => i)
  const weights = weigh(type, chosen.length, places, hold.hold_max_weight, order, values)
  const weightOf = new Map(chosen.map(({ code }, i) => [code, weights[i]!]))
  const last = chosen.at(-1)?.rank ?? 0
  const keepTo = Math.max(last, hold_rank ?? last + hold.hold_threshold)
  return ranked.flatMap(({ code, rank }) => {
    const weight = buy_rank === null || rank! <= buy_rank ? (weightOf.get(code) ?? 0) : 0
    return weight > 0 || weightOf.has(code) || rank! <= keepTo ? [{ code, rank: rank!, weight }] : []
  })
}

/** Lists of several rules as one: weights together, the heaviest first, then by rank. */
export function together(lists: readonly { readonly share: number; readonly list: readonly Listed[] }[]): Listed[] {
  const [only] = lists
  if (lists.length === 1 && only) return only.list.map((one) => ({ ...one, weight: one.weight * only.share }))
  const all = new Map<string, { weight: number; rank: number }>()
  for (const { share, list } of lists) {
    for (const { code, rank, weight } of list) {
      const one = all.get(code)
      all.set(code, { weight: (one?.weight ?? 0) + weight * share, rank: Math.min(one?.rank ?? rank, rank) })
    }
  }
  return [...all]
    .sort(([a, x], [b, y]) => y.weight - x.weight || x.rank - y.rank || (a < b ? -1 : 1))
    .map(([code, { weight }], i) => ({ code, rank: i + 1, weight }))
}
