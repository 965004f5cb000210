import { adjustments } from '@convexa/contract/enums/adjust'
import type { Panel } from '../panel/panel.ts'
import type { Portfolio } from './portfolio.ts'
import { minFactorChange } from './previous-close.ts'
import type { Simulation } from './simulation.ts'

/** The adjustment factors of a run on raw prices; null where prices need none. */
export function adjustmentOf({ market, panel, settings }: Pick<Simulation, 'market' | 'panel' | 'settings'>): Float64Array | null {
  if (adjustments[settings.adjust].adjusted || market.roles.adjustment === null) return null
  return panel.columns.get(market.roles.adjustment) ?? null
}

/**
 * Dividend adjustment of runs on raw prices, splits too: units grow with the adjustment factor, as if cash dividends were reinvested at the close
 * before. Applied on the first day that trades at the new price. Returns the units added, by security, together with those in `before`.
 *
 * `recorded`: securities whose ex-days are paid out from records, so on those days (then they are in `before`) the factor adds nothing. Its
 * other moves still count, because records may end before the run and lack rights issues. `unknown` collects securities that trade without a
 * factor; their change counts when the next factor is known.
 */
export function adjust(
  portfolio: Portfolio,
  factor: Float64Array,
  recorded: ReadonlySet<number>,
  panel: Panel,
  t: number,
  before: ReadonlyMap<number, number> | null,
  unknown: Set<number>,
): ReadonlyMap<number, number> | null {
  let grown: Map<number, number> | null = null
  const row = t * panel.stride
  for (const i of portfolio.positions) {
    const now = factor[row + i]
    const old = portfolio.adjustment[i]
    if (panel.traded[row + i] === 0) continue
    if (now !== now) {
      unknown.add(i)
      continue
    }
    portfolio.adjustment[i] = now
    if (old !== old || now === old) continue
    const ratio = now / old
    if (recorded.has(i) && (before?.has(i) || Math.abs(ratio - 1) <= minFactorChange)) continue
    grown ??= new Map(before)
    grown.set(i, portfolio.units[i] * (ratio - 1))
    portfolio.units[i] *= ratio
    portfolio.price[i] /= ratio
  }
  return grown ?? before
}
