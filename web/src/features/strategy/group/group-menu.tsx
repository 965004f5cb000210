import type { MarketId } from '@convexa/contract/enums/market'
import type { GroupListItem } from '@convexa/contract/strategy-group'
import type { MenuChoice } from '../../../ui/menu-choice.ts'
import { MoreMenu } from '../../../ui/more-menu.tsx'
import { removeGroup } from './group-changes.ts'

/** What can be done with one group, its end below the rest. */
export function GroupMenu({
  kind,
  group,
  choices,
  onGone,
}: {
  kind: MarketId
  group: Pick<GroupListItem, 'id' | 'group_name'>
  choices: readonly MenuChoice[]
  onGone?: () => void
}) {
  const remove = async () => {
    if (await removeGroup(kind, group)) onGone?.()
  }
  return <MoreMenu name={group.group_name} choices={choices} onRemove={remove} />
}
