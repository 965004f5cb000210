import type { ReactNode } from 'react'
import './card-grid.css'

/** How the width is shared: in halves, or three to seven. */
type Shares = 'halves' | 'narrow-wide' | 'wide-narrow'

/** Cards side by side, equally high with their feet at the bottom; below 1100 px one under another. */
export const CardGrid = ({
  shares = 'halves',
  className = '',
  children,
}: {
  shares?: Shares
  className?: string | undefined
  children: ReactNode
}) => <div className={`card-grid ${shares} ${className}`.trim()}>{children}</div>
