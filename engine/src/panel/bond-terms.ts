/**
 * What was agreed when a bond was issued, and what has been published of it since. Terms do not change; an announcement counts
 * from the trading day after its publication, because announcements come in the evening.
 */

import { monthsLater } from '../base/calendar.ts'

/** A clause that counts days: `days` of the last `window` trading days with the stock's close beyond `trigger` (1.3) × the conversion price. */
export interface Clause {
  readonly days: number
  readonly window: number
  readonly trigger: number
}

/** Dates are YYYY-MM-DD; null = not known. */
export interface BondTerms {
  /** 亿元. */
  readonly issueSize: number | null
  /** Interest runs from here on; its anniversaries are the days of payment. */
  readonly valueDate: string | null
  readonly maturityDate: string | null
  readonly conversionStart: string | null
  readonly conversionEnd: string | null
  /** Yuan per 100 of face, by year of interest; null = that year is not known, empty = none is. */
  readonly coupons: readonly (number | null)[]
  /** Paid at maturity per 100 of face, the last coupon included. */
  readonly maturityPrice: number | null
  readonly redeem: Clause | null
  readonly reset: Clause | null
  /** Holders may put the bond from this day on, usually in the last two years. */
  readonly put: (Clause & { readonly from: string }) | null
  readonly guaranteed: boolean | null
  /** All downward revisions are among the announcements: a bond without one has had none. */
  readonly revisionsKnown: boolean
}

export const announcementKinds = [
  /** 公告提示强赎: the condition may soon be met. */
  'redeem_hint',
  /** 公告强赎: the issuer has decided to call. */
  'redeem',
  /** 公告实施强赎: with the dates and the price. */
  'redeem_execution',
  /** 公告不强赎: until `until`. */
  'no_redeem',
  /** 公告到期赎回. */
  'maturity',
  /** 董事会提议下修. */
  'reset_proposal',
  /** 下修: a lower conversion price from `effective` on. */
  'reset',
  /** 公告不下修: until `until`. */
  'no_reset',
] as const
export type AnnouncementKind = (typeof announcementKinds)[number]

/**
 * What nothing more is heard of lapses after so many days: a proposal to revise, whose meeting comes within three weeks, and a hint that the call
 * condition may be met, whose window is six.
 */
export const lapseDays = 60

const published: readonly AnnouncementKind[] = ['redeem', 'redeem_execution', 'maturity']

/**
 * Whether a notice of a call or maturity says from now on where its bond stands, after the one that did. A hint takes back neither a published
 * call nor a maturity, and a reminder of a call not its execution.
 */
export function supersedes(next: AnnouncementKind, before: AnnouncementKind | undefined): boolean {
  if (before === undefined) return true
  return next === 'redeem_hint' ? !published.includes(before) : next !== 'redeem' || before !== 'redeem_execution'
}

/** Months for which a promise without a date is taken to be good. */
const undatedMonths = 6

/** The last day of a promise; one that states none is taken to be good for six months (`assumed`). */
export function endOfPromise({ date, until }: Announcement): { readonly until: string; readonly assumed: boolean } {
  return until === undefined ? { until: monthsLater(date, undatedMonths), assumed: true } : { until, assumed: false }
}

export interface Announcement {
  /** Day of publication. */
  readonly date: string
  readonly kind: AnnouncementKind
  /** Last day of a promise. */
  readonly until?: string
  /** First day of a new conversion price. */
  readonly effective?: string
  /** Yuan per 100 of face paid to those who are called. */
  readonly price?: number
  readonly registration?: string
  readonly lastConversion?: string
  /** 赎回日, up to which interest runs. */
  readonly redemption?: string
  /** The day on which the money is paid. */
  readonly payment?: string
  readonly lastTrading?: string
}

/** Terms with nothing known, to be filled. */
export const unknownTerms: BondTerms = {
  issueSize: null,
  valueDate: null,
  maturityDate: null,
  conversionStart: null,
  conversionEnd: null,
  coupons: [],
  maturityPrice: null,
  redeem: null,
  reset: null,
  put: null,
  guaranteed: null,
  revisionsKnown: false,
}
