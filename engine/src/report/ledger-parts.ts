import type { DayDetail, LedgerPart, Report, TradeRow } from '@convexa/contract'
import { rounded } from '../base/round.ts'
import type { Panel } from '../panel/panel.ts'
import type { Ledger } from '../simulation/ledger.ts'
import { paymentOf } from '../simulation/redemption-payments.ts'
import type { Simulation } from '../simulation/simulation.ts'
import { dailyContribution, dailyGains } from './daily-contribution.ts'
import { dayPages } from './days.ts'
import type { TradeExplanation } from './reasons.ts'
import { tradesBetween } from './trades.ts'

/** Parts of a report that follow from its ledger and the data. */
export const ledgerParts = ['daily_contribution', 'holdings', 'trades'] as const satisfies readonly LedgerPart[]

/** What can be told of a run from its ledger, made when it is asked for. */
export interface LedgerReader {
  readonly nav: Float64Array
  part<P extends LedgerPart>(part: P): Report[P]
  /** The page of a day of the run, counted from its first. */
  page(day: number): DayDetail
}

/** Trades listed in a report, the newest; a report is read whole by a browser. The days hold every one. */
const mostTrades = 10_000
export const newestTrades = (rows: TradeRow[]): TradeRow[] => rows.slice(-mostTrades)

export const explanationOf = ({ panel, market, compiled, rankings, settings, exposure }: Simulation): TradeExplanation => {
  return { panel, market, compiled, rankings, settings, exposure }
}

/** Of one strategy by itself. */
export function readLedger(run: Simulation, ledger: Ledger): LedgerReader {
  const { panel, first, last } = run
  const explanation = explanationOf(run)
  const makers: { [P in LedgerPart]: () => Report[P] } = {
    daily_contribution: () => dailyContribution(dailyGains(ledger, panel), ledger, panel),
    holdings: () => holdingsOf(ledger, panel, panel.dates.slice(first, last + 1)),
    trades: () => newestTrades(tradesBetween(ledger, explanation)(first, last)),
  }
  const nav = ledger.equity.map((value) => value / ledger.capital)
  return { nav, part: (part) => makers[part](), page: dayPages(ledger, explanation) }
}

/** A report with parts of its ledger, the whole one unless said otherwise: they stand before the number of its trades. */
export function withParts<R extends { readonly trades_total: number }>(
  core: R,
  { part }: LedgerReader,
  parts: readonly LedgerPart[] = ledgerParts,
): R & Pick<Report, LedgerPart> {
  const members = Object.entries(core).flatMap((member) =>
    member[0] === 'trades_total' ? [...parts.map((key) => [key, part(key)]), member] : [member],
  )
  return Object.fromEntries(members) as R & Pick<Report, LedgerPart>
}

/** Entries of holdings in all days together; of more, each day has the largest. */
const mostHoldings = 1_000_000

function holdingsOf({ positions, equity, first }: Ledger, panel: Panel, dates: readonly string[]): Report['holdings'] {
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
