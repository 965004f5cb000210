import { fixed, type Given } from '../../ui/format.ts'

/** A factor's value of whatever size, in four digits that count. */
export function factorFigures(value: Given): string {
  if (value === null || value === undefined || value === 0) return fixed(value, 0)
  const digits = Math.floor(Math.log10(Math.abs(value))) + 1
  return fixed(value, Math.min(6, Math.max(0, 4 - digits)))
}
