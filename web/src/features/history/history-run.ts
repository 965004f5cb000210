import { calls } from '@convexa/contract/calls'
import type { HistoryScreenResult } from '@convexa/contract/screen'
import type { Parameters } from '@convexa/contract/strategy'
import { call } from '../../api/client.ts'
import { createLongQuery, type LongQuery } from '../../api/long-query-store.ts'
import { queries, strategyOptionsQuery } from '../../api/queries.ts'
import { type Factors, formulasChanged } from '../rule/factors.ts'

export interface HistoryQuestion {
  parameters: Parameters
  dates: readonly string[]
  /** Versions of the own factors that it names, when it was asked (`ownVersionsIn`). */
  own: string | null
}

/** As far as the follow-up chart goes. */
const pathDays = 60

/** The history screen of each market that is computed, and the last one that was. */
export const historyRuns = createLongQuery<HistoryQuestion, HistoryScreenResult>(async (kind, { parameters, dates }, signal) => {
  const [one = ''] = dates
  const when = dates.length === 1 ? { trade_date: one } : { trade_dates: [...dates] }
  const need = dates.length === 1 ? (['list', 'reserve', 'excluded', 'funnel'] as const) : (['list'] as const)
  const body = { parameters, ...when, forward: [1, 5, 20], latest: true, path: pathDays, need: [...need] }
  try {
    return await call(calls[kind].historyScreen, { body }, { signal })
  } finally {
    // One use of the day's is gone, also of one that was given up.
    void queries.invalidateQueries({ queryKey: strategyOptionsQuery.queryKey })
  }
})

/** Whether a question was of just this rule, its own factors as they are now. */
export const isOf = ({ parameters: ofQuestion, own }: HistoryQuestion, parameters: Parameters, factors: Factors): boolean =>
  JSON.stringify(ofQuestion) === JSON.stringify(parameters) && !formulasChanged(own, parameters, factors)

/** What was answered of just this rule on this day; null where nothing was. */
export function answeredDay(
  { answered }: Pick<LongQuery<HistoryQuestion, HistoryScreenResult>, 'answered'>,
  date: string | null,
  parameters: Parameters | null,
  factors: Factors,
): HistoryScreenResult['results'][number] | null {
  if (!answered || !date || !parameters || answered.question.dates.join() !== date) return null
  return isOf(answered.question, parameters, factors) ? (answered.answer.results[0] ?? null) : null
}
