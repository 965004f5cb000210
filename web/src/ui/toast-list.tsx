import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Icon, type IconName } from './icon.tsx'
import { VipHint } from './vip-hint.tsx'
import './toast.css'

export type ToastKind = 'done' | 'info' | 'error'
/** What can be done about it while it is shown: 撤销, 查看. */
export interface ToastAction {
  label: string
  act: () => void
}
export interface Toast {
  id: number
  kind: ToastKind
  text: string
  action: ToastAction | null
}

/** Specification: 3 seconds; the timer stops while a toast is hovered or focused. */
const life = 3_000

const icons: Record<ToastKind, IconName> = { done: 'check', info: 'info', error: 'warn' }

/** Hover or focus on one toast holds all: a toast that vanishes would move the others from under the mouse. */
export function ToastList({ toasts, dismiss }: { toasts: readonly Toast[]; dismiss: (id: number) => void }) {
  const box = useRef<HTMLDivElement>(null)
  const [held, setHeld] = useState(false)
  const place = usePlaceAbove(box)
  // An element removed under the mouse fires no `pointerleave`.
  const drop = (id: number) => {
    setHeld(false)
    dismiss(id)
  }
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: it only waits while one reads it or reaches for its button
    <div
      className="toasts"
      popover="manual"
      ref={box}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      onPointerMove={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
    >
      {toasts.map((toast) => (
        <ToastLine key={toast.id} toast={toast} held={held} dismiss={dismiss} drop={drop} />
      ))}
    </div>,
    place,
  )
}

/** A modal dialog makes all inert that is not in it: they could be neither pressed nor heard. They go with the one that is open, and back. */
function usePlaceAbove(box: RefObject<HTMLElement | null>): HTMLElement {
  const [place] = useState(() => {
    const made = document.createElement('div')
    made.className = 'toast-place'
    return made
  })
  useLayoutEffect(() => {
    const move = () => {
      const above = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body
      if (place.parentElement === above) return
      above.append(place)
      box.current?.showPopover()
    }
    move()
    const dialogs = new MutationObserver(move)
    dialogs.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['open'] })
    return () => {
      dialogs.disconnect()
      place.remove()
    }
  }, [box, place])
  return place
}

function ToastLine({
  toast: { id, kind, text, action },
  held,
  dismiss,
  drop,
}: {
  toast: Toast
  held: boolean
  dismiss: (id: number) => void
  drop: (id: number) => void
}) {
  useEffect(() => {
    if (held) return
    const timer = setTimeout(dismiss, life, id)
    return () => clearTimeout(timer)
  }, [held, id, dismiss])
  return (
    <div className={`toast ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      <Icon name={icons[kind]} />
      <span>{text}</span>
      {!action && <VipHint refusal={text} />}
      {action && (
        <button
          type="button"
          onClick={() => {
            drop(id)
            action.act()
          }}
        >
          {action.label}
        </button>
      )}
    </div>
  )
}
