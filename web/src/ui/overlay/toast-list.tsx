import { Toast } from '@base-ui/react/toast'
import { useEffect } from 'react'
import { Icon, type IconName } from '../icon.tsx'
import { VipHint } from '../vip-hint.tsx'
import { type ToastMessage, useOverlayQueue } from './queue.ts'
import './toast.css'

/** Milliseconds; the time stops while a toast is hovered or focused. */
const life = 3_000
/** At once: an older one gives way. */
const most = 3

const icons: Record<ToastMessage['kind'], IconName> = { done: 'check', info: 'info', error: 'warn' }
const manager = Toast.createToastManager<ToastMessage>()

/** The library has an error read from a hidden alert and hides the line itself, which can have the focus: it is shown, and not read twice. */
const seenError = { 'aria-hidden': false, 'aria-live': 'off' } as const

/** The same words again renew their time. */
const add = (message: ToastMessage) =>
  manager.add({ id: message.text, title: message.text, data: message, priority: message.kind === 'error' ? 'high' : 'low' })

export function ToastList() {
  const { toasts } = useOverlayQueue()
  useEffect(() => {
    if (toasts.length === 0) return
    toasts.forEach(add)
    useOverlayQueue.setState({ toasts: [] })
  }, [toasts])
  return (
    <Toast.Provider toastManager={manager} timeout={life} limit={most}>
      <Toast.Portal>
        <Toast.Viewport className="toasts" aria-label="通知">
          <Lines />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

/** The library has the newest first. */
function Lines() {
  const { toasts, close } = Toast.useToastManager<ToastMessage>()
  useEffect(() => {
    for (const { id } of toasts.filter(({ transitionStatus }) => transitionStatus !== 'ending').slice(most)) close(id)
  }, [toasts, close])
  return toasts.toReversed().map((toast) => {
    const { kind, text, action } = toast.data as ToastMessage
    return (
      // Renewed words are a new element: a reader says them again.
      <Toast.Root
        key={`${toast.id} ${toast.updateKey}`}
        toast={toast}
        swipeDirection={[]}
        className={`toast ${kind}`}
        {...(kind === 'error' && seenError)}
      >
        <Icon name={icons[kind]} />
        <Toast.Title render={<span />} />
        {!action && <VipHint refusal={text} />}
        {action && (
          <button
            type="button"
            onClick={() => {
              close(toast.id)
              action.act()
            }}
          >
            {action.label}
          </button>
        )}
      </Toast.Root>
    )
  })
}
