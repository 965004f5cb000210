import { markets } from '../market/index.ts'
import { firstFrom } from '../panel/calendar.ts'
import { columnOf } from '../panel/derived.ts'
import type { Panel } from '../panel/panel.ts'
import type { Call } from './functions/function.ts'
import type { Graph, Kernel, Operand } from './graph.ts'

/** 1 on days that close at the price limit, by the exchange's rules of the date; 0 on others, suspended ones too. Series: close and previous close. */
export function daysAtLimit(
  graph: Graph,
  { series: [close, previous], market }: Pick<Call, 'series' | 'market'>,
  side: 'up' | 'down',
): Operand {
  const operation = {
    name: `limit_${side}`,
    run: () => {},
    // A call of the exchange's rules for each cell.
    weight: 8,
    reads: { fields: market.st && market.hasSt ? [market.st] : [] },
    open: (panel: Panel) => atLimit(panel, side),
  }
  return graph.apply(operation, [graph.series(close), graph.series(previous)])
}

function atLimit(panel: Panel, side: 'up' | 'down'): Kernel {
  const market = markets[panel.kind]
  const { securities, dates, traded, stride } = panel
  const st = market.roles.st ? columnOf(panel, market.roles.st) : undefined
  const listing = securities.map(({ listed }) => (listed === null || listed < dates[0] ? -100_000 : firstFrom(dates, listed)))
  // Prices are off their tick by a rounding error at most.
  const slack = 10 ** -market.tickDecimals * 0.01
  const direction = side === 'up' ? 1 : -1
  return ({ out, at, count, inputs, from, day, first, listed, listedFrom }) => {
    const [close, previous] = inputs
    const [p, q] = from
    const row = day * stride + first
    for (let i = 0; i < count; i++) {
      const price = close[p + i]
      if (listed[listedFrom + i] === 0 || price !== price) {
        out[at + i] = Number.NaN
        continue
      }
      const isSt = st !== undefined && st[row + i] > 0
      const limits = market.limits(securities[first + i], dates[day], day - listing[first + i] + 1, previous[q + i], isSt)
      const limit = limits[side]
      out[at + i] = Number(traded[row + i] === 1 && limit !== null && (price - limit) * direction >= -slack)
    }
  }
}
