import { InvalidArgumentError } from 'commander'

/** `2026-11-21T02:00` or `2026-11-21 02:00:00` in Beijing time; with `Z` or an offset what that says. */
export function momentOption(given: string): Date {
  const [, date, time, zone = '+08:00'] = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(Z|[+-]\d{2}:\d{2})?$/.exec(given.trim()) ?? []
  const moment = new Date(`${date}T${time}${zone}`)
  // A day that its month does not have moves on to the next: it is refused instead.
  const wall = new Date(`${date}T${time}Z`)
  if (date && !Number.isNaN(moment.getTime()) && wall.toISOString().startsWith(date)) return moment
  throw new InvalidArgumentError(`时间“${given}”无法识别，写作 2026-11-21T02:00`)
}
