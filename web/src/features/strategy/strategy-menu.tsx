import type { MarketId } from '@convexa/contract/enums/market'
import type { StrategyListItem } from '@convexa/contract/saved-strategy'
import { useNavigate } from 'react-router'
import { sentenceOf } from '../../api/messages.ts'
import type { MenuChoice } from '../../ui/menu-choice.ts'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { strategyPath } from '../rule/addresses.ts'
import { useOpenInBuilder } from '../saving/open-in-builder.ts'
import { queuedOf, useGlances } from './glance-refresh.ts'
import { copyStrategy, removeStrategy } from './strategy-changes.ts'
import type { Editing } from './strategy-name.tsx'

/** What can be done with one strategy, at the end of its row. */
export function StrategyMenu({
  kind,
  strategy,
  onEditing,
  onTags,
  onGone,
}: {
  kind: MarketId
  strategy: StrategyListItem
  onEditing: (editing: Editing) => void
  onTags: () => void
  onGone?: () => void
}) {
  const { id, strategy_name: name } = strategy
  const navigate = useNavigate()
  const open = useOpenInBuilder()
  const copy = async () => {
    try {
      const made = await copyStrategy(kind, id)
      toast.done(`已复制为「${made.name}」`, { label: '查看', act: () => void navigate(strategyPath(kind, made.id)) })
    } catch (error) {
      toast.error(`复制失败：${sentenceOf(error)}`)
    }
  }
  const remove = async () => {
    if (await removeStrategy(kind, strategy)) onGone?.()
  }
  const choices: readonly MenuChoice[] = [
    { label: '打开', run: () => navigate(strategyPath(kind, id)) },
    { label: '打开编辑', run: () => open(kind, id) },
    { label: '改名', run: () => onEditing({ id, what: 'name' }), shortcut: 'F2' },
    { label: '备注', run: () => onEditing({ id, what: 'remark' }) },
    { label: '标签', run: onTags },
    { label: '复制', run: copy },
    { label: '刷新概览', run: () => useGlances.getState().add(queuedOf(kind, [strategy])) },
  ]
  return <MoreMenu name={name} choices={choices} onRemove={remove} />
}
