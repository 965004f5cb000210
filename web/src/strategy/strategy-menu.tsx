import type { Kind } from '@convexa/contract/market'
import type { StrategyListItem } from '@convexa/contract/saved-strategy'
import { useNavigate } from 'react-router'
import { sentenceOf } from '../api/messages.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { toast } from '../ui/toast.tsx'
import { strategyPath } from './addresses.ts'
import { queuedOf, useGlances } from './glance-refresh.ts'
import { useOpenInBuilder } from './open-in-builder.ts'
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
  kind: Kind
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
  const items: readonly (readonly [label: string, act: () => unknown, key?: string])[] = [
    ['打开', () => navigate(strategyPath(kind, id))],
    ['打开编辑', () => open(kind, id)],
    ['改名', () => onEditing({ id, what: 'name' }), 'F2'],
    ['备注', () => onEditing({ id, what: 'remark' })],
    ['标签', onTags],
    ['复制', copy],
    ['刷新概览', () => useGlances.getState().add(queuedOf(kind, [strategy]))],
  ]
  return (
    <Menu className="button ghost square small" align="right" label={`${name} 的更多操作`} button={<Icon name="more" />}>
      {(close) => (
        <>
          {items.map(([label, act, key]) => (
            <button
              type="button"
              className="menu-item"
              key={label}
              onClick={() => {
                close()
                void act()
              }}
            >
              {label}
              {key && (
                <>
                  <span className="grow" />
                  <kbd>{key}</kbd>
                </>
              )}
            </button>
          ))}
          <hr />
          <button
            type="button"
            className="menu-item danger"
            onClick={async () => {
              close()
              if (await removeStrategy(kind, strategy)) onGone?.()
            }}
          >
            删除
          </button>
        </>
      )}
    </Menu>
  )
}
