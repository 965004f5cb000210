import { Icon } from './icon.tsx'
import { Menu, type MenuChoice, MenuChoices } from './menu.tsx'

/** ⋮ at the end of a thing's row or head: what can be done with it, and below a line its end. */
export function MoreMenu({ name, choices, onRemove }: { name: string; choices: readonly MenuChoice[]; onRemove: () => unknown }) {
  return (
    <Menu className="button ghost square small" align="right" label={`${name} 的更多操作`} button={<Icon name="more" />}>
      {(close) => (
        <>
          <MenuChoices choices={choices} close={close} />
          <hr />
          <MenuChoices choices={[{ label: '删除', danger: true, run: onRemove }]} close={close} />
        </>
      )}
    </Menu>
  )
}
