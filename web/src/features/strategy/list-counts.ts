import { byMarket, type MarketId, marketIds } from '@convexa/contract/enums/market'

interface Answer {
  readonly data: { readonly list_items: readonly unknown[] } | undefined
}

/** The lengths of the markets' lists, asked for in the order of `marketIds`; undefined while one is not known. */
export const countsByMarket = (lists: readonly Answer[]): Record<MarketId, number | undefined> =>
  byMarket((kind) => lists[marketIds.indexOf(kind)]?.data?.list_items.length)
