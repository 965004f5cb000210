import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { VipHint } from './vip-hint.tsx'

/** The sentence under a field that is wrong. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  if (!children) return null
  return (
    <p className="field-error" id={id} role="alert">
      <Icon name="warn" size="middle" />
      {children}
      {typeof children === 'string' && <VipHint refusal={children} />}
    </p>
  )
}
