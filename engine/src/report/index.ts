// Definitions of a report's metrics, for recomputing them from stored series: the browser does so when it leaves out a stretch of days.

export { yearDays } from '../base/calendar.ts'
export { pearson } from '../kernels/correlation.ts'
export { drawdownsOf, type Fall, maxDrawdown } from './drawdowns.ts'
export { leastDays, metricsOf, type Performance, ratios, returnsOf } from './metrics.ts'
export { deviation, mean } from './moments.ts'
export { countsOf, judge, leastTrials } from './robustness/checks.ts'
export { judged, referencesOf, verdictInShort } from './robustness/judged.ts'
export { worthOf } from './robustness/worth.ts'
export { rollingOf, rollingWindows } from './rolling.ts'
export { type Ruled, ruleName } from './rule-name.ts'
