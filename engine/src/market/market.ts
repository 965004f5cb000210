import type { FactorRef, MarketId } from '@convexa/contract'
import { type CallStatus, callStates as callStateRows, callStatuses as callStatusRows } from '@convexa/contract/enums/call-status'
import { type Rating, ratings as ratingRows } from '@convexa/contract/enums/rating'
import { resetStates } from '@convexa/contract/enums/reset-state'
import { labelOf, valuesOf } from '@convexa/contract/enums/table'
import { roundHalfUp, type TradingRules } from '../base/dated-rules.ts'
import type { Fact } from '../bond/facts.ts'
import type { Security } from '../panel/panel.ts'

/** A raw column of a market's store. */
export interface Field {
  readonly key: string
  /** Chinese name, also accepted in formulas. */
  readonly label: string
  readonly unit: string | null
  readonly decimals: number
  /** Element type in the store; the engine always sees f64. */
  readonly store: 'f64' | 'f32'
  /** A price-like value that stays while the security does not trade, and only then. */
  readonly carry: boolean
  /** A cumulative adjustment factor: a value stays until the next one in the data, on trading days too (data.md 3.3). */
  readonly stays?: true
  /** Says nothing at 0 or below (a loss, negative equity) and is absent then: few values are no fault of the data. */
  readonly positive?: true
  /** Adds up the trades of a day: 0, not absent, on a day without one. */
  readonly ofTrades?: true
  /**
   * A number of the underlying share (bonds): it is there on days before the bond was listed too, as far as the data have it. `field`: what
   * it is in the stock market, where that has it; `per`: how many of its units are one of this field's.
   */
  readonly ofStock?: { readonly field?: string; readonly per?: number }
  /** An enumeration: cells hold the index into these, best or least first. */
  readonly values?: readonly string[]
  /** Computed from the securities and other columns by `market/derived-columns.ts`: always, or where the store has no such column. */
  readonly derived?: true | 'if_absent'
  /** A number of the security itself on a day, from its terms and announcements: no column. */
  readonly fact?: Fact
  /** A market series of this code, the same for all; `otherwise` on days when it has no value. */
  readonly series?: { readonly code: string; readonly otherwise: number }
  /** false = of the day's close only; else it follows live quotes, or stays the same all day. */
  readonly realtime?: boolean
  /** As a factor: its shelf in the picker, and the direction a draft starts with. */
  readonly category: string
  readonly prefer: 'small' | 'large'
  readonly description: string
}

/** A number that published statements give: `engine/src/panel/statements.ts` holds its versions. */
export interface StatementItem {
  readonly key: string
  /** Chinese name, also accepted in formulas. */
  readonly label: string
  readonly unit: string | null
  /** flow: counted from the start of the year; level: as it stands at the end of the period. */
  readonly kind: 'flow' | 'level'
  readonly description: string
}

/** A built-in factor: one line of data. Its formula names fields and other factors. */
export interface FactorDefinition {
  readonly key: string
  readonly label: string
  /** null with four decimals = a fraction, which pages write in per cent; any other number without a unit has fewer or more. */
  readonly unit: string | null
  readonly decimals: number
  readonly category: string
  /** 0 行情/条款, 2 历史, 3 强赎 (api.md 7.3 factor_type) */
  readonly type: 0 | 2 | 3
  readonly prefer: 'small' | 'large'
  readonly formula: string
  /** Taken where the data lack what `formula` reads. */
  readonly otherwise?: string | undefined
  readonly realtime: boolean
  /** A parametric factor `key_N`: `N` in its formula is the window. */
  readonly window?: { readonly default: number; readonly min: number; readonly max: number }
  readonly description: string
}

/** A factor of the user's own: its formula may stand in others under its key, `custom_…`. */
export interface CustomFactor {
  readonly key: string
  readonly label: string
  readonly formula: string
  /** Direction in which it is ranked; `large` when not said. */
  readonly prefer?: 'small' | 'large'
}

/** What a quote tells of a security's day so far: yuan, 股 of shares and 手 of bonds, 万元. */
export const quoteNumbers = ['close', 'open', 'high', 'low', 'pre_close', 'vol', 'amount'] as const
export type QuoteNumber = (typeof quoteNumbers)[number]

/** A field that quotes give: a number of the security itself or of its issuer's stock, and how many of its units are one of the field's. */
export interface Quoted {
  readonly of: 'own' | 'issuer'
  readonly number: QuoteNumber
  readonly per?: number
}

/** How far a price may move on a day, as fractions of what it is measured from: the previous close, or `base` where the rules name a price. */
export interface LimitRates {
  readonly up: number
  readonly down: number
  /** Yuan: the issue price of a bond. */
  readonly base?: number
}

/** Daily price limits; null on a side = no limit that day. */
export interface PriceLimits {
  readonly up: number | null
  readonly down: number | null
}

/** Statutory fees of a day as fractions of the amount. */
interface StatutoryFees {
  readonly stampSell: number
  readonly transfer: number
}

/** A number that is said of the whole market: a statistic of a factor over those that traded that day. */
export interface Figure {
  readonly key: string
  readonly label: string
  readonly of: FactorRef
  readonly as: 'median' | 'mean' | 'sum'
  /** null = a fraction. */
  readonly unit: string | null
}

/** A way to sort what a run earned: by the first of some texts of the security, or by where a number of it stood. */
export type Grouping = { readonly dimension: string; readonly label: string } & (
  | { readonly attributes: readonly string[] }
  | {
      /** A factor; of an enumeration its values are the groups. */
      readonly of: FactorRef
      /** Ascending; a number on an edge belongs to the band above. */
      readonly edges?: readonly number[]
      /** The edges are fractions. */
      readonly percent?: boolean
    }
)

/** What a rank factor may be freed of: the logarithm of a size, the mean of a group, or both. */
interface Neutralization {
  /** Of `neutralizations`. */
  readonly key: string
  readonly label: string
  readonly size: FactorRef | null
  /** An attribute of securities. */
  readonly group: string | null
}

/** A kind of security with its trading rules, fields and factors. There is no `if (kind)` in the engine: what differs is here. */
export interface Market {
  readonly id: MarketId
  readonly label: string
  readonly benchmark: string
  readonly fields: readonly Field[]
  readonly factors: readonly FactorDefinition[]
  /** What published statements may give; nothing where there are none. */
  readonly reportItems?: readonly StatementItem[]
  /** Custom factors of the requesting user, by key; the market's own record has none. */
  readonly custom?: ReadonlyMap<string, CustomFactor>
  /** Decimals of the price tick: 3 bonds, 2 stocks. */
  readonly tickDecimals: number
  /** 0 = may be sold on the day it was bought, 1 = the next day. */
  readonly settlement: 0 | 1
  /** Securities are redeemed: last days, announcements and `call_handling` apply. */
  readonly redeemed: boolean
  /** What one unit of volume is called: 张, 股. */
  readonly unit: string
  /** Units in one unit of the field `vol` (bonds: 1 手 = 10 张). */
  readonly volumeUnit: number
  /** Fields and factors by the job the engine needs them for; null where the market has no such thing. */
  readonly roles: {
    /** Weights by size (`hold_weight_type` 3). */
    readonly size: string
    /** Weights by inverse volatility (type 5). */
    readonly volatility: string
    /** 1 while the security is ST: a risk exclusion. */
    readonly st: string | null
    /** Cumulative adjustment factor of raw prices. */
    readonly adjustment: string | null
  }
  /**
   * How the row of a day that is not over comes about (`panel-views/today.ts`). What is named in neither, and no built-in factor by the same key
   * computes, is what it was the day before.
   */
  readonly today: {
    readonly quoted: Readonly<Record<string, Quoted>>
    /** By formula, from the day's other fields and from those of the day before. */
    readonly follows: Readonly<Record<string, string>>
  }
  readonly neutralizations: readonly Neutralization[]
  /** What a screen shows besides the factors of the request, by factor key. */
  readonly columns: readonly string[]
  /** What the home page says of a day. */
  readonly figures: readonly Figure[]
  /** Keys of the factors whose means a binning reports for each bin, besides the binned factor. */
  readonly binMeans: readonly string[]
  /** How a report sorts what was earned. */
  readonly groupings: readonly Grouping[]
  /** Smallest order and step in 张/股. */
  lot(security: Security, date: string): { readonly min: number; readonly step: number }
  /** `listedDays` counts trading days since listing, the listing day = 1; null = no limit that day. */
  limitRates(security: Security, date: string, listedDays: number, st: boolean, rules?: TradingRules): LimitRates | null
  /** The same in yuan, to the tick. */
  limits(security: Security, date: string, listedDays: number, previousClose: number, st: boolean): PriceLimits
  fees(security: Security, date: string): StatutoryFees
}

/** Order of the values of the `call_status` field. */
export const callStatuses: readonly CallStatus[] = valuesOf(callStatusRows)
/** Texts of `is_call`, the fine states that pages show, in the order of its values. */
export const callStateTexts: readonly string[] = valuesOf(callStateRows).map((state) => labelOf(callStateRows, state))
/** The same of `reset_status`. */
export const resetStateTexts: readonly string[] = valuesOf(resetStates).map((state) => labelOf(resetStates, state))
/** Order of the values of the `rating` field, best first. */
export const ratings: readonly Rating[] = valuesOf(ratingRows)

/** Limits of a day in yuan, rounded half up to the tick; none without rates, or without a price to measure from. */
export function pricesAt(rates: LimitRates | null, previousClose: number, decimals: number): PriceLimits {
  const base = rates?.base ?? previousClose
  if (rates === null || !(base > 0)) return { up: null, down: null }
  return { up: roundHalfUp(base * (1 + rates.up), decimals), down: roundHalfUp(base * (1 - rates.down), decimals) }
}
