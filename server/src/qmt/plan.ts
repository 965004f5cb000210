import type { TargetItem } from '@convexa/contract'

// What targets mean for what is held: the same steps as `qmt-client/convexa_qmt/plan.py`, held to it by `qmt-client/test/plan-cases.json`.

export interface PlanInput {
  /** The best first. */
  readonly items: readonly Pick<TargetItem, 'code' | 'weight' | 'ref_price' | 'lot_min' | 'lot_step'>[]
  readonly holdings: readonly { readonly code: string; readonly volume: number }[]
  readonly money: number
  /** Yuan below which what is kept is not adjusted. */
  readonly order_min: number
  readonly ignore_codes: readonly string[]
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
 * 2. What is held and among the items keeps a place, the best first; the best of the others fill what is left.
 * 3. The chosen, by their rank, take the weights in order; weight × money at the reference price makes whole lots.
 * 4. What stays is adjusted only by an order that is worth it. What is held and not chosen goes whole. Ignored codes are left alone.
 */
export function planOf({ items, holdings, money, order_min, ignore_codes }: PlanInput): Planned[] {
  const ignored = new Set(ignore_codes)
  const held = new Map(holdings.filter(({ code, volume }) => volume > 0 && !ignored.has(code)).map(({ code, volume }) => [code, volume]))
  const open = items.filter(({ code }) => !ignored.has(code))
  const weights = open.filter(({ weight }) => weight > 0).map(({ weight }) => weight)
  const kept = open.filter(({ code }) => held.has(code)).slice(0, weights.length)
  const fresh = open.filter(({ code, weight }) => weight > 0 && !held.has(code)).slice(0, weights.length - kept.length)
  const taken = new Set([...kept, ...fresh].map(({ code }) => code))
  const chosen = open.filter(({ code }) => taken.has(code))
  const leaving = [...held]
    .filter(([code]) => !taken.has(code))
    .map(([code, volume]): Planned => ({ code, held: volume, target: 0, wanted: 0 }))
  return [
    ...leaving.sort((a, b) => (a.code < b.code ? -1 : 1)),
    ...chosen.map((item, i): Planned => {
      const before = held.get(item.code) ?? 0
      const wanted = (money * weights[i]!) / item.ref_price
      return { code: item.code, held: before, target: before + stepsTo(wanted - before, before, item, order_min), wanted }
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
  if (difference < 0) return -size
  return size >= lot_min ? size : 0
}
