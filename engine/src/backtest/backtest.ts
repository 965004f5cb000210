import type { DayDetail, Parameters, Settings } from '@convexa/contract'
import type { Problem } from '../expression/index.ts'
import type { Market } from '../market/market.ts'
import type { Panel } from '../panel/panel.ts'
import type { EngineReport } from '../report/report.ts'

export interface BacktestRequest {
  readonly parameters: Parameters
  readonly settings: Settings
}

/** What a run tells on its way. `curve` holds the days since the last progress. */
export type BacktestProgress =
  | { stage: 'factors' }
  | {
      stage: 'simulate'
      percent: number
      date: string
      nav: number
      bench: number | null
      hold: number
      trades: number
      curve: { dates: string[]; nav: number[]; bench: (number | null)[] }
    }
  | { stage: 'report' }
  | { warning: string }

export type BacktestOutcome = { ok: true; report: EngineReport; days: DayDetail[] } | { ok: false; problem: Problem }

/** Strategy × Panel × Market → Report, day by day. Stop iterating to cancel. */
// biome-ignore lint/correctness/useYield: the loop comes next
export function* backtest(_panel: Panel, _market: Market, _request: BacktestRequest): Generator<BacktestProgress, BacktestOutcome> {
  throw new Error('not built yet')
}
