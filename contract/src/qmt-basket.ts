import { z } from 'zod'
import { DataMode } from './market.ts'
import { HoldWeightType } from './qmt.ts'
import { DataNote, IsoDate, lines, MarketId, num, SecurityCode, text } from './scalars.ts'

// From a list to what would be traded: the basket file, and the dry run of a config.

/** 张 or 股. */
export const Volume = z.int().min(0).max(1_000_000_000)
export const mostHoldings = 500

/** What is held of one security, in 张 or 股. */
export const Holding = z.strictObject({ code: SecurityCode, volume: Volume })
export type Holding = z.output<typeof Holding>

export const Side = z.enum(['buy', 'sell'])
/** What was not taken into a file or a plan, with the reason as a sentence. */
export const Dropped = z.object({ code: z.string(), name: z.string(), reason: z.string() })
export type Dropped = z.output<typeof Dropped>

/** A list as a file for the terminal. Weights that are not given follow from `hold_weight_type`, in the order of the list. */
export const BasketBody = z.strictObject({
  kind: MarketId,
  name: text(50).optional(),
  /** Day of the list; another than the newest of the data is refused. */
  trade_date: IsoDate.optional(),
  list_items: z
    .array(z.strictObject({ code: SecurityCode, weight: z.number().gt(0).max(1).optional(), score: z.number().optional() }))
    .max(mostHoldings),
  /** 万元 */
  capital: z.number().min(0.1).max(100_000).default(10),
  hold_weight_type: HoldWeightType.default(1),
  /** Fraction that is kept back before volumes are counted. */
  reserve_cash: z.number().min(0).max(0.9).default(0.02),
  sell_items: z.array(Holding).max(mostHoldings).optional(),
})
export type BasketBody = z.output<typeof BasketBody>

export const Basket = z.object({
  /** `{name}-YYYYMMDD-basket.csv`, the date of the signal. */
  file_name: z.string(),
  encoding: z.literal('gbk'),
  content_base64: z.string(),
  rows: z.array(
    z.object({
      code: z.string(),
      name: z.string(),
      market: z.string(),
      volume: z.int(),
      /** Yuan at `price`. */
      amount: z.number(),
      weight: z.number(),
      side: Side,
      price: z.number(),
      rank: z.int().nullable(),
      /** Redemption and what else to know before it is traded. */
      warnings: z.array(z.string()),
    }),
  ),
  /** Yuan of the capital that nothing is bought for, the reserve among them. */
  unused_cash: z.number(),
  dropped: z.array(Dropped),
  /** Those of the rows, each with its security's name. */
  warnings: z.array(z.string()),
  data_note: DataNote,
})
export type Basket = z.output<typeof Basket>

/** Where the holdings of a dry run came from. */
const HoldingsFrom = z.enum(['given', 'heartbeat', 'none'])

/** Holdings as rows, or as the text of a table (CSV or pasted); without either those of the last heartbeat. */
export const DryRunBody = z.strictObject({
  holdings: z.array(Holding).max(mostHoldings).optional(),
  holdings_text: lines(100_000).optional(),
})
export type DryRunBody = z.output<typeof DryRunBody>

const DryRunRow = z.object({
  action: z.enum(['buy', 'sell', 'keep']),
  code: z.string(),
  name: z.string(),
  held: z.int(),
  target: z.int(),
  difference: z.int(),
  price: num,
  amount: num,
  fee: num,
  /** Of the security's turnover on the day of the signal. */
  turnover_share: num,
  rank: num,
  rank_before: num,
  reason_text: z.string(),
  /** Redemption, suspension, and what else to know before it is traded. */
  warnings: z.array(z.string()),
})
export type DryRunRow = z.output<typeof DryRunRow>

export const DryRun = z.object({
  /** Day of the trades, and the day of the data that they come from. */
  trade_date: z.string(),
  signal_date: z.string(),
  data_mode: DataMode,
  data_version: z.string(),
  holdings_from: HoldingsFrom,
  holdings_at: z.string().nullable(),
  holdings: z.array(Holding),
  rows: z.array(DryRunRow),
  targets: z.int(),
  /** Yuan. */
  buy_amount: z.number(),
  sell_amount: z.number(),
  fees: z.number(),
  unused_cash: z.number(),
  max_turnover_share: num,
  dropped: z.array(Dropped),
  warnings: z.array(z.string()),
  /** Over all of it: what is confirmed is this and nothing else. */
  hash: z.string(),
})
export type DryRun = z.output<typeof DryRun>
