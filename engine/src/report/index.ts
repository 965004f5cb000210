// Definitions of a report's metrics, for recomputing them from stored series: the browser does so when it leaves out a stretch of days.

export { yearDays } from '../base/calendar.ts'
export { pearson } from '../kernels/correlation.ts'
export { maxDrawdown } from './drawdowns.ts'
export { leastDays, metricsOf, ratios, returnsOf } from './metrics.ts'
export { mean } from './moments.ts'
export { countsOf } from './robustness/checks.ts'
export { judged, verdictInShort } from './robustness/judged.ts'

export { rollingOf } from './rolling.ts'
export { ruleName } from './rule-name.ts'
