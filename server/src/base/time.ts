import { sql } from 'kysely'

/** Shanghai has been UTC+8 without summer time since 1991; our data begin later. */
const shanghaiOffsetMs = 8 * 3600 * 1000

/** A moment as the wire has it: `2026-11-21T09:30:00+08:00`. */
export const shanghaiTime = (moment: Date): string => `${shifted(moment).slice(0, 19)}+08:00`

/** When the data of a trading day that is over were made. */
export const closeOf = (date: string): string => `${date}T15:00:00+08:00`

/** The calendar date of a moment in Shanghai: `2026-11-21`. */
export const shanghaiDate = (moment: Date): string => shifted(moment).slice(0, 10)

const shifted = (moment: Date): string => new Date(moment.getTime() + shanghaiOffsetMs).toISOString()

/** SQL: the calendar date in Shanghai of a moment; of now when none is given. */
export const shanghaiDay = (at: Date | null = null) =>
  at ? sql<string>`(${at}::timestamptz at time zone 'Asia/Shanghai')::date` : sql<string>`(now() at time zone 'Asia/Shanghai')::date`
