import { create } from 'zustand'
import { Icon, type IconName } from './icon.tsx'
import './toast.css'

type Kind = 'done' | 'info' | 'error'
interface Toast {
  id: number
  kind: Kind
  text: string
}

/** The specification's 3 seconds; at most three at once. */
const life = 3_000
const most = 3
let next = 1

const useToasts = create<{ toasts: Toast[] }>(() => ({ toasts: [] }))

function show(kind: Kind, text: string): void {
  const id = next++
  useToasts.setState(({ toasts }) => ({ toasts: [...toasts.filter((one) => one.text !== text), { id, kind, text }].slice(-most) }))
  setTimeout(() => useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((one) => one.id !== id) })), life)
}

/** A word in passing. An error also stays where it happened. */
export const toast = {
  done: (text: string) => show('done', text),
  info: (text: string) => show('info', text),
  error: (text: string) => show('error', text),
}

const icons: Record<Kind, IconName> = { done: 'check', info: 'info', error: 'warn' }

export function Toasts() {
  const { toasts } = useToasts()
  return (
    <div className="toasts">
      {toasts.map(({ id, kind, text }) => (
        <div key={id} className={`toast ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
          <Icon name={icons[kind]} />
          {text}
        </div>
      ))}
    </div>
  )
}
