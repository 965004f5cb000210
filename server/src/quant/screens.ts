import { setTimeout as sleep } from 'node:timers/promises'
import type { HistoryScreenBody, MarketFigures, MarketId, RealtimeFactors, RealtimeScreenBody, SecurityFactors } from '@convexa/contract'
import { isSynthetic } from '@convexa/contract/enums/data-mode'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { compileRef, isRate } from '@convexa/engine'
import { ApiError, throwApiError } from '../base/api-error.ts'
import { closeOf, shanghaiDate } from '../base/time.ts'
import type { AppContext } from '../context/app-context.ts'
import type { Calls, MayBeLive } from '../context/compute.ts'
import { newestStamp, type Stamp } from '../feeds/live/quote-store.ts'
import type { Caller } from '../http/caller.ts'
import { type PackedJson, packedJson } from '../http/reply.ts'
import { packedOnce, taggedJson } from '../http/tagged-json.ts'
import { tierOf } from '../usage/limits.ts'
import { counted } from '../usage/quota.ts'
import { admit } from './admission.ts'
import { coalesceRequests } from './coalesce-requests.ts'
import { factorTable } from './factor-lists.ts'
import { type LoadedMarket, loadedMarket } from './loaded-market.ts'
import { newestNote, openPartsNotes } from './open-parts.ts'
import { checkedRefs, checkedRequest, forCompute, namesWith, ownFactors } from './own-factors.ts'
import { canonical } from './params-hash.ts'

// Need → load → compute happens in the worker; the api adds authorization and a short cache. A worker's answer is passed on as its bytes.

/** Our own deadlines lie before the client's (D4). */
const shortMs = 3_900
const longMs = 54_000
/** What is computed once for everybody may take its time. */
const firstMs = 120_000
const screenAgeMs = 3_000

type QuantDeps = Pick<AppContext, 'db' | 'config' | 'compute' | 'now'>

/** Whether a market goes on with a day that is not over: which quotes there are of it, asked for each snapshot once a second at most. */
const stamps = coalesceRequests<Stamp | null>(1_000, 4)
async function liveStamp(db: QuantDeps['db'], { snapshot }: LoadedMarket): Promise<Stamp | null> {
  if (isSynthetic(snapshot.dataMode)) return null
  const stamp = await stamps(snapshot.id, new AbortController().signal, () => newestStamp(db))
  return stamp && stamp.date > snapshot.lastDate ? stamp : null
}
const ifLive = (stamp: Stamp | null): MayBeLive => (stamp ? { live: true } : {})

/** Screens asked within three seconds with the same words on the same data are computed once; a used-up quota refuses its user alone. */
const isAskersOwn = (error: unknown) =>
  error instanceof ApiError && (error.code === errorCodes.dailyLimit || error.code === errorCodes.rateLimited)
const recent = coalesceRequests<Buffer>(screenAgeMs, 64, isAskersOwn)
/** Apart: nobody else waits in the guests' turn, nor loses an answer to their crowd. */
const recentOfGuests = coalesceRequests<Buffer>(screenAgeMs, 64, isAskersOwn)
const figuresKept = coalesceRequests<Calls['figures']['output']>(3_600_000, 8)
/** Trading days of each figure that the home page asks for. */
const homeDays = 60
/** Market series told by the home page. */
const mostSeries = 6

/** The caller: id for own factors, plan as the login has just read it, and whether a guest's turn applies. */
type Asker = Pick<Caller, 'id' | 'level' | 'isDemo'>
const planOf = ({ level, isDemo }: Asker) => tierOf({ vip_level: level, is_demo: isDemo })

/** The screen on the newest day. */
export async function realtimeScreen(
  deps: QuantDeps,
  asker: Asker,
  kind: MarketId,
  body: RealtimeScreenBody,
  signal: AbortSignal,
): Promise<PackedJson> {
  const { db, config, compute } = deps
  const market = await loadedMarket(db, config.dataDir, kind)
  const { parameters, previous, need } = body
  const { own, ...cost } = checkedRequest(market, await ownFactors(db, asker.id, kind), parameters, null)
  admit(market, planOf(asker), cost, 1)
  const [stamp, note] = await Promise.all([liveStamp(db, market), newestNote(deps, market.snapshot)])
  const live = { ...ifLive(stamp), ...(note !== null && { note }) }
  const input = { parameters, ...(previous && { previous }), ...(need && { need }), ...forCompute(own), ...live }
  const packed = await (asker.isDemo ? recentOfGuests : recent)(canonical([market.ref, input]), signal, (stop) =>
    compute.packed('screen', market.ref, input, 'whole', { deadlineMs: longMs, asker, signal: stop }),
  )
  return packedJson(packed)
}

/** The screen on days of the past, with what came after. @throws ApiError 21002 quota, 21007 no trading day of the data, 22xxx, 40000 */
export async function historyScreen(
  deps: QuantDeps,
  asker: Asker,
  kind: MarketId,
  body: HistoryScreenBody,
  signal: AbortSignal,
): Promise<PackedJson> {
  const { db, config, compute } = deps
  const { parameters, trade_date, trade_dates, forward = [], latest, path, need } = body
  if ((trade_date === undefined) === (trade_dates === undefined))
    throwApiError(errorCodes.invalidRequest, '交易日与交易日列表须且只能给一个')
  const dates = [...new Set(trade_dates ?? [trade_date!])]
  const market = await loadedMarket(db, config.dataDir, kind)
  const { own, ...cost } = checkedRequest(market, await ownFactors(db, asker.id, kind), parameters, null)
  admit(market, planOf(asker), cost, dates.length)
  const after = { forward: [...new Set(forward)], ...(latest && { latest }), ...(path && { path }) }
  const notes = await openPartsNotes(deps, market.snapshot, dates)
  const input = { parameters, dates, ...after, ...(need && { need }), ...forCompute(own), notes }
  const packed = await counted(db, asker.id, 'history_screen', () =>
    compute.packed('historyScreen', market.ref, input, 'whole', { deadlineMs: longMs, asker, signal }),
  )
  return packedJson(packed)
}

/** The market's newest day in few numbers, the usual series first; `history`: the days before it too. @throws ApiError 50301 they are still being computed, 21008 */
export async function marketFigures(deps: QuantDeps, kind: MarketId, history: number, signal: AbortSignal): Promise<MarketFigures> {
  return soon(figuresOf(deps, kind, history), signal)
}

/** Has a market's figures computed before anybody asks. */
export const prepareFigures = async (deps: QuantDeps, kind: MarketId): Promise<void> => void (await figuresOf(deps, kind, homeDays))

/**
 * Figures are the same for all and for the whole day, and the first ones take the load of a market: a caller waits for a moment only, but
 * the computation goes on, so that the next caller finds it done.
 */
async function figuresOf({ db, config, compute }: QuantDeps, kind: MarketId, history: number) {
  const market = await loadedMarket(db, config.dataDir, kind)
  const { ref, benchmarks } = market
  const stamp = await liveStamp(db, market)
  const input = { series: benchmarks.filter(({ code }) => !isRate(code)).slice(0, mostSeries), history, ...ifLive(stamp) }
  // New quotes make new figures; without any they are the day's.
  return figuresKept(canonical([ref, input, stamp?.seq ?? null]), new AbortController().signal, () =>
    compute.call('figures', ref, input, { deadlineMs: firstMs, asker: null }),
  )
}

async function soon<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  const late = sleep(shortMs, null, { signal, ref: false }).catch(() => null)
  // A failure that comes after the wait is left to the next caller.
  answer.catch(() => {})
  const first = await Promise.race([answer.then((value) => ({ value })), late])
  if (first) return first.value
  throw new ApiError(errorCodes.busy, '行情正在载入，请稍后重试', { retryAfterSeconds: 2 })
}

/** One security's factors on the newest day, and how some went before; null for an unknown code. */
export async function factorsOf(
  deps: QuantDeps,
  asker: Asker,
  kind: MarketId,
  request: { code: string; history: number; keys: readonly string[] },
  signal: AbortSignal,
): Promise<SecurityFactors | null> {
  const { db, config, compute } = deps
  const market = await loadedMarket(db, config.dataDir, kind)
  const all = await ownFactors(db, asker.id, kind)
  const { own: _named, ...cost } = checkedRefs(market, all, request.keys)
  admit(market, planOf(asker), cost, Math.max(1, request.history))
  const names = namesWith(market, all)
  const own = all.filter(({ key }) => compileRef(key, names).ok)
  const live = ifLive(await liveStamp(db, market))
  const input = { code: request.code, history: request.history, refs: request.keys, ...forCompute(own), ...live }
  return compute.call('securityFactors', market.ref, input, { deadlineMs: shortMs, asker, signal })
}

/** The factor list, and with `withValues` the cross-section of `keys` (all available ones when none are named) on a day; `facts`: what exclusions look at too. */
export async function realtimeFactors(
  deps: QuantDeps,
  asker: Asker,
  kind: MarketId,
  request: { withValues: boolean; facts: boolean; keys: readonly string[]; date: string | null },
  signal: AbortSignal,
): Promise<PackedJson> {
  const { factors, trade_date } = await factorTable(deps, asker, kind, 'all', signal)
  if (!request.withValues) return taggedJson({ factors, trade_date, data_time: closeOf(trade_date) } satisfies RealtimeFactors)
  const { db, config, compute } = deps
  if (request.date && request.date > shanghaiDate(deps.now())) throwApiError(errorCodes.invalidDates)
  const market = await loadedMarket(db, config.dataDir, kind)
  const all = () => factors.filter(({ available, window }) => available && !window).map(({ factor_key }) => factor_key)
  const refs = request.keys.length > 0 ? request.keys : all()
  const { own, ...cost } = checkedRefs(market, await ownFactors(db, asker.id, kind), refs)
  admit(market, planOf(asker), cost, 1)
  const live = request.date ? {} : ifLive(await liveStamp(db, market))
  const input = { refs, date: request.date, facts: request.facts, remarks: request.keys.length > 0, ...forCompute(own), ...live }
  const section = await compute.packed('crossSection', market.ref, input, 'members', { deadlineMs: shortMs, asker, signal })
  return packedJson('{"factors":', await packedOnce(factors), ',', section)
}
