import { useEffect, useRef } from 'react'
import { lateOverlay } from './late-overlay.tsx'
import { type ToastAction, type ToastKind, useOverlayQueue } from './overlay/queue.ts'

const show = (kind: ToastKind, text: string, action: ToastAction | null = null): void =>
  useOverlayQueue.setState(({ toasts }) => ({ toasts: [...toasts, { kind, text, action }] }))

/** A word in passing. An error also stays where it happened. */
export const toast = {
  done: (text: string, action?: ToastAction) => show('done', text, action),
  info: (text: string, action?: ToastAction) => show('info', text, action),
  error: (text: string, action?: ToastAction) => show('error', text, action),
}

const Hosts = lateOverlay(async () => (await import('./overlay/hosts.tsx')).Hosts, Words)

/** What they say, where how they look did not come: it may be that the network is gone. */
function Words() {
  const { toasts } = useOverlayQueue()
  useEffect(() => {
    if (toasts.length === 0) return
    const timer = setTimeout(() => useOverlayQueue.setState({ toasts: toasts.slice(1) }), 5_000)
    return () => clearTimeout(timer)
  }, [toasts])
  return toasts.length === 0 ? null : (
    <p className="toast-words" role="alert">
      {toasts.map(({ text }) => text).join('；')}
    </p>
  )
}

/** The place of toasts and questions; how they look is fetched with the first one. */
export function Toasts() {
  const { toasts, questions } = useOverlayQueue()
  const used = useRef(false)
  used.current ||= toasts.length + questions.length > 0
  return used.current ? <Hosts /> : null
}
