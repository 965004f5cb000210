import { useCallback } from 'react'
import { useMarket } from '../../market/market-context.tsx'
import { fixed, type Given, percent } from '../../ui/format.ts'
import { dateText, isDate, shownAs, useFactors } from '../factors.ts'

/** A factor's value of whatever size, in four digits that count. */
function factorFigures(value: Given): string {
  if (value === null || value === undefined || value === 0) return fixed(value, 0)
  const digits = Math.floor(Math.log10(Math.abs(value))) + 1
  return fixed(value, Math.min(6, Math.max(0, 4 - digits)))
}

/** The same in the factor's own way of writing: a fraction in per cent, a date as one. */
export function useFactorFigures(ref: string): (value: Given) => string {
  const { factors } = useFactors(useMarket().kind)
  const factor = factors.of(ref)
  const { percent: fraction } = shownAs(factor)
  const dated = isDate(factor)
  return useCallback(
    (value: Given) => (dated ? dateText(value ?? null) : fraction ? percent(value, 1) : factorFigures(value)),
    [dated, fraction],
  )
}
