import type { Parameters, TradeReason } from '@convexa/contract'
import { type StopField, type StopType, stopTypes } from '@convexa/contract/enums/stop-type'

type Method = Parameters['stop_method']

/** When a stop type is judged (api.md 0.1), and which prices it reads besides the close; null: it never sells. */
interface StopBehaviour {
  readonly moment: 'intraday' | 'close' | 'trailing'
  readonly prices: readonly string[]
}

const behaviours: Readonly<Record<StopType, StopBehaviour | null>> = {
  0: null,
  1: { moment: 'intraday', prices: ['open', 'high'] },
  2: { moment: 'intraday', prices: ['open', 'low'] },
  3: { moment: 'intraday', prices: ['open', 'high', 'low'] },
  4: { moment: 'close', prices: [] },
  5: { moment: 'trailing', prices: ['open', 'high', 'low'] },
}

/** A stop method with its numbers; what its type does not use is out of reach. */
export interface StopRule {
  readonly moment: StopBehaviour['moment']
  /** As fractions of the base; ∞ = none. */
  readonly takeProfit: number
  readonly stopLoss: number
  readonly activate: number
  readonly drawdown: number
  readonly base: 'prev_close' | 'cost'
}

export function stopRuleOf(method: Method): StopRule | null {
  const behaviour = behaviours[method.stop_type]
  if (behaviour === null) return null
  const needs: readonly StopField[] = stopTypes[method.stop_type].fields
  const number = (key: StopField) => (needs.includes(key) ? (method[key] as number) : Number.POSITIVE_INFINITY)
  return {
    moment: behaviour.moment,
    takeProfit: number('take_profit'),
    stopLoss: number('stop_loss'),
    activate: number('activate'),
    drawdown: number('drawdown'),
    base: method.base ?? 'prev_close',
  }
}

/** Fields that a stop method reads besides the close. */
export function stopFields(method: Method): readonly string[] {
  return behaviours[method.stop_type]?.prices ?? []
}

/** A day's prices of a security. */
export interface Bar {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

/** A stop that was reached: where the position is sold, before slippage, and what led to it. */
export interface Stop {
  readonly reason: Extract<TradeReason, 'take_profit' | 'stop_loss' | 'trailing_stop'>
  readonly price: number
  /** The price at which it triggers. */
  readonly level: number
  /** What the level is measured from: the previous close, or the cost less what was paid out; of a trailing stop the highest price. */
  readonly from: number
  /** At the open beyond the level, at the level during the day, or judged at the close. */
  readonly moment: 'open' | 'touch' | 'close'
  /** Take-profit and stop-loss were both reached that day: a daily bar does not tell which was first, so it is the loss. */
  readonly both: boolean
}

/**
 * The stop of a day for a position held since before it, or null (domain.md 5.4). A price that opens beyond a level is sold at
 * the open, one that reaches it later at the level itself. `base` is the previous close or the cost; comparisons with absent prices are false.
 */
export function stopOf(rule: StopRule, bar: Bar, base: number): Stop | null {
  const up = base * (1 + rule.takeProfit)
  const down = base * (1 - rule.stopLoss)
  const gain = (price: number, moment: Stop['moment']): Stop => ({
    reason: 'take_profit',
    price,
    level: up,
    from: base,
    moment,
    both: false,
  })
  const loss = (price: number, moment: Stop['moment'], both = false): Stop => ({
    reason: 'stop_loss',
    price,
    level: down,
    from: base,
    moment,
    both,
  })
  if (rule.moment === 'close') {
    if (falls(bar.close, down)) return loss(bar.close, 'close')
    return rises(bar.close, up) ? gain(bar.close, 'close') : null
  }
  if (falls(bar.open, down)) return loss(bar.open, 'open')
  if (rises(bar.open, up)) return gain(bar.open, 'open')
  if (falls(bar.low, down)) return loss(down, 'touch', rises(bar.high, up))
  return rises(bar.high, up) ? gain(up, 'touch') : null
}

// Prices have two or three decimals, levels are products: 100.65 · 1.06 is a hair above 106.689.
const hair = 1e-9
const rises = (price: number, level: number): boolean => price >= level * (1 - hair)
const falls = (price: number, level: number): boolean => price <= level * (1 + hair)

/**
 * The trailing stop of a day: once the highest price since `peak` was measured is `activate` above the base, the position is sold
 * where the price falls `drawdown` below that highest. Only what a daily bar proves counts: the open comes first, the low comes
 * after the open, the close comes after the high; whether the low was before the high is not known.
 */
export function trailingStopOf(rule: StopRule, bar: Bar, base: number, peak: number): Stop | null {
  const active = base * (1 + rule.activate)
  const stop = (from: number, price: number, moment: Stop['moment']): Stop => ({
    reason: 'trailing_stop',
    price,
    level: from * (1 - rule.drawdown),
    from,
    moment,
    both: false,
  })
  const level = (from: number) => from * (1 - rule.drawdown)
  if (rises(peak, active) && falls(bar.open, level(peak))) return stop(peak, bar.open, 'open')
  const opened = bar.open > peak ? bar.open : peak
  if (rises(opened, active) && falls(bar.low, level(opened))) return stop(opened, level(opened), 'touch')
  const highest = bar.high > opened ? bar.high : opened
  if (rises(highest, active) && falls(bar.close, level(highest))) return stop(highest, level(highest), 'touch')
  return null
}
