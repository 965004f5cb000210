import type { Report } from '@convexa/contract'
import { ratings } from '../market/market.ts'
import { textOn } from '../panel/dated.ts'
import type { Panel } from '../panel/panel.ts'
import type { Ledger } from '../simulation/ledger.ts'

/**
 * What each security gained or lost, costs included, the greatest first. Everything paid for and received from a security is
 * its own, so the gains sum to the gain of the run and the shares of the capital to its total return.
 */
export function contributionsOf(ledger: Ledger, panel: Panel): Report['contributions'] {
  const { positions, fills, gain, capital, first } = ledger
  const count = panel.securities.length
  const days = new Int32Array(count)
  const trades = new Int32Array(count)
  const lastHeldDay = new Int32Array(count).fill(-1)
  for (let f = 0; f < fills.length; f++) {
    const security = fills.security[f]
    trades[security]++
    if (lastHeldDay[security] < 0) lastHeldDay[security] = fills.day[f]
  }
  for (let day = 0; day < ledger.equity.length; day++) {
    for (let at = positions.from[day]; at < positions.to[day]; at++) {
      days[positions.security[at]]++
      lastHeldDay[positions.security[at]] = first + day
    }
  }
  const rating = panel.columns.get('rating')
  const rows: Report['contributions'] = []
  for (let i = 0; i < count; i++) {
    if (trades[i] === 0) continue
    const { code, name } = panel.securities[i]
    const industry = ['industry_1', 'industry']
      .map((key) => textOn(panel.securities[i], key, panel.dates[lastHeldDay[i]]))
      .find((text) => text)
    const rated = rating ? ratings[rating[lastHeldDay[i] * panel.stride + i]] : undefined
    rows.push({
      code,
      name,
      pnl: gain[i],
      share: gain[i] / capital,
      days: days[i],
      trades: trades[i],
      ...(industry ? { industry } : {}),
      ...(rated ? { rating: rated } : {}),
    })
  }
  return rows.sort((a, b) => b.pnl - a.pnl || (a.code < b.code ? -1 : 1))
}
