import type { ReactNode } from 'react'

/** A line across the table that begins a group: 候补, 移出. */
export interface Separator {
  separator: ReactNode
  id: string
}
export type GridRow<Row> = Row | Separator
export const isSeparator = <Row>(row: GridRow<Row>): row is Separator => typeof row === 'object' && row !== null && 'separator' in row
