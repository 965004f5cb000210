import type { Kind, QuickBacktestBody, QuickBacktestResult } from '@convexa/contract'
import { Failure, failure } from '../http/fail.ts'
import type { World } from '../world.ts'
import { admit, tradingDays } from './admission.ts'
import { planOf } from './limits.ts'
import { loadedMarket } from './loaded-market.ts'
import { checkedRequest, forCompute, ownFactors } from './own-factors.ts'

const deadlineMs = 3_900
/** Edits of a rule come by the second; beyond that nobody looks at the curve. */
const mostPerMinute = 120

/** By user: what is being computed for them, and when the last ones were asked for. Of this api only: of another one the next run waits for nothing here. */
const newest = new Map<string, AbortController>()
const asked = new Map<string, number[]>()

/**
 * A run for looking at, not for keeping (速览): ideal execution, not stored, not counted; the user's next one takes its place.
 * @throws Failure 21007 range, 21008 no data, 22xxx, 23001, 23021 too long, 23024 another one came, 40029
 */
export async function quickBacktest(
  { db, config, compute }: Pick<World, 'db' | 'config' | 'compute'>,
  asker: { readonly id: string },
  kind: Kind,
  { parameters, settings }: QuickBacktestBody,
  signal: AbortSignal,
): Promise<QuickBacktestResult> {
  take(asker.id, performance.now())
  newest.get(asker.id)?.abort()
  const own = new AbortController()
  newest.set(asker.id, own)
  try {
    const market = await loadedMarket(db, config.dataDir, kind)
    const ideal = { ...settings, execution: 'ideal' } as const
    const { own: factors, ...cost } = checkedRequest(market, await ownFactors(db, asker.id, kind), parameters, ideal)
    admit(market, await planOf(db, asker.id), cost, tradingDays(settings.start_date, settings.end_date))
    const input = { parameters, settings: ideal, ...forCompute(factors) }
    return await compute.call('quick', market.ref, input, { deadlineMs, signal: AbortSignal.any([signal, own.signal]) })
  } finally {
    if (newest.get(asker.id) === own) newest.delete(asker.id)
  }
}

function take(userId: string, now: number): void {
  const recent = (asked.get(userId) ?? []).filter((at) => now - at < 60_000)
  if (recent.length >= mostPerMinute) {
    const wait = Math.ceil((60_000 - (now - recent[0]!)) / 1000)
    throw new Failure(40029, failure(40029, wait).message, { retryAfterSeconds: wait })
  }
  recent.push(now)
  asked.set(userId, recent)
  // Whoever has long been gone needs no memory.
  if (asked.size > 10_000) for (const [id, times] of asked) if (now - times[times.length - 1]! > 60_000) asked.delete(id)
}
