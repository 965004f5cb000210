import { Icon } from './icon.tsx'
import { Menu } from './menu.tsx'
import type { MenuChoice } from './menu-choice.ts'

/** ⋮ at the end of a thing's row or head: what can be done with it, and below a line its end. */
export const MoreMenu = ({ name, choices, onRemove }: { name: string; choices: readonly MenuChoice[]; onRemove: () => unknown }) => (
  <Menu
    className="button ghost square small"
    align="right"
    label={`${name} 的更多操作`}
    button={<Icon name="more" />}
    choices={choices}
    end={[{ label: '删除', danger: true, run: onRemove }]}
  />
)
