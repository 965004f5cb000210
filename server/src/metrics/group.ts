/** Metrics of a group of processes on one port: what each has counted is joined, what the database and the workers know is read once. */
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client'
import type { AppContext } from '../context/app-context.ts'
import { gaugesOf } from './gauges.ts'
import { type AnswerPage, failuresIn, metricsPages, requestsMetric } from './pages.ts'

type Counted = MetricObjectWithValues<MetricValue<string>>[]

/** What a process of a group has counted since its start. */
export interface MemberCounts {
  readonly pid: number
  readonly counted: Counted
}

/** Of so many processes that have ended the counts are kept apart; those of more become one. */
const mostKept = 16

/**
 * Counts of a group that never fall: a sum that loses a process would be read as counters that began anew, and all of it would be counted once
 * more. Of a process that has ended, or does not answer, counters and histograms stay as they were last told.
 */
export function lastingCounts(): (answers: readonly (MemberCounts | null)[]) => Promise<Counted[]> {
  const last = new Map<number, Counted>()
  let older: Counted[] = []
  return async (answers) => {
    const now = answers.flatMap((one) => one ?? [])
    const telling = new Set(now.map(({ pid }) => pid))
    let before = [...last].filter(([pid]) => !telling.has(pid))
    if (before.length > mostKept) {
      for (const [pid] of before) last.delete(pid)
      older = [(await AggregatorRegistry.aggregate([...older, ...before.map(([, counted]) => counted)]).getMetricsAsJSON()) as Counted]
      before = []
    }
    for (const { pid, counted } of now)
      last.set(
        pid,
        counted.filter(({ type }) => String(type) === 'counter' || String(type) === 'histogram'),
      )
    return [...now.map(({ counted }) => counted), ...before.map(([, counted]) => counted), ...older]
  }
}

/** `counts`: the answer of each process, null of one that gave none. @throws where metrics are off */
export function groupPages(
  context: Pick<AppContext, 'db' | 'now' | 'config' | 'log'>,
  counts: () => Promise<readonly (MemberCounts | null)[]>,
): AnswerPage {
  const settings = context.config.metrics
  if (!settings) throw new Error('metrics are off')
  const known = new Registry()
  const lasting = lastingCounts()
  const joined = async () => AggregatorRegistry.aggregate(await lasting(await counts())) as Registry
  return metricsPages(context, settings, {
    gauges: gaugesOf(known, context.config.dataDir),
    registry: async () => Registry.merge([await joined(), known]),
    failures: async () => failuresIn((await (await joined()).getSingleMetric(requestsMetric)?.get())?.values ?? []),
  })
}
