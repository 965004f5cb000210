import type { DayDetail, Report } from '@convexa/contract'
import { rounded } from '../base/round.ts'
import { lacksBar } from '../panel/missing-bars.ts'
import { silentSince } from '../simulation/exit-warnings.ts'
import { firstFill } from '../simulation/fills.ts'
import type { Ledger } from '../simulation/ledger.ts'
import { paymentOf } from '../simulation/redemption-payments.ts'
import type { Trials } from '../simulation/request.ts'
import type { Simulation } from '../simulation/simulation.ts'
import { assumptionsOf } from './assumptions.ts'
import { contributionsOf } from './contributions.ts'
import { dailyContribution, dailyGains } from './daily-contribution.ts'
import { daysOf } from './days.ts'
import { groupsOf } from './groups.ts'
import { peakParticipation } from './participation.ts'
import { performanceOf } from './performance-series.ts'
import { referencesOf } from './robustness/judged.ts'
import { robustnessOf } from './robustness/robustness.ts'
import { worthOf } from './robustness/worth.ts'
import { capacityCurve, costSweep, isSwept, singleRun } from './sweep.ts'
import { tradesOf } from './trades.ts'

/** The engine's part of a Report; the server adds identities, names and times. */
export type EngineReport = Omit<
  Report,
  'backtest_id' | 'strategy_id' | 'group_id' | 'name' | 'note' | 'params_hash' | 'created_at' | 'partial'
>

/** Ledger → report and day details. `benchmark` holds its values on the days of the run. Yields between the runs of its sweeps. */
export function* reportOf(
  run: Simulation,
  ledger: Ledger,
  benchmark: Float64Array,
  warnings: readonly string[],
  trials: Trials,
): Generator<void, { report: EngineReport; days: DayDetail[] }> {
  const { panel, market, compiled, rankings, exposure, parameters, settings, first, last } = run
  const explanation = { panel, market, compiled, rankings, settings, exposure }
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
  const { dates, nav, turnover, figures, events, origin } = performance
  const trades = tradesOf(ledger, explanation)
  const gains = dailyGains(ledger, panel)
  const sensitivity = isSwept([{ simulation: run, ledger }])
  const family = familyOf(compiled)
  const { metrics, monthly: months, yearly: years } = figures
  const { oos_start: oosStart } = origin
  const worth = worthOf(nav, referencesOf({ kind: panel.kind, settings, curves: figures.curves }))
  const report: EngineReport = {
    kind: panel.kind,
    parameters,
    settings,
    ...figures,
    contributions: contributionsOf(ledger, panel),
    by_group: groupsOf(gains, ledger, panel, market),
    daily_contribution: dailyContribution(gains, ledger, panel),
    holdings: holdingsOf(ledger, run, dates),
    trades: trades.rows.slice(-mostTrades),
    trades_total: trades.rows.length,
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
  return { report, days: daysOf(ledger, explanation, turnover, trades.byDay) }
}

/** 「双低、剩余规模」: what the rule scores by. */
const familyOf = (compiled: Simulation['compiled']): string => compiled.ranks.map(({ factor }) => factor.label).join('、')

/** Trades listed in a report, the newest; a report is read whole by a browser. The days hold every one. */
export const mostTrades = 10_000

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

/** Entries of holdings in all days together; of more, each day has the largest. */
const mostHoldings = 1_000_000

function holdingsOf({ positions, equity, first }: Ledger, { panel }: Simulation, dates: readonly string[]): Report['holdings'] {
  const close = panel.columns.get('close') as Float64Array
  const perDay = Math.max(50, Math.floor(mostHoldings / dates.length))
  /** By security: its index in the list of those held, −1 = not in it. */
  const indexOf = new Int32Array(panel.securities.length).fill(-1)
  const heldSecurities: number[] = []
  const days = dates.map((date, day) => {
    const row = (first + day) * panel.stride
    const weightAt = (at: number) => (positions.units[at] * positions.priceAt(at, close, row)) / equity[day]
    const from = positions.from[day]
    const count = positions.to[day] - from
    const largest = count > perDay ? largestOf(from, count, perDay, weightAt) : null
    const listed = largest ? perDay : count
    const code_index = new Array<number>(listed)
    const weight = new Array<number>(listed)
    const [claims, unpaid]: [number[], number[]] = [[], []]
    for (let k = 0; k < listed; k++) {
      const at = largest ? largest[k] : from + k
      const security = positions.security[at]
      if (indexOf[security] < 0) indexOf[security] = heldSecurities.push(security) - 1
      code_index[k] = indexOf[security]
      weight[k] = rounded(weightAt(at))
      if (positions.claim[at] === 1) (paymentOf(panel, security, first + day) ? claims : unpaid).push(indexOf[security])
    }
    return { date, code_index, weight, ...(claims.length > 0 && { claims }), ...(unpaid.length > 0 && { unpaid }) }
  })
  return { codes: heldSecurities.map((i) => panel.securities[i].code), names: heldSecurities.map((i) => panel.securities[i].name), days }
}

/** The entries of largest weight, the largest first, equal ones in their order. */
function largestOf(from: number, count: number, limit: number, weightAt: (at: number) => number): number[] {
  const weights = Float64Array.from({ length: count }, (_, k) => weightAt(from + k))
  const entries = Array.from(weights, (_, k) => from + k)
  return entries.sort((a, b) => weights[b - from] - weights[a - from] || a - b).slice(0, limit)
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
