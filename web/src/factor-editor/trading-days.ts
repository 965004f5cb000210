/** The trading day before or after a day; `closed` holds weekends and holidays. */
export function steppedDay(date: string, step: 1 | -1, closed: ReadonlySet<string>): string {
  const day = new Date(`${date}T00:00:00Z`)
  // Holidays end: the longest is eleven days.
  for (let i = 0; i < 31; i++) {
    day.setUTCDate(day.getUTCDate() + step)
    const text = day.toISOString().slice(0, 10)
    const weekday = day.getUTCDay()
    if (weekday !== 0 && weekday !== 6 && !closed.has(text)) return text
  }
  return date
}
