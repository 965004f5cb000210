import { columnOf } from '../market/derived-columns.ts'
import { markets } from '../market/index.ts'
import { areAdjusted, priceLimitsOf } from '../market/price-limits.ts'
import type { Panel } from '../panel/panel.ts'
import type { Call } from './functions/function.ts'
import type { Graph, Kernel, Operand } from './graph.ts'

/**
 * 1 on days that close at the price limit, by the exchange's rules of the date; 0 on others, suspended ones too, and absent where there is
 * no previous close to measure it from. Series: close and previous close.
 */
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
    reads: { fields: market.limitFields },
    open: (panel: Panel) => atLimit(panel, side),
  }
  return graph.apply(operation, [graph.series(close), graph.series(previous)])
}

function atLimit(panel: Panel, side: 'up' | 'down'): Kernel {
  const market = markets[panel.kind]
  const { traded, stride } = panel
  const { standing } = priceLimitsOf(panel, market, {
    st: market.roles.st ? (columnOf(panel, market.roles.st) ?? null) : null,
    isAdjusted: areAdjusted(panel, market),
  })
  const wanted = side === 'up' ? 1 : -1
  return ({ out, at, count, inputs, from, day, first, listed, listedFrom }) => {
    const [close, previous] = inputs
    const [p, q] = from
    const row = day * stride + first
    for (let i = 0; i < count; i++) {
      const price = close[p + i]
      if (listed[listedFrom + i] === 0 || price !== price) out[at + i] = Number.NaN
      else if (traded[row + i] === 0) out[at + i] = 0
      else {
        const found = standing(first + i, day, price, previous[q + i])
        out[at + i] = found === found ? Number(found === wanted) : Number.NaN
      }
    }
  }
}
