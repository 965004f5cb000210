import type { Settings } from '@convexa/contract/backtest'
import type { Parameters } from '@convexa/contract/strategy'
import type { ReactNode } from 'react'

export interface WorkbenchAction {
  label: string
  /** Called with a draft that has passed its checks. */
  run(parameters: Parameters, settings: Settings): void
  busy?: boolean
}

export interface WorkbenchProps {
  action: WorkbenchAction
  /** Section 6 (cost, fill, range, benchmark, capital) open: the page runs backtests. */
  withSettings?: boolean
  children: ReactNode
}
