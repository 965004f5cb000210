import type { LedgerPart, Report } from '@convexa/contract'
import { lacksBar } from '../panel/missing-bars.ts'
import { silentSince } from '../simulation/exit-warnings.ts'
import { firstFill } from '../simulation/fills.ts'
import type { Ledger } from '../simulation/ledger.ts'
import type { Trials } from '../simulation/request.ts'
import type { Simulation } from '../simulation/simulation.ts'
import { assumptionsOf } from './assumptions.ts'
import { contributionsOf } from './contributions.ts'
import { dailyGains } from './daily-contribution.ts'
import type { DailyFigures, DailySeries } from './daily-figures.ts'
import { groupsOf } from './groups.ts'
import { peakParticipation } from './participation.ts'
import { performanceOf } from './performance-series.ts'
import { referencesOf } from './robustness/judged.ts'
import { robustnessOf } from './robustness/robustness.ts'
import { worthOf } from './robustness/worth.ts'
import { capacityCurve, costSweep, isSwept, singleRun } from './sweep.ts'

/** The engine's part of a Report; the server adds identities, names and times. */
export type EngineReport = Omit<
  Report,
  'backtest_id' | 'strategy_id' | 'group_id' | 'name' | 'note' | 'params_hash' | 'created_at' | 'partial'
>

/** A report without what follows from its ledger and the data. */
export type CoreReport = Omit<EngineReport, LedgerPart>
/** …and without what follows from its daily values. */
export type CoreMembers = Omit<CoreReport, keyof DailyFigures>

/** What a core is made of. */
export interface CoreAndSeries {
  readonly core: CoreMembers
  readonly series: DailySeries
}

/** Ledger → core of the report. `benchmark` holds its values on the days of the run. Yields between the runs of its sweeps. */
export function* coreOf(
  run: Simulation,
  ledger: Ledger,
  benchmark: Float64Array,
  warnings: readonly string[],
  trials: Trials,
): Generator<void, CoreAndSeries> {
  const { panel, market, compiled, parameters, settings, first, last } = run
  const performance = performanceOf({
    panel,
    first,
    last,
    settings,
    sums: ledger,
    holdCount: holdCountOf(ledger),
    benchmark,
    tradedFrom: (from) => tradedFrom(ledger, from),
  })
  const { series, figures, months, years, events, origin } = performance
  const { dates, nav } = series
  const gains = dailyGains(ledger, panel)
  const sensitivity = isSwept([{ simulation: run, ledger }])
  const family = familyOf(compiled)
  const { metrics } = figures
  const { oos_start: oosStart } = origin
  const worth = worthOf(nav, referencesOf({ kind: panel.kind, settings, curves: series }))
  const core: CoreMembers = {
    kind: panel.kind,
    parameters,
    settings,
    ...figures,
    contributions: contributionsOf(ledger, panel),
    by_group: groupsOf(gains, ledger, panel, market),
    trades_total: ledger.fills.length,
    events,
    capacity: sensitivity ? yield* capacityCurve(singleRun(run)) : [],
    peak_participation: peakParticipation([ledger], panel, first, last),
    cost_sweep: sensitivity ? yield* costSweep(singleRun(run)) : [],
    ...(worth && { worth }),
    robustness: robustnessOf({ dates, nav, metrics, oosStart, months, years, family, isGroup: false, worth, gains, ledger }, trials),
    ...(ledger.leftOutInterest !== undefined && { left_out_interest: ledger.leftOutInterest }),
    assumptions: assumptionsOf(panel, market, [{ compiled }], settings, { ended: endedIn(run), ...silentIn(run) }),
    warnings: [...warnings, ...ledger.warnings, ...(sensitivity ? [] : ['轮动次数 × 持有只数过多，未计算成本敏感与容量曲线'])],
    ...origin,
  }
  return { core, series }
}

/** 「双低、剩余规模」: what the rule scores by. */
const familyOf = (compiled: Simulation['compiled']): string => compiled.ranks.map(({ factor }) => factor.label).join('、')

const holdCountOf = ({ equity, positions }: Ledger): Float64Array => equity.map((_, day) => positions.claims[day] - positions.from[day])

/** What a run traded from one of its days on; holding days are those of positions closed since. */
export function tradedFrom(
  { fills, first }: Ledger,
  from: number,
): { holdingDays: number | null; closed: number; trades: number; fees: number } {
  const start = firstFill(fills, first + from)
  let fees = 0
  let closed = 0
  let holdingDays = 0
  for (let f = start; f < fills.length; f++) {
    fees += fills.fee[f]
    if (fills.closes[f] === 0) continue
    closed++
    holdingDays += fills.day[f] - fills.opened[f]
  }
  return { holdingDays: closed === 0 ? null : holdingDays / closed, closed, trades: fills.length - start, fees }
}

/** Securities that are listed at the end of the range and have not traded for long; `missing`: of these, whose bar of the last day has not come. */
export function silentIn({ panel, last }: Simulation): { readonly silent: number; readonly missing: number } {
  let [silent, missing] = [0, 0]
  for (let i = 0; i < panel.securities.length; i++) {
    if (panel.listed[last * panel.stride + i] !== 1 || silentSince(panel, i, last) === null) continue
    silent++
    if (lacksBar(panel, i, last)) missing++
  }
  return { silent, missing }
}

/** Securities that were listed in the range and left before its end: what a list of today's survivors would lack. */
export function endedIn({ panel, first, last }: Simulation): number {
  let ended = 0
  for (let i = 0; i < panel.securities.length; i++) {
    if (panel.listed[last * panel.stride + i] === 1) continue
    for (let t = last - 1; t >= first; t--) {
      if (panel.listed[t * panel.stride + i] === 0) continue
      ended++
      break
    }
  }
  return ended
}
