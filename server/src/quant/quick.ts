import type { MarketId, QuickBacktestBody } from '@convexa/contract'
import type { AppContext } from '../context/app-context.ts'
import type { Caller } from '../http/caller.ts'
import { checkRateLimit } from '../http/rate-limit.ts'
import { type PackedJson, packedJson } from '../http/reply.ts'
import { planOf } from '../usage/limits.ts'
import { admit, tradingDays } from './admission.ts'
import { loadedMarket } from './loaded-market.ts'
import { checkedRequest, forCompute, ownFactors } from './own-factors.ts'

const deadlineMs = 3_900

/**
 * A run for looking at, not for keeping (速览): ideal execution, not stored, not counted; the user's next one takes its place.
 * @throws ApiError 21007 range, 21008 no data, 22xxx, 23001, 23021 too long, 23024 another one came, 40029
 */
export async function quickBacktest(
  { db, config, compute }: Pick<AppContext, 'db' | 'config' | 'compute'>,
  asker: Caller,
  kind: MarketId,
  { parameters, settings }: QuickBacktestBody,
  signal: AbortSignal,
): Promise<PackedJson> {
  const refused = await checkRateLimit(db, asker, 'quick')
  if (refused) throw refused
  const market = await loadedMarket(db, config.dataDir, kind)
  const ideal = { ...settings, execution: 'ideal' } as const
  const { own: factors, ...cost } = checkedRequest(market, await ownFactors(db, asker.id, kind), parameters, ideal)
  admit(market, await planOf(db, asker.id), cost, tradingDays(settings.start_date, settings.end_date))
  const input = { parameters, settings: ideal, ...forCompute(factors) }
  return packedJson(await compute.packed('quick', market.ref, input, 'whole', { deadlineMs, asker, alone: `quick ${asker.id}`, signal }))
}
