import { z } from 'zod'
import { FactorRef, FactorRefs, IsoDate, lines, longestFormula, Named, num, text, whole } from './scalars.ts'
import { Board } from './strategy.ts'

/** A factor as lists and pickers see it. A parametric key (`window`) holds N for its number: `bias_N` is asked for as `bias_20`. `coverage` is the share of the listed securities with a value on the last day. */
export const FactorMeta = z.object({
  id: z.string().optional(),
  factor_key: z.string(),
  factor_name: z.string(),
  /** 0 行情/条款, 1 自定义, 2 历史, 3 强赎 */
  factor_type: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  category: z.string(),
  unit: z.string().nullable(),
  decimals: z.int(),
  prefer_default: z.enum(['small', 'large']),
  realtime: z.boolean(),
  window: z.object({ default: z.int(), min: z.int(), max: z.int() }).optional(),
  available: z.boolean(),
  /** Why it is not available: names the missing field. */
  reason: z.string().optional(),
  coverage: num,
  description: z.string(),
  formula: z.string().optional(),
  version: z.int().optional(),
  used_by: z.int().optional(),
  /** Of an own factor: what names it, 20 at most. */
  users: z.array(z.object({ type: z.enum(['strategy', 'factor']), id: z.string(), name: z.string() })).optional(),
  /** Of an own factor: sentences on names in its formula that mean something else now; it means what it meant. */
  kept_meanings: z.array(z.string()).optional(),
  /** Of an own factor: when it was saved last. */
  updated_at: z.string().optional(),
  /** Of an enumeration: its values in their order; its numbers are places in this list. */
  values: z.array(z.string()).optional(),
})
export type FactorMeta = z.output<typeof FactorMeta>

export const factorScopes = ['all', 'base', 'history', 'stock', 'call', 'custom'] as const

/** One security's factor values with its place among all: `GET …/factors/{code}`. */
export const SecurityFactors = z.object({
  code: z.string(),
  name: z.string(),
  trade_date: z.string(),
  data_time: z.string(),
  values: z.array(z.object({ factor_key: z.string(), value: z.union([num, z.string()]), percentile: num, rank: num, population: z.int() })),
  /** Asked for by `history`: one value a trading day, oldest first. */
  history: z.object({ dates: z.array(z.string()), series: z.record(z.string(), z.array(num)) }).optional(),
})
export type SecurityFactors = z.output<typeof SecurityFactors>

/** Of a security only: its last `history` trading days, of `keys` (the market's own columns when none are named). */
export const SecurityFactorsQuery = z.object({
  history: whole(0, 500).optional(),
  keys: FactorRefs.optional(),
})

/**
 * What universe and risk exclusions look at, by code index: with it and the columns of its factors a screen runs without the panel.
 * `texts` holds what is said of a security that day (industry, area, …), `columns` fields of the data by key; a field that they lack is absent.
 */
export const SectionFacts = z.object({
  names: z.array(z.string()),
  issuers: z.array(z.string()),
  boards: z.array(Board),
  listed: z.array(z.string().nullable()),
  /** Codes that securities bore before, by their code of now. */
  former_codes: z.record(z.string(), z.array(z.string())).optional(),
  /** 1 where it trades that day, and where its last day is near and known. */
  traded: z.array(z.int()),
  leaving: z.array(z.int()),
  /** Codes of those that did not trade whose bar of the day has not come (缺行情). */
  missing_bars: z.array(z.string()).optional(),
  /** Days of its redemption clause. */
  call_days: z.array(num),
  texts: z.record(z.string(), z.array(z.string().nullable())),
  columns: z.record(z.string(), z.array(num)),
})
export type SectionFacts = z.output<typeof SectionFacts>

/** `GET …/realtime-factors`; with `with_values=1` also the cross-section, with `facts=1` what exclusions look at. */
export const RealtimeFactors = z.object({
  factors: z.array(FactorMeta),
  trade_date: z.string(),
  data_time: z.string(),
  columns: z.array(z.string()).optional(),
  codes: z.array(z.string()).optional(),
  /** values[column][code index] */
  values: z.array(z.array(num)).optional(),
  /** Of each column, where they were named: whether it reads how high adjusted prices are, and what is to be said of prices as traded that it reads over days. */
  price_remarks: z.array(z.object({ level: z.enum(['qfq', 'hfq']).nullable(), raw: z.string().nullable() })).optional(),
  facts: SectionFacts.optional(),
})
export type RealtimeFactors = z.output<typeof RealtimeFactors>

export const RealtimeFactorsQuery = z.object({
  with_values: z.enum(['0', '1']).optional(),
  /** With values only. */
  facts: z.enum(['0', '1']).optional(),
  keys: FactorRefs.optional(),
  date: IsoDate.optional(),
})

/** A factor of the user's own, as it is saved. */
export const CustomizedFactorBody = z.strictObject({
  factor_name: Named,
  formula: lines(longestFormula),
  description: lines(500).optional(),
  unit: text(12).nullable().optional(),
  decimals: z.int().min(0).max(8).optional(),
  prefer_default: z.enum(['small', 'large']).optional(),
})
export type CustomizedFactorBody = z.output<typeof CustomizedFactorBody>

/** `formula` as the engine reads it: keys instead of names, one way of spacing. */
export const CustomizedFactor = z.object({
  id: z.string(),
  factor_key: z.string(),
  version: z.int(),
  formula: z.string(),
  /** Trading days read before the day itself. */
  lookback: z.int(),
})
export type CustomizedFactor = z.output<typeof CustomizedFactor>

/** The formulas that an own factor has had, the newest first. */
export const FactorVersions = z.object({
  list_items: z.array(z.object({ version: z.int(), formula: z.string(), created_at: z.string() })),
})
export type FactorVersions = z.output<typeof FactorVersions>

/** Factors looked at closely; of one code alone the parts of the formula with their values. `span`: trading days of the series of `codes`. */
export const FactorRunningBody = z.strictObject({
  factors: z
    .array(
      z.strictObject({
        factor: FactorRef,
        codes: z.array(text(12)).min(1).max(50).optional(),
        trade_date: IsoDate.optional(),
        span: z.int().min(1).max(500).optional(),
      }),
    )
    .min(1)
    .max(20),
})
export type FactorRunningBody = z.output<typeof FactorRunningBody>

const place = z.object({ start: z.int(), end: z.int(), line: z.int(), column: z.int() })
const ranked = z.array(z.object({ code: z.string(), name: z.string(), value: z.number() }))

export const FactorProbe = z.object({
  /** As the engine reads it. */
  formula: z.string(),
  ok: z.literal(true),
  trade_date: z.string(),
  values: z.array(z.tuple([z.string(), num])),
  series: z.object({ dates: z.array(z.string()), values: z.record(z.string(), z.array(num)) }).optional(),
  nodes: z.array(z.object({ pos: place, text: z.string(), value: z.union([num, z.string()]) })).optional(),
  coverage: num,
  /** Listed that day and without a value: 500 at most. */
  missing: z.array(z.string()),
  histogram: z.object({ edges: z.array(z.number()), counts: z.array(z.int()) }),
  quantiles: z.array(z.object({ share: z.number(), value: z.number() })),
  top: ranked,
  bottom: ranked,
  /** By rank, with the market's common factors, the strongest first. */
  correlation: z.array(z.object({ factor_key: z.string(), value: z.number() })),
  /** No formula can name a later day. */
  lookahead: z.literal(false),
  elapsed_ms: z.number(),
  warnings: z.array(z.string()),
})
export type FactorProbe = z.output<typeof FactorProbe>

/** A mistake stands in its factor's place; the others are answered. */
export const FactorRunningResult = z.object({
  results: z.array(
    z.discriminatedUnion('ok', [
      FactorProbe,
      z.object({ formula: z.string(), ok: z.literal(false), code: z.int(), message: z.string(), pos: place.optional() }),
    ]),
  ),
})
export type FactorRunningResult = z.output<typeof FactorRunningResult>
