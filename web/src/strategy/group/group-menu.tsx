import type { Kind } from '@convexa/contract/market'
import type { GroupListItem } from '@convexa/contract/strategy-group'
import { Icon } from '../../ui/icon.tsx'
import { Menu, type MenuChoice, MenuChoices } from '../../ui/menu.tsx'
import { removeGroup } from './group-changes.ts'

/** What can be done with one group, its end below the rest. */
export function GroupMenu({
  kind,
  group,
  choices,
  onGone,
}: {
  kind: Kind
  group: Pick<GroupListItem, 'id' | 'group_name'>
  choices: readonly MenuChoice[]
  onGone?: () => void
}) {
  const remove = async () => {
    if (await removeGroup(kind, group)) onGone?.()
  }
  return (
    <Menu className="button ghost square small" align="right" label={`${group.group_name} 的更多操作`} button={<Icon name="more" />}>
      {(close) => (
        <>
          <MenuChoices choices={choices} close={close} />
          <hr />
          <MenuChoices choices={[{ label: '删除', danger: true, run: remove }]} close={close} />
        </>
      )}
    </Menu>
  )
}
