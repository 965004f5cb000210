import type { ReactNode } from 'react'
import { sentenceOf } from '../../api/messages.ts'
import { Icon } from '../../ui/icon.tsx'

/** Error of a form as a whole, above its rows, and what can be done about it. */
export function FormError({ error, way }: { error: unknown; way?: ReactNode }) {
  if (error === null) return null
  return (
    <div className="alert" role="alert">
      <Icon name="warn" />
      <b>{sentenceOf(error)}</b>
      {way && <div className="actions">{way}</div>}
    </div>
  )
}
