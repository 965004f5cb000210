import type { TargetItem } from '@convexa/contract'
import { orderVolume } from './order-volume.ts'

// What targets mean for what is held: the same steps as `qmt-client/convexa_qmt/plan.py`, held to it by `qmt-client/test/plan-cases.json`.

export interface PlanInput {
  /** The best first. */
  readonly items: readonly Pick<TargetItem, 'code' | 'weight' | 'ref_price' | 'lot_min' | 'lot_step'>[]
  readonly holdings: readonly { readonly code: string; readonly volume: number }[]
  readonly money: number
  /** Yuan below which what is kept is not adjusted. */
  readonly order_min: number
  readonly ignore_codes: readonly string[]
  /** Codes that rest: they keep their places, and nothing of them is traded until they wake. */
  readonly resting?: readonly string[]
}

export interface Planned {
  readonly code: string
  readonly held: number
  readonly target: number
  /** What its weight is worth, before lots and the smallest order; 0 for what leaves. */
  readonly wanted: number
}

/**
 * 1. There are as many places as items with a weight; an item without one is kept while it is held and never bought.
 * 2. What is held and among the items keeps a place, the best first, and so does what rests; the best of the others fill what is left.
 * 3. The chosen, by their rank, take the weights in order; weight × money at the reference price makes whole lots.
 * 4. What stays is adjusted only by an order that is worth it and that the exchange takes. What is held and not chosen goes whole. Ignored codes are left alone.
 */
export function planOf({ items, holdings, money, order_min, ignore_codes, resting = [] }: PlanInput): Planned[] {
  const ignored = new Set(ignore_codes)
  const positions = new Map(
    holdings.filter(({ code, volume }) => volume > 0 && !ignored.has(code)).map(({ code, volume }) => [code, volume]),
  )
  const open = items.filter(({ code }) => !ignored.has(code))
  const weights = open.filter(({ weight }) => weight > 0).map(({ weight }) => weight)
  const placed = new Set([...positions.keys(), ...resting])
  const kept = open.filter(({ code }) => placed.has(code)).slice(0, weights.length)
  const fresh = open.filter(({ code, weight }) => weight > 0 && !placed.has(code)).slice(0, weights.length - kept.length)
  const taken = new Set([...kept, ...fresh].map(({ code }) => code))
  const chosen = open.filter(({ code }) => taken.has(code))
  const leaving = [...positions]
    .filter(([code]) => !taken.has(code))
    .map(([code, volume]): Planned => ({ code, held: volume, target: 0, wanted: 0 }))
  return [
    ...leaving.sort((a, b) => (a.code < b.code ? -1 : 1)),
    ...chosen.flatMap((item, i): Planned | [] => {
      const before = positions.get(item.code) ?? 0
      // It rests: its place is kept, and nothing of it is planned today.
      if (before === 0 && !(item.weight > 0)) return []
      const wanted = (money * weights[i]!) / item.ref_price
      // Of what rests the book may be wrong: its target follows from the money alone.
      const sureVolume = resting.includes(item.code) ? 0 : before
      return { code: item.code, held: before, target: sureVolume + stepsTo(wanted - sureVolume, sureVolume, item, order_min), wanted }
    }),
  ]
}

function stepsTo(
  difference: number,
  before: number,
  { ref_price, lot_min, lot_step }: PlanInput['items'][number],
  orderMin: number,
): number {
  const size = Math.floor(Math.abs(difference) / lot_step + 1e-6) * lot_step
  if (size === 0 || (before > 0 && size * ref_price < orderMin)) return 0
  const lot = { min: lot_min, step: lot_step }
  if (difference < 0) return -orderVolume('sell', size, before, before, lot, ref_price)
  return orderVolume('buy', size, 0, 0, lot, ref_price)
}
