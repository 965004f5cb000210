import { defaultMarketId, type MarketRow, markets } from '@convexa/contract/enums/market'
import { createContext, type ReactNode, useContext } from 'react'

/** The market that a path segment names; null for any other word. */
export const marketOfSegment = (segment: string | undefined): MarketRow | null =>
  Object.values(markets).find((market) => market.segment === segment) ?? null

const MarketContext = createContext<MarketRow>(markets[defaultMarketId])

export const MarketProvider = ({ market, children }: { market: MarketRow; children: ReactNode }) => (
  <MarketContext value={market}>{children}</MarketContext>
)

/** Which market this route is about. */
export const useMarket = (): MarketRow => useContext(MarketContext)
