/** A time of a day in Shanghai, in ms. */
export const momentOf = (day: string, time: string): number => Date.parse(`${day}T${time}:00+08:00`)
export const compact = (day: string): string => day.replaceAll('-', '')
export const dayOf = (compacted: string): string => `${compacted.slice(0, 4)}-${compacted.slice(4, 6)}-${compacted.slice(6, 8)}`
/** The calendar day of a moment. */
export const todayAt = (at: number): string => new Date(at + 8 * 3_600_000).toISOString().slice(0, 10)
