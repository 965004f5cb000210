import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { MemberWay } from './member-way.tsx'

/** The sentence under a field that is wrong. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  if (!children) return null
  return (
    <p className="field-error" id={id} role="alert">
      <Icon name="warn" size="middle" />
      {children}
      {typeof children === 'string' && <MemberWay refusal={children} />}
    </p>
  )
}
