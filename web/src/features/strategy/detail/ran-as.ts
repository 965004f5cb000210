import type { Settings } from '@convexa/contract/backtest'
import type { StrategyDetail } from '@convexa/contract/saved-strategy'
import type { Parameters } from '@convexa/contract/strategy'
import { differences } from '../../rule/backtest-run-difference.ts'

/** Whether a run was of the rule as it is saved now; its dates and costs may differ. */
export const ranAs = ({ detail }: StrategyDetail, parameters: Parameters, settings: Settings, nameOf: (ref: string) => string) =>
  differences({ parameters: detail, settings }, { parameters, settings }, nameOf).length === 0
