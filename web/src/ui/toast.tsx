import { Suspense, useEffect } from 'react'
import { create } from 'zustand'
import { lazyWithFallback } from './lazy-with-fallback.ts'
import type { Toast, ToastAction, ToastKind } from './toast-list.tsx'

/** At most three at once: an older one gives way. */
const most = 3
let next = 1

const useToasts = create<{ toasts: readonly Toast[] }>(() => ({ toasts: [] }))

function show(kind: ToastKind, text: string, action: ToastAction | null = null): void {
  const toast = { id: next++, kind, text, action }
  useToasts.setState(({ toasts }) => ({ toasts: [...toasts.filter((one) => one.text !== text), toast].slice(-most) }))
}

const dismiss = (id: number): void => useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((one) => one.id !== id) }))

/** A word in passing. An error also stays where it happened. */
export const toast = {
  done: (text: string, action?: ToastAction) => show('done', text, action),
  info: (text: string, action?: ToastAction) => show('info', text, action),
  error: (text: string, action?: ToastAction) => show('error', text, action),
}

const ToastList = lazyWithFallback(async () => (await import('./toast-list.tsx')).ToastList, Words)

/** What they say, where how they look did not come: it may be that the network is gone. */
function Words({ toasts }: { toasts: readonly Toast[] }) {
  const [first] = toasts
  useEffect(() => {
    const timer = setTimeout(() => first && dismiss(first.id), 5_000)
    return () => clearTimeout(timer)
  }, [first])
  return (
    <p className="toast-words" role="alert">
      {toasts.map(({ text }) => text).join('；')}
    </p>
  )
}

/** Their place; how they look is fetched with the first one. */
export function Toasts() {
  const { toasts } = useToasts()
  return toasts.length > 0 ? (
    <Suspense>
      <ToastList toasts={toasts} dismiss={dismiss} />
    </Suspense>
  ) : null
}
