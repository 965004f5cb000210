import type { BacktestListItem } from '@convexa/contract/backtest'
import { calls } from '@convexa/contract/calls'
import { call } from '../../api/client.ts'
import { sentenceOf } from '../../api/messages.ts'
import { enqueueMutation, isChanging } from '../../api/mutation-queue.ts'
import { queries } from '../../api/queries.ts'
import { notifyRolledBack } from '../../ui/rollback-toast.ts'
import { reportQuery } from './report-queries.ts'

type Run = Pick<BacktestListItem, 'kind' | 'backtest_id'>
type Noted = Run & Pick<BacktestListItem, 'note'>
type Runs = { list_items: readonly BacktestListItem[] } | undefined

/** Writes what its owner marked into the report of a run and into every list of runs that is here. */
export function showInRuns({ kind, backtest_id: id }: Run, marked: { note: string } | { favourite: boolean }): void {
  queries.setQueryData(reportQuery(kind, id).queryKey, (report) => report && { ...report, ...marked })
  queries.setQueriesData<Runs>(
    { queryKey: ['backtests'] },
    (list) => list && { ...list, list_items: list.list_items.map((run) => (run.backtest_id === id ? { ...run, ...marked } : run)) },
  )
}

/** Changes a run's note by an optimistic update; a refusal rolls it back and shows a toast. Returns its sentence; null on success. */
export async function noteRun(run: Noted, note: string, again: () => void): Promise<string | null> {
  const { backtest_id: id, note: before = '' } = run
  const what = `${id} note`
  showInRuns(run, { note })
  try {
    await enqueueMutation(what, () => call(calls.quant.noteBacktest, { params: { id }, body: { note } }))
    return null
  } catch (error) {
    if (!isChanging(what)) showInRuns(run, { note: before })
    notifyRolledBack('备注', error, again)
    return sentenceOf(error)
  }
}
