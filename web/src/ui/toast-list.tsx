import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { MemberWay } from './member-way.tsx'
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

/** The specification's 3 seconds; whoever reads or reaches for it has as long as they like. */
const life = 3_000

const icons: Record<ToastKind, IconName> = { done: 'check', info: 'info', error: 'warn' }

/** All wait while one is read or reached for: one that goes would move the others from under the mouse. */
export function ToastList({ toasts, dismiss }: { toasts: readonly Toast[]; dismiss: (id: number) => void }) {
  const box = useRef<HTMLDivElement>(null)
  const [held, setHeld] = useState(false)
  const newest = toasts.at(-1)?.id
  // The top layer again with each new one: a dialog that is open meanwhile would cover it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per new toast
  useLayoutEffect(() => {
    box.current?.hidePopover()
    box.current?.showPopover()
  }, [newest])
  // What goes under the mouse tells nobody that the mouse is no longer over it.
  const drop = (id: number) => {
    setHeld(false)
    dismiss(id)
  }
  return (
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
    </div>
  )
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
      {!action && <MemberWay refusal={text} />}
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
