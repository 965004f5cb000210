import type { BacktestListItem } from '@convexa/contract/backtest'
import { calls } from '@convexa/contract/calls'
import { call } from '../api/client.ts'
import { sentenceOf } from '../api/messages.ts'
import { queries } from '../api/queries.ts'
import { runName } from '../quant/run/backtest-run-names.ts'
import { confirm } from '../ui/confirm.tsx'
import { toast } from '../ui/toast.tsx'

type Runs = { list_items: readonly BacktestListItem[] } | undefined

/** Writes a note into every list of runs that is here. */
const show = (id: string, note: string): void =>
  void queries.setQueriesData<Runs>(
    { queryKey: ['backtests'] },
    (list) => list && { ...list, list_items: list.list_items.map((run) => (run.backtest_id === id ? { ...run, note } : run)) },
  )

/** Changes a run's note at once; a refusal takes the old one back. */
export async function noteRun({ backtest_id: id, note: before = '' }: BacktestListItem, note: string, again: () => void): Promise<void> {
  show(id, note)
  try {
    await call(calls.quant.noteBacktest, { params: { id }, body: { note } })
    // The report shows it too.
    void queries.invalidateQueries({ queryKey: ['backtest', id] })
  } catch (error) {
    show(id, before)
    toast.error(`备注失败：${sentenceOf(error)}，已恢复原来的内容`, { label: '再改一次', act: again })
  }
}

/** Asks once and deletes one after the other; gives the ids that are gone. */
export async function removeRuns(runs: readonly BacktestListItem[]): Promise<string[]> {
  const [first] = runs
  if (!first) return []
  const meant = await confirm({
    title: runs.length === 1 ? `删除回测「${runName(first)} #${first.params_hash.slice(0, 4)}」？` : `删除 ${runs.length} 次回测？`,
    text: '报告与持仓明细一并删除，不可恢复；它们的分享链接会失效。试验次数仍然计入：删掉不好的一次，不会让其余的更可信。',
    action: '删除',
  })
  if (!meant) return []
  const gone: string[] = []
  let refused: string | null = null
  for (const { backtest_id: id } of runs)
    try {
      await call(calls.quant.removeBacktest, { params: { id } })
      gone.push(id)
    } catch (error) {
      refused = sentenceOf(error)
    }
  void queries.invalidateQueries({ queryKey: ['backtests'] })
  if (gone.length > 0) toast.done(`已删除 ${gone.length} 次回测`)
  if (refused) toast.error(`${runs.length - gone.length} 次没有删除：${refused}`)
  return gone
}
