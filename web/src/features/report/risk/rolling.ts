import type { Report } from '@convexa/contract/report'
import { rollingOf } from '@convexa/engine/report'
import type { Series } from '../../../ui/chart/series.ts'

type Rolling = Report['rolling'][number]

/** The benchmark's own rolling figures, by the engine's definitions; days without it have none. */
export function benchRolling({ curves }: Pick<Report, 'curves'>): readonly Rolling[] {
  const { dates, bench } = curves
  if (bench.some((value) => value === null)) return []
  const values = Float64Array.from(bench, (value) => value ?? 1)
  return rollingOf(dates, values, values)
}

/** Of the days on which both are known, the share that satisfies a wish. */
export function shareOf(own: Series, holds: (value: number, index: number) => boolean | null): number | null {
  let known = 0
  let met = 0
  for (const [index, value] of own.entries()) {
    const answer = value === null ? null : holds(value, index)
    if (answer === null) continue
    known++
    if (answer) met++
  }
  return known === 0 ? null : met / known
}
