import type { BacktestListItem } from '@convexa/contract/backtest'
import { calls } from '@convexa/contract/calls'
import { call } from '../../api/client.ts'
import { sentenceOf } from '../../api/messages.ts'
import { queries } from '../../api/queries.ts'
import { confirm } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.tsx'
import { runName } from '../run/backtest-run-names.ts'

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
