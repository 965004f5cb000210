import type { ComponentProps } from 'react'
import { Row } from './layout.tsx'
import './toolbar.css'

/** Fields and buttons that act on what stands below them; for a finger as high as one. With a `label` they are a group with that name. */
export const Toolbar = ({ label, className = '', ...own }: Omit<ComponentProps<typeof Row<'div'>>, 'as'> & { label?: string }) => (
  <Row gap={8} {...own} role={label === undefined ? undefined : 'group'} aria-label={label} className={`toolbar ${className}`.trim()} />
)
