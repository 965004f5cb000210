/** What is known of the calendar and from whom, in words for the operator: the end of the program's own table and what comes after it. */
import type { Kysely } from 'kysely'
import type { Database } from '../db/tables.ts'
import { builtInYear, closedWeekdaysOf, datesOf, lastYear } from '../market/calendar.ts'
import { openDays } from '../market/calendar-checks.ts'
import { type KeptYear, keptYears, standing } from '../market/calendar-years.ts'
import { shanghaiTime } from '../time.ts'
import { feedLabel } from './settings.ts'

export interface CalendarLine {
  readonly year: number
  /** Whose word stands: 内置, 运营者设置, a source; null: nobody has told the year yet. */
  readonly from: string | null
  /** Trading days; null where the year is not known. */
  readonly days: number | null
  /** Since when it is told so; null of the program's own. */
  readonly since: Date | null
  /** What else is to be known: another word than the one that stands, an answer that was not taken. */
  readonly note: string
}

/** Last known day, and a line for each year from the last built-in one on; an earlier one that the operator has corrected comes before. */
export interface CalendarReach {
  readonly through: string
  readonly lines: readonly CalendarLine[]
}

/** As this process and the database know it. */
export async function calendarReach(db: Kysely<Database>): Promise<CalendarReach> {
  const kept = await keptYears(db)
  const words = standing(kept)
  const years = [...new Set([...kept.map(({ year }) => year), builtInYear])].sort((a, b) => a - b)
  return {
    through: `${lastYear()}-12-31`,
    lines: years.map((year) => {
      const word = words.get(year)
      const closed = word?.closed ?? (year <= builtInYear ? closedWeekdaysOf(year) : null)
      return {
        year,
        from: word ? nameOf(word) : closed === null ? null : '内置',
        days: closed === null ? null : openDays(year, closed),
        since: word?.saidAt ?? null,
        note: kept.flatMap((one) => (one.year === year ? noteOf(one, word) : [])).join('；'),
      }
    }),
  }
}

const nameOf = ({ by, source }: KeptYear): string => (by === 'operator' ? '运营者设置' : feedLabel(source ?? ''))

/** What a row says besides the word that stands. */
function noteOf(one: KeptYear, word: KeptYear | undefined): string[] {
  const notes: string[] = []
  if (one.why !== null && one.askedAt) notes.push(`${shanghaiTime(one.askedAt).slice(0, 16).replace('T', ' ')} 的应答未采用：${one.why}`)
  if (one.by === 'source' && word && one.closed !== null && word.closed !== null && one.closed !== word.closed)
    notes.push(`${nameOf(one)}与此不同：${changeWords(one.year, word.closed, one.closed)}`)
  return notes
}

/** `02-12 休市，02-13 开市`: what the second says otherwise than the first; empty when they agree. */
export function changeWords(year: number, first: string, second: string): string {
  const [before, after] = [new Set(datesOf(year, first)), new Set(datesOf(year, second))]
  const changed = [...new Set([...before, ...after])].filter((date) => before.has(date) !== after.has(date)).sort()
  return changed.map((date) => `${date.slice(5)} ${after.has(date) ? '休市' : '开市'}`).join('，')
}
