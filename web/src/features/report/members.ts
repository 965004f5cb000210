import type { Report, ReportCore } from '@convexa/contract/report'
import type { Verdict } from '@convexa/contract/verdict'
import { judged, metricsOf, verdictInShort } from '@convexa/engine/report'

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
  /** Both answers; what its curve alone cannot tell is missing. null without a reference. */
  verdict: Verdict | null
}

/** What each member of a group's report did by itself, by the engine's own definitions. */
export function memberFigures(report: ReportCore): MemberFigures[] {
  const { group, curves } = report
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
      verdict: memberVerdict(report, nav, own),
    }
  })
}

/**
 * A member judged by its curve: luck with as many tries as its group had, and what it kept outside the sample. Its grid and what is left without
 * its best need a run of its own.
 */
function memberVerdict({ group: _, worth: __, ...report }: ReportCore, nav: readonly number[], metrics: Report['metrics']): Verdict | null {
  const none = { annual_return: null }
  const unknown = { dsr: null, pbo: null, neighbour_std: null, drop_best5: none, drop_best_month: none, worst_year_dropped: null }
  const { judged: _judged, passed: _passed, ...robustness } = report.robustness
  return verdictInShort(
    judged({ ...report, metrics, curves: { ...report.curves, nav: [...nav] }, robustness: { ...robustness, ...unknown } }),
  )
}
