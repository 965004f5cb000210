// Small made-up series for the style guide. No market, no model: a fixed wobble, the same each time.

/** 0–1, from a whole number. */
export const wobble = (seed: number): number => {
  const x = Math.sin(seed * 127.1 + 11.7) * 43_758.5453
  return x - Math.floor(x)
}

/** Weekdays from a day on. */
export function weekdays(from: string, count: number): string[] {
  const days: string[] = []
  for (let time = Date.parse(`${from}T00:00:00Z`); days.length < count; time += 86_400_000) {
    const weekday = new Date(time).getUTCDay()
    if (weekday > 0 && weekday < 6) days.push(new Date(time).toISOString().slice(0, 10))
  }
  return days
}

/** A walk from 1. */
export function walk(count: number, seed: number, drift = 0.0003, size = 0.011): number[] {
  let value = 1
  return Array.from({ length: count }, (_, i) => (i === 0 ? value : (value *= 1 + drift + (wobble(seed * 1_000 + i) - 0.5) * 2 * size)))
}
