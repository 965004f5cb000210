import type { Board } from '@convexa/contract/enums/board'
import type { MarketId } from '@convexa/contract/market'

/** Boards on which a market trades. Apart from the market's other words, which every first load has. */
export const boardsOf: Readonly<Record<MarketId, readonly Board[]>> = {
  cb: ['SSE_MAIN', 'SZSE_MAIN', 'CHINEXT', 'STAR'],
  stk: ['SSE_MAIN', 'SZSE_MAIN', 'CHINEXT', 'STAR', 'BSE'],
}
