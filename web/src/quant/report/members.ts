import type { Report } from '@convexa/contract/report'
import { metricsOf } from '@convexa/engine/report'

export interface MemberFigures {
  name: string
  weight: number
  nav: readonly number[]
  annual: number | null
  drawdown: number | null
  sharpe: number | null
  /** Its weight times its own total return. */
  share: number
  /** Of its daily returns with those of the group. */
  correlation: number | null
}

/** What each member of a group's report did by itself, by the engine's own definitions. */
export function memberFigures({ group, curves }: Pick<Report, 'group' | 'curves'>): MemberFigures[] {
  const together = Float64Array.from(curves.nav, (value) => value ?? 1)
  return (group?.members ?? []).map(({ name, weight, nav }) => {
    const own = metricsOf({ dates: curves.dates, nav: Float64Array.from(nav), bench: together, monthWinRate: null, run: null })
    return {
      name,
      weight,
      nav,
      annual: own.annual_return,
      drawdown: own.max_drawdown,
      sharpe: own.sharpe,
      share: weight * ((nav.at(-1) ?? 1) - 1),
      correlation: own.correlation,
    }
  })
}
