import { z } from 'zod'

/** Id of a market in files, rows and reports: 可转债 `cb`, A 股 `stk`. On the wire the field is `kind`. */
export const MarketId = z.enum(['cb', 'stk'])
export type MarketId = z.output<typeof MarketId>
