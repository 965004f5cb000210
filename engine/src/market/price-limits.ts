/**
 * Whether a price stands at its limit of a day (domain.md 5.6): one answer for runs, `limit`, streaks, flags, screens and baskets.
 *
 * 1. Limits follow board, date and age of the listing, and are measured from the previous close.
 * 2. Raw prices: to the tick. Adjusted prices have lost their tick, so a band of what they are measured from stands for it.
 * 3. A day that was traded beyond a limit had none: the first of 退市整理期, relistings, the first after a bankruptcy's ex-rights.
 */
import type { Settings } from '@convexa/contract'
import { firstFrom } from '../base/calendar.ts'
import type { Panel } from '../panel/panel.ts'
import { type LimitRates, type Market, pricesAt } from './market.ts'

/** 1 at the upper limit, −1 at the lower, 0 elsewhere and on days without limits; NaN: there are limits, but nothing to measure them from. */
export type Standing = number

export interface PriceLimits {
  /** Of a price of a day, which need not be its close: an open, an average, the level of a stop. `before`: the previous close. */
  standing(security: number, day: number, price: number, before: number): Standing
}

export interface Measured {
  /** 1 while a security is ST; null where the data do not say. */
  readonly st: Float64Array | null
  readonly isAdjusted: boolean
}

/** Prices are adjusted ones, so that lots, ticks and limits do not fit them: as the data say, or as a run takes those that do not say it. */
export const areAdjusted = (
  { adjust }: Pick<Panel, 'adjust'>,
  { roles }: Pick<Market, 'roles'>,
  prices: Settings['adjust'] = 'raw',
): boolean => roles.adjustment !== null && (adjust ?? prices) !== 'raw'

// No limit is nearer than 5 %, rounding and band aside: most prices are far from theirs.
const nearest = 0.045

export function priceLimitsOf(panel: Panel, market: Market, { st, isAdjusted }: Measured): PriceLimits {
  const { securities, dates, stride, columns, rules } = panel
  const listing = listingDays(panel)
  const [open, high, low, close] = [...dayPrices, 'close'].map((key) => columns.get(key) ?? null)
  const least = 0.6 * 10 ** -market.tickDecimals
  return {
    standing(i, t, price, before) {
      if (Math.abs(price - before) < nearest * before - least) return 0
      const cell = t * stride + i
      const rates = market.limitRates(securities[i], dates[t], t - listing[i] + 1, st !== null && st[cell] > 0, rules)
      if (rates === null) return 0
      const base = rates.base ?? before
      if (!(base > 0)) return Number.NaN
      const bar = { open: at(open, cell), high: at(high, cell), low: at(low, cell), close: at(close, cell) }
      return isAdjusted ? standingAdjusted(price, base, rates, bar) : standingRaw(price, base, rates, bar, market.tickDecimals)
    },
  }
}

const at = (column: Float64Array | null, cell: number): number => (column === null ? Number.NaN : column[cell])

/** What tells of a day, besides its close, whether it had limits. */
export const dayPrices = ['open', 'high', 'low'] as const

/** A day's prices, NaN where they are not known. */
export interface DayPrices {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

export function standingRaw(price: number, base: number, rates: LimitRates, bar: DayPrices, decimals: number): Standing {
  const tick = 10 ** -decimals
  // Prices are off their tick by a rounding error at most.
  const hair = 0.01 * tick
  const { up, down } = pricesAt(rates, base, decimals)
  if (up === null || down === null) return 0
  const [isUp, isDown] = [price >= up - hair, price <= down + hair]
  if ((!isUp && !isDown) || isTradedBeyond(bar, up + tick + hair, down - tick - hair)) return 0
  return isUp ? 1 : -1
}

/** Measured on all digits of 2024 (raw × factor): of 4,711 limit-ups 2 are missed and 26 invented, of 2,044 limit-downs 13 and 26. */
export const band = 0.003
/** Without the highest and lowest of the day, or of a price that is not its close. */
export const bandAlone = 0.0025
const beyond = 0.005

export function standingAdjusted(price: number, base: number, rates: LimitRates, bar: DayPrices): Standing {
  const isWhole = price === bar.close && bar.high > 0 && bar.low > 0
  const width = isWhole ? band : bandAlone
  const isUp = price >= base * (1 + rates.up - width) && (!isWhole || price >= bar.high * (1 - 1e-9))
  const isDown = price <= base * (1 - rates.down + width) && (!isWhole || price <= bar.low * (1 + 1e-9))
  if ((!isUp && !isDown) || isTradedBeyond(bar, base * (1 + rates.up + beyond), base * (1 - rates.down - beyond))) return 0
  return isUp ? 1 : -1
}

// Comparisons with absent prices are false; a price of 0 is none.
function isTradedBeyond({ open, high, low, close }: DayPrices, up: number, down: number): boolean {
  const isBelow = (price: number) => price < down && price > 0
  return open > up || high > up || low > up || close > up || isBelow(open) || isBelow(high) || isBelow(low) || isBelow(close)
}

/** By security: the day of its listing; long before the first where it was listed before or nobody knows. */
function listingDays({ dates, securities, listed }: Panel): Int32Array {
  const known = listings.get(listed)
  if (known) return known
  const days = Int32Array.from(securities, (security) =>
    security.listed === null || security.listed < dates[0] ? -100_000 : firstFrom(dates, security.listed),
  )
  listings.set(listed, days)
  return days
}

// A run and its sweeps have some thirty execution models on one panel.
const listings = new WeakMap<Uint8Array, Int32Array>()
