import { Toast } from '@base-ui/react/toast'
import { useEffect, useState } from 'react'
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

/**
 * An error is read at once from an alert of our own. The library's hides the line itself, which can have the focus, and is read again whenever the
 * focus leaves the toasts.
 */
const readError = { role: 'alertdialog', 'aria-live': 'off' } as const

/** The same words again renew their time. */
const add = (message: ToastMessage) => manager.add({ id: message.text, title: message.text, data: message })

export function ToastList() {
  const { toasts } = useOverlayQueue()
  // A reader does not read a live region that comes together with its first words.
  const [stands, setStands] = useState(false)
  useEffect(() => {
    const frame = requestAnimationFrame(() => setStands(true))
    return () => cancelAnimationFrame(frame)
  }, [])
  useEffect(() => {
    if (!stands || toasts.length === 0) return
    toasts.forEach(add)
    useOverlayQueue.setState({ toasts: [] })
  }, [toasts, stands])
  return (
    <Toast.Provider toastManager={manager} timeout={life} limit={most}>
      <Toast.Portal>
        <Toast.Viewport className="toasts" aria-label="通知">
          <Lines />
        </Toast.Viewport>
        <Errors />
      </Toast.Portal>
    </Toast.Provider>
  )
}

/** What is read of errors: each once, and anew when it comes again. */
function Errors() {
  const { toasts } = Toast.useToastManager<ToastMessage>()
  return toasts
    .filter(({ data }) => data?.kind === 'error')
    .map(({ id, updateKey, title }) => (
      <p key={`${id} ${updateKey}`} role="alert" aria-live="assertive" className="hidden-text">
        {title}
      </p>
    ))
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
        {...(kind === 'error' && readError)}
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
