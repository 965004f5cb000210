/** Continuous trading of a day in Asia/Shanghai: the last three minutes are the closing auction. */
export const sessions = [
  ['09:30:00', '11:30:00'],
  ['13:00:00', '14:57:00'],
] as const

/** Seconds of the day of `14:50:00` or `09:15`. */
export function secondsOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return hours * 3_600 + minutes * 60 + seconds
}

/** `14:50:00` */
export const timeOf = (seconds: number): string =>
  [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0')).join(':')

export const inOneSession = (start: string, end: string): boolean => sessions.some(([from, to]) => start >= from && end <= to)
