import { InvalidArgumentError } from 'commander'

/** `2026-11-20` or `20261120`. */
export function dayOption(given: string): string {
  const found = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(given)
  const day = found ? `${found[1]}-${found[2]}-${found[3]}` : ''
  // 2026-02-30 is read as a day of March.
  const read = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(read) || new Date(read).toISOString().slice(0, 10) !== day)
    throw new InvalidArgumentError(`日期“${given}”无法识别，应如 2026-11-20`)
  return day
}
