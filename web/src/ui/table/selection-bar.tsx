import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import './selection-bar.css'

/** How many rows are ticked and what can be done with them; in the place of what the table else says about all. */
export const SelectionBar = ({
  count,
  noun = '项',
  onClear,
  children,
}: {
  count: number
  noun?: string
  onClear: () => void
  children?: ReactNode
}) => (
  <section className="selection-bar" aria-label="已选">
    <b>
      已选 {count} {noun}
    </b>
    {children}
    <span className="grow" />
    <Button look={['ghost', 'small']} onClick={onClear}>
      取消
    </Button>
  </section>
)
