/** Versions of a row as files write them. */
import { readFlag } from './flag.ts'
import { readPlainNumber } from './number.ts'

/** What an `update_flag` says: the greater is the newer, 0 where it says nothing; null = unreadable. */
export function readVersion(cell: string | number | null): number | null {
  const version = readPlainNumber(cell) ?? readFlag(cell, 'flag')
  return version === null ? null : version || 0
}
