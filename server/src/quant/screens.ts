import type {
  FactorMeta,
  factorScopes,
  HistoryScreenBody,
  HistoryScreenResult,
  Kind,
  MarketFigures,
  RealtimeFactors,
  RealtimeScreenBody,
  ScreenResult,
  SecurityFactors,
} from '@convexa/contract'
import { compileRef } from '@convexa/engine'
import { Failure, fail } from '../http/fail.ts'
import { shanghaiDate } from '../time.ts'
import type { World } from '../world.ts'
import { admit } from './admission.ts'
import { planOf } from './limits.ts'
import { type LoadedMarket, loadedMarket } from './loaded-market.ts'
import {
  checkedRefs,
  checkedRequest,
  forCompute,
  namesWith,
  type OwnFactor,
  ownFactors,
  ownMetas,
  strategiesNaming,
} from './own-factors.ts'
import { canonical } from './params-hash.ts'
import { counted } from './quota.ts'

// Need → load → compute happens in the worker; here is what the api adds: the data's time, and answers that are kept a little.

/** Our own deadlines lie before the client's (D4). */
const shortMs = 3_900
const longMs = 54_000
/** The list of factors looks over every field: the first time of a snapshot may take longer than one call waits. */
const listMs = 120_000
const screenAgeMs = 3_000

type Ground = Pick<World, 'db' | 'config' | 'compute' | 'now'>
type Scope = (typeof factorScopes)[number]

/** Demo and imported data are the closes of their day. */
const closeOf = (date: string): string => `${date}T15:00:00+08:00`

/** Screens asked within three seconds with the same words on the same data are computed once. */
const recent = shared<Omit<ScreenResult, 'data_time' | 'realtime'>>(screenAgeMs, 64)
/** A snapshot's factors never change. */
const lists = shared<{ factors: FactorMeta[]; trade_date: string }>(3_600_000, 24)

/** Shares of a user's own factors with a value. */
const coverages = shared<(number | null)[]>(600_000, 64)
const figuresKept = shared<Omit<MarketFigures, 'data_time' | 'realtime'>>(3_600_000, 8)
/** Market series told by the home page. */
const mostSeries = 6

/** Who asks: their own factors, their plan. */
type Asker = { readonly id: string }

/** The screen on the newest day. */
export async function realtimeScreen(
  ground: Ground,
  asker: Asker,
  kind: Kind,
  body: RealtimeScreenBody,
  signal: AbortSignal,
): Promise<ScreenResult> {
  const { db, config, compute } = ground
  const market = await loadedMarket(db, config.dataDir, kind)
  const { parameters, previous, need } = body
  const { own, ...cost } = checkedRequest(market, await ownFactors(db, asker.id, kind), parameters, null)
  admit(market, await planOf(db, asker.id), cost, 1)
  const input = { parameters, ...(previous && { previous }), ...(need && { need }), ...forCompute(own) }
  const result = await recent(canonical([market.ref, input]), signal, (stop) =>
    compute.call('screen', market.ref, input, { deadlineMs: longMs, asker, signal: stop }),
  )
  return { ...result, data_time: closeOf(result.trade_date), realtime: false }
}

/** The screen on days of the past, with what came after. @throws Failure 21002 quota, 21007 no trading day of the data, 22xxx, 40000 */
export async function historyScreen(
  ground: Ground,
  asker: Asker,
  kind: Kind,
  body: HistoryScreenBody,
  signal: AbortSignal,
): Promise<HistoryScreenResult> {
  const { db, config, compute } = ground
  const { parameters, trade_date, trade_dates, forward = [], latest, path, need } = body
  if ((trade_date === undefined) === (trade_dates === undefined)) fail(40000, 'trade_date')
  const dates = [...new Set(trade_dates ?? [trade_date!])]
  const market = await loadedMarket(db, config.dataDir, kind)
  const { own, ...cost } = checkedRequest(market, await ownFactors(db, asker.id, kind), parameters, null)
  admit(market, await planOf(db, asker.id), cost, dates.length)
  const after = { forward: [...new Set(forward)], ...(latest && { latest }), ...(path && { path }) }
  const input = { parameters, dates, ...after, ...(need && { need }), ...forCompute(own) }
  const { results } = await counted(db, asker.id, 'history_screen', () =>
    compute.call('historyScreen', market.ref, input, { deadlineMs: longMs, asker, signal }),
  )
  return { results: results.map((result) => ({ ...result, data_time: closeOf(result.trade_date), realtime: false })) }
}

/** Every factor of a scope, an unavailable one with its reason; the asker's own come last. */
export async function factors(ground: Ground, asker: Asker, kind: Kind, scope: Scope, signal: AbortSignal): Promise<FactorMeta[]> {
  return (await factorTable(ground, asker, kind, scope, signal)).factors
}

/** Makes the list of a market before anybody asks: it looks over every field, which takes longer than a call waits on a busy machine. */
export async function prepareFactors(
  { db, config, compute }: Pick<World, 'db' | 'config' | 'compute'>,
  kind: Kind,
  stop: AbortSignal,
): Promise<void> {
  const { ref } = await loadedMarket(db, config.dataDir, kind)
  await lists(canonical([ref, 'all']), stop, () => compute.call('factors', ref, { scope: 'all' }, { deadlineMs: listMs, asker: null }))
}

async function factorTable(ground: Ground, asker: Asker, kind: Kind, scope: Scope, signal: AbortSignal) {
  const { db, config, compute } = ground
  const market = await loadedMarket(db, config.dataDir, kind)
  const { ref } = market
  // Not stopped with its first asker: the next one is served by it.
  const builtIn = await lists(canonical([ref, scope]), signal, () =>
    compute.call('factors', ref, { scope }, { deadlineMs: listMs, asker: null }),
  )
  if (scope !== 'all' && scope !== 'custom') return builtIn
  const own = await ownFactors(db, asker.id, kind)
  if (own.length === 0) return builtIn
  const [coverage, named] = await Promise.all([coverageOf(ground, market, own, signal), strategiesNaming(db, asker.id, kind)])
  const metas = ownMetas(market, own, coverage, named)
  return { ...builtIn, factors: [...builtIn.factors, ...metas] }
}

/** Of those that can be computed, each cheap enough to be; a list must not wait for the others. */
async function coverageOf({ compute }: Ground, market: LoadedMarket, own: readonly OwnFactor[], signal: AbortSignal) {
  const names = namesWith(market, own)
  const refs = own.filter(({ key }) => compileRef(key, names).ok).map(({ key }) => key)
  const input = { refs, ...forCompute(own) }
  const shares = await coverages(canonical([market.ref, input]), signal, (stop) =>
    compute.call('coverage', market.ref, input, { deadlineMs: shortMs - 1_000, asker: null, signal: stop }),
  ).catch((error: unknown) => (error instanceof Failure && error.code === 23021 ? [] : Promise.reject(error)))
  return own.map(({ key }) => shares[refs.indexOf(key)] ?? null)
}

/** The market's newest day in few numbers, the usual series first; `history`: the days before it too. */
export async function marketFigures(ground: Ground, kind: Kind, history: number, signal: AbortSignal): Promise<MarketFigures> {
  const { db, config, compute } = ground
  const { ref, benchmarks } = await loadedMarket(db, config.dataDir, kind)
  const input = { series: benchmarks.slice(0, mostSeries), history }
  const figures = await figuresKept(canonical([ref, input]), signal, () =>
    compute.call('figures', ref, input, { deadlineMs: shortMs, asker: null }),
  )
  return { ...figures, data_time: closeOf(figures.trade_date), realtime: false }
}

/** One security's factors on the newest day, and how some went before; null for an unknown code. */
export async function factorsOf(
  ground: Ground,
  asker: Asker,
  kind: Kind,
  asked: { code: string; history: number; keys: readonly string[] },
  signal: AbortSignal,
): Promise<SecurityFactors | null> {
  const { db, config, compute } = ground
  const market = await loadedMarket(db, config.dataDir, kind)
  const all = await ownFactors(db, asker.id, kind)
  const { own: _named, ...cost } = checkedRefs(market, all, asked.keys)
  admit(market, await planOf(db, asker.id), cost, Math.max(1, asked.history))
  const names = namesWith(market, all)
  const own = all.filter(({ key }) => compileRef(key, names).ok)
  const input = { code: asked.code, history: asked.history, refs: asked.keys, ...forCompute(own) }
  const found = await compute.call('securityFactors', market.ref, input, { deadlineMs: shortMs, asker, signal })
  return found && { ...found, data_time: closeOf(found.trade_date) }
}

/** The factor list, and with `withValues` the cross-section of `keys` (all available ones when none are named) on a day; `facts`: what exclusions look at too. */
export async function realtimeFactors(
  ground: Ground,
  asker: Asker,
  kind: Kind,
  asked: { withValues: boolean; facts: boolean; keys: readonly string[]; date: string | null },
  signal: AbortSignal,
): Promise<RealtimeFactors> {
  const { factors, trade_date } = await factorTable(ground, asker, kind, 'all', signal)
  if (!asked.withValues) return { factors, trade_date, data_time: closeOf(trade_date) }
  const { db, config, compute } = ground
  if (asked.date && asked.date > shanghaiDate(ground.now())) fail(21007)
  const market = await loadedMarket(db, config.dataDir, kind)
  const all = () => factors.filter(({ available, window }) => available && !window).map(({ factor_key }) => factor_key)
  const refs = asked.keys.length > 0 ? asked.keys : all()
  const { own, ...cost } = checkedRefs(market, await ownFactors(db, asker.id, kind), refs)
  admit(market, await planOf(db, asker.id), cost, 1)
  const input = { refs, date: asked.date, facts: asked.facts, ...forCompute(own) }
  const section = await compute.call('crossSection', market.ref, input, { deadlineMs: shortMs, asker, signal })
  return { factors, ...section, data_time: closeOf(section.trade_date) }
}

/**
 * Shares answers: equal keys within `ageMs` get one computation. It is stopped when all who wait for it have gone, and forgotten when it
 * failed.
 */
function shared<T>(ageMs: number, most: number) {
  interface Entry {
    readonly at: number
    readonly value: Promise<T>
    readonly stop: AbortController
    waiting: number
    settled: boolean
  }
  const entries = new Map<string, Entry>()

  return async (key: string, signal: AbortSignal, make: (stop: AbortSignal) => Promise<T>): Promise<T> => {
    const now = performance.now()
    for (const [old, { at }] of entries) if (now - at > ageMs || entries.size > most) entries.delete(old)
    let entry = entries.get(key)
    if (!entry) {
      const stop = new AbortController()
      const made: Entry = { at: now, value: make(stop.signal), stop, waiting: 0, settled: false }
      made.value.then(
        () => {
          made.settled = true
        },
        () => {
          if (entries.get(key) === made) entries.delete(key)
        },
      )
      entries.set(key, made)
      entry = made
    }
    const { value, stop } = entry
    const leave = () => {
      if (--entry.waiting > 0 || entry.settled) return
      if (entries.get(key) === entry) entries.delete(key)
      stop.abort()
    }
    entry.waiting++
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await value
    } finally {
      if (!signal.aborted) {
        signal.removeEventListener('abort', leave)
        entry.waiting--
      }
    }
  }
}
