import type { ForwardReturns, HistoryScreenResult } from '@convexa/contract/screen'

export type HistoryDay = HistoryScreenResult['results'][number]
/** Trading days after the date, or up to the newest day. */
export type Horizon = 1 | 5 | 20 | 'latest'

export const horizons: readonly Horizon[] = [1, 5, 20, 'latest']
export const horizonWords: Record<Horizon, string> = { 1: '1日', 5: '5日', 20: '20日', latest: '至今' }

/** What came after so many days; null where it is not known. */
export function afterOf(day: HistoryDay, horizon: Horizon): ForwardReturns | null {
  return horizon === 'latest' ? (day.latest ?? null) : (day.forward.find((one) => one.horizon === horizon) ?? null)
}

/** How much the list was ahead of its pool. */
export const leadOf = (after: Pick<ForwardReturns, 'list_mean' | 'pool_mean'> | null): number | null =>
  after === null || after.list_mean === null || after.pool_mean === null ? null : after.list_mean - after.pool_mean

export interface Box {
  low: number
  quarter: number
  median: number
  threeQuarters: number
  high: number
  mean: number
  count: number
}

/** Least, quartiles and greatest of what is known; quartiles by interpolation. */
export function boxOf(values: readonly (number | null)[]): Box | null {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b)
  if (known.length === 0) return null
  const at = (share: number) => {
    const place = share * (known.length - 1)
    const below = known[Math.floor(place)] ?? 0
    return below + ((known[Math.ceil(place)] ?? below) - below) * (place % 1)
  }
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length
  return { low: at(0), quarter: at(0.25), median: at(0.5), threeQuarters: at(0.75), high: at(1), mean, count: known.length }
}

export interface Boxes {
  list: readonly { name: string; value: number }[]
  listBox: Box | null
  poolBox: Box | null
}

/** Returns of the list's members and of its whole pool. */
export function boxesOf(day: HistoryDay, horizon: Horizon): Boxes {
  const after = afterOf(day, horizon)
  const value = (code: string) => after?.per_code[code] ?? null
  const list = day.list_items.flatMap(({ selected, code, name }) => {
    const one = selected ? value(code) : null
    return one === null ? [] : [{ name, value: one }]
  })
  return { list, listBox: boxOf(list.map((one) => one.value)), poolBox: boxOf(day.list_items.map(({ code }) => value(code))) }
}

/** How often and how much a list was ahead over several days; days of which it is not known are left out. */
export function leadsOf(days: readonly HistoryDay[], horizon: Horizon): { known: number; ahead: number; mean: number | null } {
  const leads = days.map((day) => leadOf(afterOf(day, horizon))).filter((lead) => lead !== null)
  const mean = leads.length > 0 ? leads.reduce((sum, lead) => sum + lead, 0) / leads.length : null
  return { known: leads.length, ahead: leads.filter((lead) => lead > 0).length, mean }
}
