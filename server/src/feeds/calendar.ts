/**
 * The calendar's next year, asked of the sources. The exchanges publish a year in the December before it, so it is asked for from November
 * on until it is there, and then once a week: a holiday may be moved.
 */
import type { Kysely } from 'kysely'
import { shanghaiDate } from '../base/time.ts'
import type { Database } from '../db/tables.ts'
import { addDays, builtInYear, type ClosedWeekdays, closedWeekdaysIn, daysOfYear, isTradingDay, isWeekend } from '../market/calendar.ts'
import { besidesHolidays, yearFaults } from '../market/calendar-checks.ts'
import { type KeptYear, keepAnsweredYear, keepUntold, keptYears, readCalendar } from '../market/calendar-years.ts'
import type { Chain } from './chain.ts'
import { FeedError } from './feed.ts'
import type { CalendarDay } from './rows.ts'

export interface CalendarDeps {
  readonly db: Kysely<Database>
  readonly chain: Pick<Chain, 'ask'>
  readonly signal: AbortSignal
  readonly now: () => Date
}

const firstMonth = 11
/** Days after which a year that a source gave is asked for again. */
const againDays = 7

/** Outcome for a year that was due. `why` null: `source` gave it, and every process has it. */
export interface AskedYear {
  readonly year: number
  readonly source: string | null
  readonly why: string | null
}

/** Asks for the years that are due, and takes those that are whole. What no source answers the next round asks again. */
export async function askForYears({ db, chain, signal, now }: CalendarDeps): Promise<AskedYear[]> {
  await readCalendar(db)
  const done: AskedYear[] = []
  const kept = await keptYears(db)
  for (const year of dueYears(kept, now())) {
    // December of the year before is known: a source that tells it otherwise speaks of another exchange.
    const range = { from: `${year - 1}-12-01`, to: `${year}-12-31` }
    try {
      const { answer, from } = await chain.ask('calendar', range, { signal })
      const isAnswered = kept.some((one) => one.year === year && one.closed !== null)
      const reading = yearIn(answer, year, isAnswered)
      const question = { year, source: from, at: now() }
      if ('why' in reading) await keepUntold(db, question, reading.why)
      else await keepAnsweredYear(db, question, reading.closed)
      done.push({ year, source: from, why: 'why' in reading ? reading.why : null })
    } catch (error) {
      if (!(error instanceof FeedError)) throw error
      done.push({ year, source: null, why: error.message })
    }
    await readCalendar(db)
  }
  return done
}

/** Years beyond the built-in calendar up to this one, from November on up to the next, without those that a source gave lately. */
function dueYears(kept: readonly KeptYear[], now: Date): number[] {
  const today = shanghaiDate(now)
  const [year = 0, month = 0] = today.split('-').map(Number)
  const last = month >= firstMonth ? year + 1 : year
  const lately = addDays(today, -againDays)
  return Array.from({ length: Math.max(0, last - builtInYear) }, (_, i) => builtInYear + 1 + i).filter((each) => {
    const keptAnswer = kept.find((one) => one.year === each && one.by === 'source')
    if (!keptAnswer?.closed) return true
    return each >= year && (keptAnswer.askedAt === null || shanghaiDate(keptAnswer.askedAt) <= lately)
  })
}

/**
 * The closed weekdays of a year as a source tells it, or why it cannot be believed.
 * @param isAnswered the year is known: only then may a day be closed besides the holidays, which is announced in the year itself
 */
export function yearIn(days: readonly CalendarDay[], year: number, isAnswered: boolean): { closed: ClosedWeekdays } | { why: string } {
  const openOn = new Map(days.map(({ date, open }) => [date, open]))
  const lacking = daysOfYear(year).filter((date) => !openOn.has(date))
  if (lacking.length > 0) return { why: lacking[0]?.endsWith('-01-01') ? '还没有公布' : `只到 ${addDays(lacking[0] ?? '', -1)}` }
  const other = days.find(({ date, open }) => date < `${year}-01-01` && (isTradingDay(date) ?? open) !== open)
  if (other) return { why: `${other.date} ${other.open ? '开市' : '休市'}，与已知的日历不符` }
  const weekend = daysOfYear(year).find((date) => isWeekend(date) && openOn.get(date))
  if (weekend) return { why: `${weekend} 是周末，却标为开市` }
  const closed = closedWeekdaysIn(daysOfYear(year).filter((date) => !openOn.get(date)))
  const faults = yearFaults(year, closed)
  if (!isAnswered) faults.push(...besidesHolidays(year, closed).map((date) => `${date} 休市，前后没有法定节假日`))
  return faults.length > 0 ? { why: faults.join('；') } : { closed }
}
