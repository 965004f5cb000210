import { Menu as Base } from '@base-ui/react/menu'
import { type FocusEvent, type KeyboardEvent, type ReactNode, useRef } from 'react'
import { NavLink } from 'react-router'
import type { MenuChoice } from '../menu-choice.ts'
import { useLinkPrefetch } from '../page-link.tsx'
import type { PopupPlace } from '../popup.ts'
import { isPressOf, placed, useCloseWithFocus } from './placed.ts'

/** The rows of a menu under its button. It is unmounted when it closes. */
export function MenuPopup({ choices, end, ...place }: PopupPlace & { choices: readonly MenuChoice[]; end: readonly MenuChoice[] }) {
  const { anchor, byKey, label, onClose } = place
  const begun = useRef(!byKey)
  // The library gives the focus to the menu itself, and the first ↓ would take the first row.
  const begin = ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
    if (begun.current || target !== currentTarget) return
    begun.current = true
    currentTarget.querySelector<HTMLElement>('[role=menuitem]')?.focus()
  }
  const close = useCloseWithFocus(place)
  // The library knows no button of its own that Tab could lead on from: ours has the focus before the browser moves it.
  const leave = ({ key }: KeyboardEvent) => key === 'Tab' && close(() => {})
  return (
    <Base.Root
      open
      modal={false}
      onOpenChange={(_, { reason, event }) => {
        if (isPressOf(anchor, event)) return
        if (reason === 'escape-key') close()
        else if (reason !== 'item-press') onClose()
      }}
    >
      <Base.Portal>
        <Base.Positioner {...placed(place)}>
          <Base.Popup
            className="menu"
            aria-label={label ?? anchor.current?.textContent}
            onFocus={begin}
            onKeyDown={leave}
            finalFocus={false}
          >
            <Rows choices={choices} close={close} />
            {end.length > 0 && <Base.Separator render={<hr />} />}
            <Rows choices={end} close={close} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function Rows({ choices, close }: { choices: readonly MenuChoice[]; close: (then: () => void) => void }) {
  const groups = choices.reduce<MenuChoice[][]>((all, choice) => {
    const last = all.at(-1)
    if (last && last[0]?.group === choice.group) last.push(choice)
    else all.push([choice])
    return all
  }, [])
  return groups.map((rows) => {
    const [{ label, group } = { label: '', group: '' }] = rows
    const items = rows.map((choice) => <Row key={choice.label} choice={choice} close={close} />)
    return group ? (
      <Base.Group key={label}>
        <Base.GroupLabel className="menu-group">{group}</Base.GroupLabel>
        {items}
      </Base.Group>
    ) : (
      items
    )
  })
}

function Row({ choice, close }: { choice: MenuChoice; close: (then: () => void) => void }) {
  const { label, run, to, off = false, danger = false, shortcut, mark } = choice
  const attributes = {
    className: danger ? 'menu-item danger' : 'menu-item',
    onClick: () => close(() => void run?.()),
  }
  const face = (
    <>
      {label}
      {mark}
      {shortcut && (
        <>
          <span className="grow" />
          <kbd>{shortcut}</kbd>
        </>
      )}
    </>
  )
  if (to !== undefined)
    return (
      <LinkRow to={to} {...attributes}>
        {face}
      </LinkRow>
    )
  return (
    <Base.Item {...attributes} disabled={off}>
      {face}
    </Base.Item>
  )
}

function LinkRow({ to, ...attributes }: { to: string; className: string; onClick: () => void; children: ReactNode }) {
  return <Base.LinkItem {...attributes} {...useLinkPrefetch(to)} render={<NavLink to={to} end />} />
}
