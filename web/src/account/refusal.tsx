import { sentenceOf } from '../api/messages.ts'
import { Icon } from '../ui/icon.tsx'

/** What the server refused of a form as a whole, above its rows. */
export function Refusal({ error }: { error: unknown }) {
  if (error === null) return null
  return (
    <div className="alert" role="alert">
      <Icon name="warn" />
      <b>{sentenceOf(error)}</b>
    </div>
  )
}
