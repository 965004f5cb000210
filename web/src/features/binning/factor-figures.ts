import { useCallback, useMemo } from 'react'
import { fixed, type Given, percent } from '../../base/format.ts'
import { useMarket } from '../../market/market-context.tsx'
import { dateText, isDate, shownAs, useFactors } from '../rule/factors.ts'

/** A factor's value of whatever size, in four digits that count. */
function factorFigures(value: Given): string {
  if (value === null || value === undefined || value === 0) return fixed(value, 0)
  const digits = Math.floor(Math.log10(Math.abs(value))) + 1
  return fixed(value, Math.min(6, Math.max(0, 4 - digits)))
}

/** The same in the way of a market's factors: a fraction in per cent, a date as one. */
export function useFiguresOf(): (ref: string) => (value: Given) => string {
  const { factors } = useFactors(useMarket().id)
  return useCallback(
    (ref: string) => {
      const factor = factors.of(ref)
      const { percent: fraction } = shownAs(factor)
      if (isDate(factor)) return (value: Given) => dateText(value ?? null)
      return fraction ? (value: Given) => percent(value, 1) : factorFigures
    },
    [factors],
  )
}

/** Of one factor. */
export function useFactorFigures(ref: string): (value: Given) => string {
  const of = useFiguresOf()
  return useMemo(() => of(ref), [of, ref])
}
