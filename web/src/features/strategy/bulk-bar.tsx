import type { MarketId } from '@convexa/contract/enums/market'
import type { StrategyListItem } from '@convexa/contract/saved-strategy'
import { useNavigate } from 'react-router'
import { sentenceOf } from '../../api/messages.ts'
import { queries, strategyDetailQuery } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { SelectionBar } from '../../ui/table/selection-bar.tsx'
import { saveText } from '../../ui/table/sheet.ts'
import { toast } from '../../ui/toast.tsx'
import { comparePath, fewestCompared, mostCompared } from '../rule/addresses.ts'
import { roundWords } from './glance-queue.ts'
import { queuedOf, useGlances } from './glance-refresh.ts'
import { exported, removeStrategies } from './strategy-changes.ts'

/** A group has from two to twenty members. */
const groupSize = { fewest: 2, most: 20 }

/** What can be done with many strategies at once. */
export function BulkBar({ kind, chosen, onClear }: { kind: MarketId; chosen: readonly StrategyListItem[]; onClear: () => void }) {
  const navigate = useNavigate()
  const { add, cancel, ...queue } = useGlances()
  const round = roundWords(queue)
  const ids = chosen.map(({ id }) => id)
  const compares = ids.length >= fewestCompared && ids.length <= mostCompared
  const groups = ids.length >= groupSize.fewest && ids.length <= groupSize.most
  return (
    <SelectionBar count={chosen.length} onClear={onClear}>
      {round ? (
        <>
          <span className="spinner" />
          <span role="status">{round}</span>
          <Button look={['small']} onClick={cancel}>
            停止刷新
          </Button>
        </>
      ) : (
        <Button look={['small']} onClick={() => add(queuedOf(kind, chosen))}>
          刷新概览
        </Button>
      )}
      <Button
        look={['small']}
        disabled={!groups}
        title={groups ? undefined : '策略组要有 2 至 20 个成员'}
        onClick={() => void navigate(`/personal/group-strategies?kind=${kind}&new=${ids.join(',')}`)}
      >
        建策略组
      </Button>
      <Button
        look={['small']}
        disabled={!compares}
        title={compares ? undefined : '一次对比 2 至 6 项'}
        onClick={() => void navigate(comparePath(ids.map((id) => ({ type: 'strategy', kind, id }))))}
      >
        对比
      </Button>
      <FileButton look={['small']} onClick={() => void exportAll(kind, ids)}>
        导出 JSON
      </FileButton>
      <Button
        look={['small', 'destructive']}
        icon="cross"
        onClick={async () => {
          if ((await removeStrategies(kind, chosen)).length > 0) onClear()
        }}
      >
        删除
      </Button>
    </SelectionBar>
  )
}

/** One strategy as an object, several as a list: each can be pasted back in. */
async function exportAll(kind: MarketId, ids: readonly string[]): Promise<void> {
  try {
    const all = await Promise.all(ids.map((id) => queries.fetchQuery(strategyDetailQuery(kind, id))))
    const strategies = all.map((one) => exported(one, kind))
    const name = strategies.length === 1 && strategies[0] ? strategies[0].strategy_name : `策略-${strategies.length}个`
    saveText(
      `${name.replace(/[\\/:*?"<>|]/g, '_')}.json`,
      JSON.stringify(strategies.length === 1 ? strategies[0] : strategies, null, 2),
      'application/json',
    )
    toast.done(`已导出 ${strategies.length} 个策略的参数`)
  } catch (error) {
    toast.error(`导出失败：${sentenceOf(error)}`)
  }
}
