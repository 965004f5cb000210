import type { Settings } from '@convexa/contract/backtest'
import type { ScreenResult } from '@convexa/contract/screen'
import type { Parameters } from '@convexa/contract/strategy'
import type { ReactNode } from 'react'

interface WorkbenchAction {
  label: string
  /** Called with a draft that has passed its checks. */
  run(parameters: Parameters, settings: Settings): void
  busy?: boolean
}

export interface WorkbenchProps {
  action: WorkbenchAction
  /** Section 6 (cost, fill, range, benchmark, capital) open: the page runs backtests. */
  withSettings?: boolean
  /**
   * The page looks at a day of the past: its own screen of the draft, null while there is none of that day, and the newest day's
   * counts stand in. Then the builder says of which day its counts are.
   */
  counted?: ScreenResult | null | undefined
  children: ReactNode
}
