import { z } from 'zod'
import { dataModes } from './enums/data-mode.ts'
import { valuesOf } from './enums/table.ts'
import { num, whole } from './scalars.ts'

export const DataMode = z.enum(valuesOf(dataModes))
export type DataMode = z.output<typeof DataMode>

/** A security as a select option: `GET …/options`. Dates are null where unknown. */
export const SecurityOption = z.object({
  code: z.string(),
  /** Codes that it bore before. */
  former_codes: z.array(z.string()).optional(),
  name: z.string(),
  /** Initials of the name, lower case: `yszz01`. */
  pinyin: z.string(),
  market: z.string(),
  board: z.string(),
  stock_code: z.string().optional(),
  stock_name: z.string().optional(),
  /** Of the first level, on the newest day of the data. */
  industry: z.string().optional(),
  list_date: z.string().nullable(),
  delist_date: z.string().nullable(),
  last_trade_date: z.string().nullable(),
  /** On the newest day of the data; `missing`: its bar of that day has not come (缺行情). */
  status: z.enum(['listed', 'suspended', 'missing', 'delisted']),
})
export type SecurityOption = z.output<typeof SecurityOption>

/** What the home page says of a market on its newest day. */
export const MarketFigures = z.object({
  trade_date: z.string(),
  data_time: z.string(),
  realtime: z.boolean(),
  data_mode: DataMode,
  data_version: z.string(),
  items: z.array(
    z.object({
      key: z.string(),
      label: z.string(),
      value: num,
      /** Against the trading day before: of a fraction the difference, of anything else the relative change. */
      change: num,
      /** null: the value is a fraction. */
      unit: z.string().nullable(),
      /** Asked for by `history`: one value a trading day, oldest first, the newest day last. */
      history: z.array(num).optional(),
    }),
  ),
})
export type MarketFigures = z.output<typeof MarketFigures>

/** Also how each figure went in the last `history` trading days. */
export const MarketFiguresQuery = z.object({ history: whole(0, 120).optional() })
