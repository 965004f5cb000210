import type { BacktestListItem } from '@convexa/contract/backtest'
import { calls } from '@convexa/contract/calls'
import { call } from '../../api/client.ts'
import { sentenceOf } from '../../api/messages.ts'
import { enqueueMutation, isChanging } from '../../api/mutation-queue.ts'
import { queries } from '../../api/queries.ts'
import { notifyRolledBack } from '../../ui/rollback-toast.ts'
import { reportQuery } from './report-queries.ts'

type Noted = Pick<BacktestListItem, 'kind' | 'backtest_id' | 'note'>
type Runs = { list_items: readonly BacktestListItem[] } | undefined

/** Writes a note into the report of a run and into every list of runs that is here. */
function show({ kind, backtest_id: id }: Noted, note: string): void {
  queries.setQueryData(reportQuery(kind, id).queryKey, (report) => report && { ...report, note })
  queries.setQueriesData<Runs>(
    { queryKey: ['backtests'] },
    (list) => list && { ...list, list_items: list.list_items.map((run) => (run.backtest_id === id ? { ...run, note } : run)) },
  )
}

/** Changes a run's note by an optimistic update; a refusal rolls it back and shows a toast. Returns its sentence; null on success. */
export async function noteRun(run: Noted, note: string, again: () => void): Promise<string | null> {
  const { backtest_id: id, note: before = '' } = run
  const what = `${id} note`
  show(run, note)
  try {
    await enqueueMutation(what, () => call(calls.quant.noteBacktest, { params: { id }, body: { note } }))
    return null
  } catch (error) {
    if (!isChanging(what)) show(run, before)
    notifyRolledBack('备注', error, again)
    return sentenceOf(error)
  }
}
