import { useEffect, useRef } from 'react'
import { isComposing } from '../base/composing.ts'
import { type Action, actionOf, actions, heardInFields, isMac, keyRow, pressName } from './key-map.ts'

/** Handler of a key; null where a component handles the key itself and the binding only lists it in the shortcut sheet. */
export type Act = ((press: string) => void) | null
type Bindings = Partial<Record<Action, Act>>

/** Mounted bindings, the newest last: the newest wins, so that a drawer's key overrides its page's. */
const bound: { current: Bindings }[] = []

/** Binds keys while the component is mounted. `givesWay`: any other binding overrides these, as pages do with the layout's. */
export function useKeys(bindings: Bindings, givesWay = false): void {
  const latest = useRef(bindings)
  latest.current = bindings
  useEffect(() => {
    if (givesWay) bound.unshift(latest)
    else bound.push(latest)
    return () => void bound.splice(bound.indexOf(latest), 1)
  }, [givesWay])
}

const bindingOf = (action: Action): Act | undefined => bound.findLast(({ current }) => current[action] !== undefined)?.current[action]

/** What can be done by keys now. */
export const boundActions = (): Action[] => actions.filter((action) => bindingOf(action) !== undefined)

/** Longest time between the presses of a sequence, in milliseconds: of the presses themselves, which a busy page handles later. */
const patience = 1_200

const isIn = (target: EventTarget | null, what: string) => target instanceof HTMLElement && target.closest(what) !== null
const typedInto = 'input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable]'
/** Inputs that use the arrow keys themselves. */
const movedByArrows = 'input:is([type=radio], [type=range])'

/** Handles keys of the whole document, except during IME composition, while a dialog is open, and when handled already. */
export function useKeyboard(): void {
  useEffect(() => {
    const mac = isMac()
    let begun: { press: string; at: number } | null = null
    const hear = (event: KeyboardEvent) => {
      if (isComposing(event) || event.defaultPrevented || document.querySelector('[data-modal]')) return
      const press = pressName(event, mac)
      // Esc closes what is open before it means anything else.
      if (press === null || (press === 'Esc' && document.querySelector('.menu'))) return
      if (press.startsWith('Arrow') && isIn(event.target, movedByArrows)) return
      const typing = isIn(event.target, typedInto)
      const isSecond = begun !== null && !typing && event.timeStamp - begun.at <= patience
      const found = actionOf(isSecond ? (begun?.press ?? null) : null, press)
      begun = typing || found.begun === null ? null : { press: found.begun, at: event.timeStamp }
      if (!found.action || (typing && !heardInFields(keyRow(found.action)))) return
      const act = bindingOf(found.action)
      if (!act) return
      event.preventDefault()
      if (event.repeat && !keyRow(found.action).held) return
      act(press)
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [])
}
