/**
 * What called and matured bonds of the shared panel pay (decisions/0164): two bonds held to their redemption, ends by reason, and a rotation over the ten
 * lowest premiums under the three ways to leave a bond. Imports the panel once (bench/.store).
 */
import type { Parameters, Report, Settings } from '@convexa/contract'
import { callHandlings } from '@convexa/contract/enums/call-handling'
import { exitReasons } from '@convexa/contract/enums/exit-reason'
import { labelOf, valuesOf } from '@convexa/contract/enums/table'
import { backtest, markets, type Panel, redemptionOf } from '@convexa/engine'
import { loadPanel } from '@convexa/server/market/panels'
import { finish } from './inputs.ts'
import { sharedIsThere, snapshots } from './reference-data.ts'

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const percent = (value: number | null): string => (value === null ? '—' : `${(100 * value).toFixed(2)} %`)

const rule = (factor_key: string, hold: number, codes: readonly string[] = []): Parameters => ({
  version: 1,
  universe: { markets: [], exclude_codes: [], include_codes: [...codes] },
  exclude: { call_status: [], st: false, list_days: 0, suspended: false, org_types: [], areas: [], industries: [] },
  filter_factors: [],
  rank_factors: [{ factor_key, prefer: 'small', weight: 1, missing_process: 'exclude', neutralization: null, enable: true }],
  rank_method: 'rank',
  hold_method: {
    ...{ hold_range_type: 1, hold_range_start: 1, hold_range_end: hold, hold_weight_type: 1, hold_max_weight: 1 },
    ...{ hold_threshold: 0, empty_slot: 'next' },
  },
  rebalance_method: { rebalance_type: 0, rebalance_value: 1 },
  stop_method: { stop_type: 0 },
  hold_days: 0,
})

function ran(
  panel: Panel,
  parameters: Parameters,
  range: [string, string],
  call_handling: Settings['call_handling'],
): Pick<Report, 'metrics' | 'trades' | 'warnings'> {
  const settings: Settings = {
    ...{ start_date: range[0], end_date: range[1], benchmark: 'cb_ew', capital: 10, cost: { buy_rate: 0, sell_rate: 0 } },
    ...{ execution: 'realistic', fill: 'close', call_handling, delisting: 'last_price', adjust: 'raw' },
  }
  const outcome = finish(backtest(panel, markets.cb, { parameters, settings }))
  if (!outcome.ok) throw new Error(outcome.problem.message)
  return outcome.report
}

/** Redemption days that follow from last trading days, against those that a table states; before and after the rules of 2022-08. */
function redemptionDays({ securities, dates: known, later = [] }: Panel): string {
  const dates = [...known, ...later]
  const days = Float64Array.from(dates, dayNumberOf)
  const counts = { before: [0, 0], since: [0, 0] }
  let matured = 0
  for (const security of securities) {
    const { exitReason, redemptionDay, lastDay, terms } = security
    if (exitReason === 'called' && redemptionDay !== undefined && lastDay !== null && redemptionDay > lastDay) {
      const { redemptionDay: _stated, ...others } = security
      const count = counts[lastDay < '2022-08-01' ? 'before' : 'since']
      count[0]!++
      if (redemptionOf(others, days)?.until === dayNumberOf(redemptionDay)) count[1]!++
    }
    if (exitReason !== 'maturity' || lastDay === null || !terms?.conversionEnd) continue
    const end = dates.findLastIndex((date) => date <= terms.conversionEnd!)
    if (dates.indexOf(lastDay) === end - (lastDay < '2022-08-01' ? 10 : 3)) matured++
  }
  const told = ([all, right]: number[]) => `${right} of ${all}`
  return `redemption days by last trading days: ${told(counts.before)} to 2022-07, ${told(counts.since)} since; last days of maturities by their last conversion days: ${matured}`
}

const dayNumberOf = (date: string): number => Date.parse(date) / 86_400_000

if (!sharedIsThere) print('The real market files are not beside the repository.')
else {
  const { cb } = await snapshots()
  const panel = await loadPanel(cb.snapshot, null, ['close', 'conv_prem', 'amount'])
  const ends = new Map<string, string[]>()
  for (const { code, exitReason } of panel.securities) {
    if (exitReason) ends.set(exitReason, [...(ends.get(exitReason) ?? []), code])
  }
  for (const [reason, codes] of ends)
    print(`${labelOf(exitReasons, reason as 'called')} ${codes.length}${codes.length < 5 ? ` ${codes.join(' ')}` : ''}`)
  print(redemptionDays(panel))
  for (const [code, from, to] of [
    ['123028.SZ', '2021-11-01', '2021-12-20'],
    ['110034.SH', '2021-11-01', '2022-02-28'],
  ] as const) {
    const { trades, metrics } = ran(panel, rule('close', 1, [code]), [from, to], 'hold_to_redemption')
    const last = trades.at(-1)
    print(`${code}: ${last?.date} ${last?.side} ${last?.price} ${last?.reason}, ${percent(metrics.total_return)}`)
  }
  for (const handling of valuesOf(callHandlings)) {
    const { trades, metrics, warnings } = ran(panel, rule('conv_prem', 10), ['2019-01-02', '2022-03-31'], handling)
    const reasons = new Map<string, number>()
    for (const { side, reason } of trades) if (side === 'sell') reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    print(
      `${labelOf(callHandlings, handling)}: ${percent(metrics.total_return)}; ${[...reasons].map(([reason, n]) => `${reason} ${n}`).join(', ')}`,
    )
    for (const warning of warnings) print(`  ${warning}`)
  }
}
