import type { ReactNode } from 'react'

/** A row of a menu: what its press does, or the page that it leads to. */
export interface MenuChoice {
  label: string
  run?: () => unknown
  /** Then it is a link. */
  to?: string
  /** Cannot be pressed now. */
  off?: boolean
  danger?: boolean
  /** The key that does the same. */
  shortcut?: string
  /** Those that follow each other with the same word stand below it. */
  group?: string
  /** Behind the label: a mark of something new. */
  mark?: ReactNode
}
