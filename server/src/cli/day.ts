import { InvalidArgumentError } from 'commander'
import { readDay } from '../market/import/cells/day.ts'

/** A day as files write it, `2026-11-20` or `20261120`; a spreadsheet's serial is none here. */
export function dayOption(given: string): string {
  const read = readDay(given)
  if (read === null || read.serial) throw new InvalidArgumentError(`日期“${given}”无法识别，应如 2026-11-20`)
  return read.date
}
