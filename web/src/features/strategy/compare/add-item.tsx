import { marketIds, markets } from '@convexa/contract/enums/market'
import { useQueries } from '@tanstack/react-query'
import { strategyListQuery } from '../../../api/queries.ts'
import { Select } from '../../../ui/controls.tsx'
import { type Compared, itemsOf, itemText, mostCompared } from '../../rule/addresses.ts'
import { groupsQuery } from '../../rule/strategy-queries.ts'

/** Another strategy or group for the comparison. */
export function AddItem({ items, onAdd }: { items: readonly Compared[]; onAdd: (item: Compared) => void }) {
  const strategies = useQueries({ queries: marketIds.map((kind) => strategyListQuery(kind)) })
  const groups = useQueries({ queries: marketIds.map((kind) => groupsQuery(kind)) })
  const taken = new Set(items.map(itemText))
  const own = marketIds.flatMap((kind, i) => [
    ...(strategies[i]?.data?.list_items.map(({ id, strategy_name: label }) => ({
      value: itemText({ type: 'strategy', kind, id }),
      label: `${markets[kind].label} · ${label}`,
    })) ?? []),
    ...(groups[i]?.data?.list_items.map(({ id, group_name: label }) => ({
      value: itemText({ type: 'group', kind, id }),
      label: `${markets[kind].label}组 · ${label}`,
    })) ?? []),
  ])
  const left = own.filter(({ value }) => !taken.has(value))
  const full = items.length >= mostCompared
  return (
    <Select
      label="添加对比项"
      width={160}
      value=""
      disabled={full || left.length === 0}
      choices={[{ value: '', label: full ? `最多 ${mostCompared} 项` : left.length === 0 ? '没有可添加的' : '+ 添加' }, ...left]}
      onChange={(value) => {
        const [item] = itemsOf(value)
        if (item) onAdd(item)
      }}
    />
  )
}
