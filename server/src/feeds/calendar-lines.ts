/** What is known of the calendar and from whom, in words for the operator: the end of the program's own table and what comes after it. */
import type { Kysely } from 'kysely'
import { shanghaiTime } from '../base/time.ts'
import { feedLabel } from '../config/feeds.ts'
import type { Database } from '../db/tables.ts'
import { builtInWeekdaysOf, builtInYear, type ClosedWeekdays, datesOf, lastYear } from '../market/calendar.ts'
import { openDays } from '../market/calendar-checks.ts'
import { type KeptYear, keptYears, standing } from '../market/calendar-years.ts'

interface CalendarLine {
  readonly year: number
  /** Source of the days in force: 内置, 运营者设置, or a data source; null: no calendar of the year is known yet. */
  readonly from: string | null
  /** Trading days; null where the year is not known. */
  readonly days: number | null
  /** When that source gave them; null of the built-in calendar. */
  readonly since: Date | null
  /** Remarks: a calendar that differs from the one in force, an answer that was not taken. */
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
  const standingOf = standing(kept)
  const years = [...new Set([...kept.map(({ year }) => year), builtInYear])].sort((a, b) => a - b)
  return {
    through: `${lastYear()}-12-31`,
    lines: years.map((year) => {
      const rows = kept.filter((one) => one.year === year)
      const words = wordsOf(year, rows)
      const row = standingOf.get(year)
      const word = row ? words.find(({ name }) => name === nameOf(row)) : words.find(({ name }) => name === builtIn)
      return {
        year,
        from: word?.name ?? null,
        days: word ? openDays(year, word.closed) : null,
        since: row?.saidAt ?? null,
        note: [...rows.flatMap(untaken), ...words.flatMap((other) => (word ? difference(year, word, other) : []))].join('；'),
      }
    }),
  }
}

/** Somebody's word of a year. */
interface Word {
  readonly name: string
  readonly closed: ClosedWeekdays
}

const builtIn = '内置'
const nameOf = ({ by, source }: KeptYear): string => (by === 'operator' ? '运营者设置' : feedLabel(source ?? ''))

function wordsOf(year: number, rows: readonly KeptYear[]): Word[] {
  const own = builtInWeekdaysOf(year)
  const answered = rows.flatMap((one) => (one.closed === null ? [] : [{ name: nameOf(one), closed: one.closed }]))
  return own === null ? answered : [{ name: builtIn, closed: own }, ...answered]
}

/** What a source answered last, where it could not be taken. */
const untaken = ({ why, askedAt }: KeptYear): string[] =>
  why !== null && askedAt ? [`${shanghaiTime(askedAt).slice(0, 16).replace('T', ' ')} 的应答未采用：${why}`] : []

/** What another says of the year otherwise than the word that stands. */
function difference(year: number, word: Word, other: Word): string[] {
  const changes = changesOf(year, word.closed, other.closed)
  return changes.length > 0 ? [`${other.name.replace(/\w$/, '$& ')}与此不同：${changeWords(changes)}`] : []
}

/** A day on which somebody's word is another than the one before. */
export interface Change {
  readonly date: string
  readonly closes: boolean
}

/** What the second says of a year otherwise than the first, by date. */
export function changesOf(year: number, first: ClosedWeekdays, second: ClosedWeekdays): Change[] {
  const [before, after] = [new Set(datesOf(year, first)), new Set(datesOf(year, second))]
  const changed = [...new Set([...before, ...after])].filter((date) => before.has(date) !== after.has(date)).sort()
  return changed.map((date) => ({ date, closes: after.has(date) }))
}

/** `02-12 休市，02-13 开市` */
export const changeWords = (changes: readonly Change[]): string =>
  changes.map(({ date, closes }) => `${date.slice(5)} ${closes ? '休市' : '开市'}`).join('，')
