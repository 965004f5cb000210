/**
 * Rows of Tushare's tables of events that speak of one event (decision 0179): alike ones are one, and what they contradict none of them says.
 * Their order decides nothing.
 */
import { callStates, callStatuses } from '@convexa/contract/enums/call-status'
import type { CallRow, ConversionPriceRow, RemainingSizeRow } from '../../db/tables/fact-value.ts'
import type { Asking } from '../feed.ts'
import { agreedBy, tellContradictions } from '../source/agreed.ts'

/** A row of changes, with the price that it says was in force before; NaN: it does not say. */
export interface PriceChange extends ConversionPriceRow {
  readonly before: number
}

/**
 * One change a bond and day, of each day of publication: a later one is a correction. Of two changes of one day the one goes on from the other
 * that says so by its price before: a dividend and a revision may come into force together.
 */
export function agreedPrices(rows: readonly PriceChange[], asking: Pick<Asking, 'tell'>): ConversionPriceRow[] {
  const dayOf = ({ code, effective }: ConversionPriceRow) => `${code} ${effective}`
  const published = new Map(rows.flatMap((row) => (row.announced === null ? [] : [[dayOf(row), row.announced]])))
  // A row without a day of publication is of no later one than the others.
  const keyOf = (row: ConversionPriceRow) => `${dayOf(row)} ${row.announced ?? published.get(dayOf(row)) ?? ''}`.trimEnd()
  const last = [...Map.groupBy(rows, keyOf).values()].flatMap((own) => own.filter((row) => !own.some((next) => goesOn(next, row))))
  const changes = last.map(({ before: _, ...row }): ConversionPriceRow => row)
  return agreedBy(changes, keyOf, asking, { price: '转股价' }).filter(({ price }) => price > 0)
}

const goesOn = (next: PriceChange, from: PriceChange): boolean =>
  next.before === from.price && next.price !== from.price && from.before !== next.price

/** One size a bond, day of publication and day that it is of. */
export const agreedSizes = (rows: readonly RemainingSizeRow[], asking: Pick<Asking, 'tell'>): RemainingSizeRow[] =>
  agreedBy(rows, ({ code, announced, asOf }) => `${code} ${announced} ${asOf}`, asking, { size: '剩余规模' }).filter(({ size }) => size > 0)

const words: Readonly<Record<CallRow['status'], string>> = {
  met: callStatuses.met.label,
  will_call: callStatuses.notice.label,
  called: callStatuses.executing.label,
  matures: callStatuses.maturity.label,
  will_not_call: callStates.waived.label,
}
const names = { registerDate: '登记日', callDate: '赎回日', paymentDate: '付款日', price: '赎回价' }
/** From here on it is what an issuer decides; that a condition is met, or may be, is beside it. */
const ranks: readonly CallRow['status'][] = ['met', 'will_call', 'will_not_call', 'called', 'matures']
const isDecision = ({ status }: CallRow): boolean => ranks.indexOf(status) >= ranks.indexOf('will_not_call')

/** One notice a bond, day and kind, the decision of a day last. Two decisions of one day that differ are none. */
export function agreedCalls(rows: readonly CallRow[], asking: Pick<Asking, 'tell'>): CallRow[] {
  const one = agreedBy(rows, ({ code, announced, status }) => `${code} ${announced} ${words[status]}`, asking, names)
  const contradictions: string[] = []
  const found = [...Map.groupBy(one, ({ code, announced }) => `${code} ${announced}`)].flatMap(([key, own]) => {
    const decided = own.filter(isDecision)
    if (decided.length > 1) contradictions.push(`${key} ${decided.map(({ status }) => words[status]).join('、')}`)
    const kept = decided.length > 1 ? own.filter((row) => !isDecision(row)) : own
    return kept.sort((a, b) => ranks.indexOf(a.status) - ranks.indexOf(b.status))
  })
  tellContradictions(contradictions, asking)
  return found
}
