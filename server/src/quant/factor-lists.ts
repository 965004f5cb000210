import { setTimeout as sleep } from 'node:timers/promises'
import type { FactorMeta, factorScopes, MarketId } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { compileRef, factorList, markets } from '@convexa/engine'
import { ApiError } from '../base/api-error.ts'
import type { AppContext } from '../context/app-context.ts'
import type { Calls } from '../context/compute.ts'
import { planOf } from '../usage/limits.ts'
import { admit } from './admission.ts'
import { coalesceRequests } from './coalesce-requests.ts'
import { type LoadedMarket, loadedMarket } from './loaded-market.ts'
import { checkedRefs, forCompute, namesWith, type OwnFactor, ownFactors, ownMetas, strategiesNaming } from './own-factors.ts'
import { canonical } from './params-hash.ts'

/**
 * The factors of a market. Their definitions are known at once; the share of the securities that have a value of each takes a look over
 * every field of the newest day, seconds after a start. A request before that gets the list without shares, and is repeated.
 */

type QuantDeps = Pick<AppContext, 'db' | 'config' | 'compute'>
type Scope = (typeof factorScopes)[number]
type Table = { readonly factors: FactorMeta[]; readonly trade_date: string }

const listMs = 120_000
/** So long a list waits for its shares. */
const patienceMs = 1_500
/** And so long the whole answer: our own deadline lies before the client's. */
const answerMs = 3_800

/** A snapshot's factors never change. */
const lists = coalesceRequests<Table>(3_600_000, 24)
const plainLists = new WeakMap<ReadonlySet<string>, Map<Scope, Table>>()
/** Shares of a user's own factors with a value. */
const coverages = coalesceRequests<(number | null)[]>(600_000, 64)

/** Every factor of a scope, an unavailable one with its reason; the asker's own come last. */
export async function factors(
  deps: QuantDeps,
  asker: { readonly id: string },
  kind: MarketId,
  scope: Scope,
  signal: AbortSignal,
): Promise<FactorMeta[]> {
  return (await factorTable(deps, asker, kind, scope, signal)).factors
}

/** Has the shares of a market counted before anybody asks. */
export async function prepareFactors({ db, config, compute }: QuantDeps, kind: MarketId, stop: AbortSignal): Promise<void> {
  await covered({ compute }, await loadedMarket(db, config.dataDir, kind), 'all', stop)
}

export async function factorTable(
  deps: QuantDeps,
  asker: { readonly id: string },
  kind: MarketId,
  scope: Scope,
  signal: AbortSignal,
): Promise<Table> {
  const { db, config } = deps
  const until = performance.now() + answerMs
  const market = await loadedMarket(db, config.dataDir, kind)
  const builtIn = scope === 'custom' ? plain(market, scope) : await soonCovered(deps, market, scope, signal)
  if (scope !== 'all' && scope !== 'custom') return builtIn
  const own = await ownFactors(db, asker.id, kind)
  if (own.length === 0) return builtIn
  const [coverage, named] = await Promise.all([coverageOf(deps, market, own, until, signal), strategiesNaming(db, asker.id, kind)])
  const metas = ownMetas(market, own, coverage, named)
  return { ...builtIn, factors: [...builtIn.factors, ...metas] }
}

async function soonCovered(deps: QuantDeps, market: LoadedMarket, scope: Scope, signal: AbortSignal): Promise<Table> {
  // Not stopped with its first asker: the next one is served by it.
  const whole = covered(deps, market, scope, new AbortController().signal)
  const late = sleep(patienceMs, null, { signal, ref: false }).catch(() => null)
  const table = await Promise.race([whole.catch(notYet), late])
  return table ?? plain(market, scope)
}

const unanswered: ReadonlySet<number> = new Set([errorCodes.busy, errorCodes.computeCrashed, errorCodes.computeTimeout])

/** No worker yet, all of them busy, or none that is done in time. */
function notYet(error: unknown): null {
  if (error instanceof ApiError && unanswered.has(error.code)) return null
  throw error
}

function covered({ compute }: Pick<QuantDeps, 'compute'>, { ref }: LoadedMarket, scope: Scope, signal: AbortSignal): Promise<Table> {
  return lists(canonical([ref, scope]), signal, () => compute.call('factors', ref, { scope }, { deadlineMs: listMs, asker: null }))
}

function plain({ ref, snapshot, available, benchmarks }: LoadedMarket, scope: Scope): Table {
  const known = plainLists.get(available) ?? new Map<Scope, Table>()
  plainLists.set(available, known)
  const series = new Set(benchmarks.map(({ code }) => code))
  const table = known.get(scope) ?? {
    factors: factorList(markets[ref.kind], available, scope, undefined, series),
    trade_date: snapshot.lastDate,
  }
  known.set(scope, table)
  return table
}

/** What is known of factors on the newest day: the share of the listed securities that have a value, or why there is none to tell. */
export interface Covered {
  readonly share: number | null
  readonly reason: string | null
}

/**
 * How many have a value of each of some factors; null while nobody can count, or not in time.
 * @throws ApiError 21001, 22005 they are too dear
 */
export async function coverageOfRefs(
  deps: QuantDeps,
  asker: { readonly id: string },
  market: LoadedMarket,
  refs: readonly string[],
  signal: AbortSignal,
): Promise<Covered[] | null> {
  const own = await ownFactors(deps.db, asker.id, market.ref.kind)
  const names = namesWith(market, own)
  const compiled = refs.map((ref) => compileRef(ref, names))
  const known = refs.filter((_, i) => compiled[i]?.ok)
  const { own: used, ...cost } = checkedRefs(market, own, known)
  admit(market, await planOf(deps.db, asker.id), cost, 1)
  const shares = known.length === 0 ? [] : await soonShared(deps, market, { refs: known, ...forCompute(used) }, signal)
  if (shares === null) return null
  return compiled.map((one, i): Covered => {
    const ref = refs[i]
    return one.ok ? { share: shares[known.indexOf(ref ?? '')] ?? null, reason: null } : { share: null, reason: one.problem.message }
  })
}

/** Not stopped with its first asker, as the list's shares: the next one is served by it. null when it takes too long. */
async function soonShared(deps: QuantDeps, { ref }: LoadedMarket, input: Calls['coverage']['input'], signal: AbortSignal) {
  const counted = coverages(canonical([ref, input]), new AbortController().signal, () =>
    deps.compute.call('coverage', ref, input, { deadlineMs: listMs, asker: null }),
  )
  const late = sleep(answerMs, null, { signal, ref: false }).catch(() => null)
  return Promise.race([counted.catch(notYet), late])
}

/** Of those that can be computed, each cheap enough to be; a list must not wait for the others. */
async function coverageOf({ compute }: QuantDeps, market: LoadedMarket, own: readonly OwnFactor[], until: number, signal: AbortSignal) {
  const names = namesWith(market, own)
  const refs = own.filter(({ key }) => compileRef(key, names).ok).map(({ key }) => key)
  const input = { refs, ...forCompute(own) }
  const deadlineMs = Math.max(500, Math.round(until - performance.now()))
  const shares = await coverages(canonical([market.ref, input]), signal, (stop) =>
    compute.call('coverage', market.ref, input, { deadlineMs, asker: null, signal: stop }),
  ).catch((error: unknown) => notYet(error) ?? [])
  return own.map(({ key }) => shares[refs.indexOf(key)] ?? null)
}
