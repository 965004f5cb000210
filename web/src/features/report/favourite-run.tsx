import type { BacktestListItem } from '@convexa/contract/backtest'
import { calls } from '@convexa/contract/calls'
import { call } from '../../api/client.ts'
import { sentenceOf } from '../../api/messages.ts'
import { enqueueMutation, isChanging } from '../../api/mutation-queue.ts'
import { queries } from '../../api/queries.ts'
import { StarButton } from '../../ui/form/star-button.tsx'
import { toast } from '../../ui/toast.tsx'
import { showInRuns } from './note-run.ts'

type Starred = Pick<BacktestListItem, 'kind' | 'backtest_id'> & { favourite?: boolean | undefined }

/** Keeps a run whatever its age, or no longer; shown at once, taken back when the server refuses it. */
async function markFavourite(run: Starred, favourite: boolean): Promise<void> {
  const { backtest_id: id } = run
  const what = `${id} favourite`
  showInRuns(run, { favourite })
  try {
    await enqueueMutation(what, () => call(calls.quant.favouriteBacktest, { params: { id }, body: { on: favourite } }))
    void queries.invalidateQueries({ queryKey: ['retention'] })
  } catch (error) {
    if (!isChanging(what)) showInRuns(run, { favourite: !favourite })
    toast.error(sentenceOf(error))
  }
}

export const FavouriteStar = ({ run, name }: { run: Starred; name: string }) => (
  <StarButton on={run.favourite ?? false} name={name} onChange={(on) => void markFavourite(run, on)} />
)
