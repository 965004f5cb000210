import { z } from 'zod'
import { type Metric, metrics } from './enums/metric.ts'
import { valuesOf } from './enums/table.ts'
import { num } from './scalars.ts'

/** All but the number of days, which a run always has. */
export type MetricKey = Exclude<Metric, 'days'>
const metricNumbers = valuesOf(metrics).filter((key): key is MetricKey => key !== 'days')

const metricShape = Object.fromEntries(metricNumbers.map((key) => [key, num])) as Record<MetricKey, typeof num>
const metricFields = {
  ...metricShape,
  max_drawdown_start: z.string().nullable(),
  max_drawdown_end: z.string().nullable(),
  days: z.int(),
  start_date: z.string(),
  end_date: z.string(),
}
/** Fractions; null = not computable (annual values below 20 days). Definitions: domain.md 5.9. Fees in yuan. */
export const Metrics = z.object({ ...metricFields, oos: z.object(metricFields).nullable().optional() })
export type Metrics = z.output<typeof Metrics>

/** Returns of the rows multiply to the total. `win_rate`: of a year its share of months with a gain, of a month its share of days; `turnover`: sum of its days. */
export const PeriodRow = z.object({
  /** `2023`, `2023-05`, `2023-W21` */
  period: z.string(),
  start: z.string(),
  end: z.string(),
  nav_return: num,
  bench_return: num,
  excess: num,
  max_drawdown: num,
  volatility: num,
  win_rate: num,
  turnover: num,
  partial: z.boolean(),
})
export type PeriodRow = z.output<typeof PeriodRow>
