import { type ComponentProps, useState } from 'react'
import { DateField } from '../../ui/form/date-field.tsx'
import { useClosedYear } from './closed-year.ts'

/** A date whose calendar shows on which days the exchanges are shut. */
export function TradingDateField(field: Omit<ComponentProps<typeof DateField>, 'closed' | 'onYear'>) {
  const [year, setYear] = useState<number | null>(null)
  return <DateField {...field} closed={useClosedYear(year)} onYear={setYear} />
}
