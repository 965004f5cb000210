import { addDays, tradingDays } from '../market/calendar.ts'
import { shanghaiTime } from '../time.ts'

/** Trading days after which an event that has not come, or an ex-day that nothing explains, is asked: the data usually explain it before. */
const patience = 3

/** Since when a security must rest to be asked about for anything but what is missing in the account. */
export const askedSince = (now: Date): string => {
  const today = shanghaiTime(now).slice(0, 10)
  return tradingDays(addDays(today, -30), today).slice(-patience - 1)[0] ?? addDays(today, -patience)
}
