import type { MarketId } from '@convexa/contract/market'
import { type WireMarket, wireMarkets } from '@convexa/contract/wire-market'
import { createContext, type ReactNode, useContext } from 'react'

/** A market as the pages show it: its words on the wire and on the screen. */
export interface ShownMarket extends WireMarket {
  /** Decimals of a price. */
  priceDecimals: number
  /** 只 for both; the noun of one security. */
  noun: string
  /** Where its pages are. */
  path: string
  title: string
  backtestTitle: string
  /** Redemption, issuers and ratings: what only bonds have. */
  redeemed: boolean
  /** Sales are charged with stamp duty. */
  dutied: boolean
  /** What a quantity counts. */
  unit: '张' | '股'
  largestHold: number
}

export const shownMarkets: Record<MarketId, ShownMarket> = {
  cb: {
    ...wireMarkets.cb,
    priceDecimals: 3,
    noun: '转债',
    path: '/rotation/convertible-bond',
    title: '可转债轮动',
    backtestTitle: '高级回测',
    redeemed: true,
    dutied: false,
    unit: '张',
    largestHold: 100,
  },
  stk: {
    ...wireMarkets.stk,
    priceDecimals: 2,
    noun: '股票',
    path: '/rotation/stock',
    title: '股票轮动',
    backtestTitle: '回测',
    redeemed: false,
    dutied: true,
    unit: '股',
    largestHold: 300,
  },
}

/** The market that a path segment names; null for any other word. */
export const marketOfSegment = (segment: string | undefined): ShownMarket | null =>
  Object.values(shownMarkets).find((market) => market.segment === segment) ?? null

const MarketContext = createContext<ShownMarket>(shownMarkets.cb)

export const MarketProvider = ({ market, children }: { market: ShownMarket; children: ReactNode }) => (
  <MarketContext value={market}>{children}</MarketContext>
)

/** Which market this route is about. */
export const useMarket = (): ShownMarket => useContext(MarketContext)
