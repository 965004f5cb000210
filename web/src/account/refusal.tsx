import type { ReactNode } from 'react'
import { sentenceOf } from '../api/messages.ts'
import { Icon } from '../ui/icon.tsx'

/** What the server refused of a form as a whole, above its rows, and the way on that is left. */
export function Refusal({ error, way }: { error: unknown; way?: ReactNode }) {
  if (error === null) return null
  return (
    <div className="alert" role="alert">
      <Icon name="warn" />
      <b>{sentenceOf(error)}</b>
      {way && <div className="actions">{way}</div>}
    </div>
  )
}
