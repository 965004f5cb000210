import type { Parameters, Settings } from '@convexa/contract'
import { markets } from '../src/index.ts'
import type { Panel } from '../src/panel/panel.ts'
import { parameters, settings } from './parameters.ts'
import { reportOf } from './run.ts'

/** Trades as short lines: date side code volume@price reason. */
export function trades(panel: Panel, wanted: Parameters, over: Partial<Settings>): string[] {
  const { report } = reportOf(panel, markets[panel.kind], {
    parameters: wanted,
    settings: settings(panel.dates[0], panel.dates[panel.dates.length - 1], {
      benchmark: `${panel.kind}_ew`,
      execution: 'realistic',
      capital: 1,
      adjust: panel.kind === 'cb' ? 'raw' : 'qfq',
      ...over,
    }),
  })
  return report.trades.map(
    ({ date, side, code, volume, price, reason }) => `${date.slice(5)} ${side} ${code} ${num(volume)}@${num(price)} ${reason}`,
  )
}
const num = (value: number) => Number(value.toFixed(4))

/** The cheapest one, looked at on each day. */
export const cheapest = parameters({ hold_method: { hold_range_end: 1 } })
