import { exitReasons } from '@convexa/contract/enums/exit-reason'
import { stopTypes } from '@convexa/contract/enums/stop-type'
import { labelOf } from '@convexa/contract/enums/table'
import type { TradeReason } from '@convexa/contract/report'

/** Why a position was opened or closed, in a word or two; the sentence of each trade says more. */
export const reasonWords: Record<TradeReason, string> = {
  enter: '新进',
  rank_out: '移出',
  rebalance: '调仓',
  excluded: '剔除',
  missing: '缺失',
  last_day: '最后交易日',
  called: labelOf(exitReasons, 'called'),
  matured: labelOf(exitReasons, 'maturity'),
  delisted: labelOf(exitReasons, 'delisted'),
  take_profit: '止盈',
  stop_loss: '止损',
  trailing_stop: labelOf(stopTypes, 5),
  timing: '择时',
  end: '期末',
}
