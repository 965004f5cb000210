import type { Report } from '@convexa/contract'
import { metrics } from '@convexa/contract/enums/metric'

/** What each number of a report means; it goes with the report, which is read by other programs too. */
export const metricMeta: Report['metric_meta'] = Object.fromEntries(
  Object.entries(metrics).map(([key, { label, formula, note }]) => [key, { label, formula, note }]),
)
