import type { Report, Verdict } from '@convexa/contract'
import { benchmarkName } from '../benchmark-name.ts'
import { judge } from './checks.ts'
import { outOfSample } from './out-of-sample.ts'
import { type Reference, worthOf } from './worth.ts'

/** What a report must hold to be judged. */
export type Judgeable = Pick<Report, 'kind' | 'settings' | 'curves' | 'metrics' | 'oos_start' | 'robustness'> &
  Partial<Pick<Report, 'worth' | 'checks' | 'group'>>

/**
 * A stored report with both answers, by the rules of now: one that was made before them is judged by what it holds, one whose check grid was
 * made stands with that.
 */
export function judged<R extends Judgeable>(report: R): R {
  const worth = report.worth ?? worthOf(numbers(report.curves.nav), referencesOf(report))
  const stored = report.checks?.robustness ?? report.robustness
  if (stored.judged !== undefined) return { ...report, ...(worth && { worth }), robustness: stored }
  return { ...report, ...(worth && { worth }), robustness: { ...stored, ...judgedAnew(report, worth?.state ?? null) } }
}

/** The checks of a report from the numbers that it holds. `cells`: Sharpe ratios of its check grid. */
export function judgedAnew(
  report: Judgeable,
  worth: Verdict['worth'] | null,
  robustness: Report['robustness'] = report.robustness,
  cells?: readonly number[],
): ReturnType<typeof judge> {
  const { metrics, curves, oos_start: oosStart } = report
  const { inside, ratio } = outOfSample(curves.dates, numbers(curves.nav), oosStart)
  const about = { days: metrics.days, sharpe: metrics.sharpe, annual: metrics.annual_return, inside, isGroup: report.group !== undefined }
  return judge({ ...robustness, oos_ratio: ratio, ...about, cells }, worth)
}

/** What a run is held against: its benchmark, and the whole market where that is another curve. */
export function referencesOf({
  kind,
  settings: { benchmark },
  curves: { bench, market },
}: Pick<Report, 'kind' | 'settings'> & {
  readonly curves: { readonly bench: Daily; readonly market?: Daily | null | undefined }
}): Reference[] {
  const whole = `${kind}_ew`
  const reference = (key: string, values: Daily): Reference => ({
    key,
    label: benchmarkName(whole, key),
    values: numbers(values),
  })
  return [reference(benchmark, bench), ...(market ? [reference(whole, market)] : [])]
}

/** Both answers in short; null where there was nothing to hold the run against. */
export function verdictInShort({
  worth,
  robustness: { verdict, judged: count, passed },
}: Pick<Report, 'worth' | 'robustness'>): Verdict | null {
  if (!worth || count === undefined || passed === undefined) return null
  return { worth: worth.state, excess: worth.excess_annual, trust: verdict, judged: count, passed }
}

/** One value a day. */
type Daily = ArrayLike<number | null>

const numbers = (values: Daily): Float64Array => Float64Array.from(values, (value) => value ?? Number.NaN)
