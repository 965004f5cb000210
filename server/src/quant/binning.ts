import type { BinningBody, MarketId } from '@convexa/contract'
import { binningNeeds } from '@convexa/engine'
import type { AppContext } from '../context/app-context.ts'
import { type PackedJson, packedJson } from '../http/reply.ts'
import { planOf } from '../usage/limits.ts'
import { admit, tradingDays } from './admission.ts'
import { loadedMarket } from './loaded-market.ts'
import { checkedNeeds, forCompute, marketWith, ownFactors, seriesOf } from './own-factors.ts'

const deadlineMs = 54_000

/**
 * Cuts the market into bins by a factor and tells what came after.
 * @throws ApiError 21007 range, 21008 no data, 22xxx, 23001 what the data lack, 23021 too long
 */
export async function bin(
  { db, config, compute }: Pick<AppContext, 'db' | 'config' | 'compute'>,
  asker: { readonly id: string },
  kind: MarketId,
  body: BinningBody,
  signal: AbortSignal,
): Promise<PackedJson> {
  const market = await loadedMarket(db, config.dataDir, kind)
  const all = await ownFactors(db, asker.id, kind)
  const { own, ...cost } = checkedNeeds(binningNeeds(marketWith(kind, all), market.available, body, seriesOf(market)), all)
  const { start_date, end_date } = body.settings
  admit(market, await planOf(db, asker.id), cost, Math.max(1, tradingDays(start_date, end_date)))
  return packedJson(await compute.packed('binning', market.ref, { body, ...forCompute(own) }, 'whole', { deadlineMs, asker, signal }))
}
