import { clearUnlisted, type Panel } from '../src/panel/panel.ts'
import type { Chance } from './chance.ts'

type Shape = Pick<Panel, 'listed' | 'stride' | 'dates' | 'securities'>

/**
 * What vendors write of days before a listing and after its end, in all cells of these columns that are absent there: prices that look
 * like prices, and then what a panel makes of them. A mask that lets one through shows in whatever reads the panel.
 */
export function withUnlistedPrices(columns: Iterable<Float64Array>, { listed, stride, dates, securities }: Shape, luck: Chance): void {
  for (const column of columns) {
    for (let t = 0; t < dates.length; t++) {
      for (let at = t * stride; at < t * stride + securities.length; at++) {
        if (listed[at] === 0) column[at] = luck.next() < 0.5 ? 100 : 1 + 200 * luck.next()
      }
    }
    clearUnlisted(column, { listed, stride }, 0, dates.length)
  }
}
