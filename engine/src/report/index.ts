// The definitions of a report's numbers, for whoever recomputes them from stored series: a browser that leaves out a stretch of days.
export { pearson } from '../kernels/correlation.ts'
export { drawdownsOf, type Fall, maxDrawdown } from './drawdowns.ts'
export { leastDays, metricsOf, type Performance, ratios, returnsOf, yearDays } from './metrics.ts'
export { deviation, mean } from './moments.ts'
export { checksOf, verdictOf } from './robustness/checks.ts'
export { rollingOf, rollingWindows } from './rolling.ts'
export { type Ruled, ruleName } from './rule-name.ts'
