import { dataModes } from '@convexa/contract/enums/data-mode'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

/** A word on grey: a filter, a choice. With `onRemove` it can be taken away; focus then goes to the one after it. */
export function Tag({ children, name, onRemove }: { children: ReactNode; name?: string; onRemove?: () => void }) {
  return (
    <span className="tag">
      {children}
      {onRemove && (
        <button type="button" aria-label={`移除 ${name ?? String(children)}`} onClick={onRemove}>
          <Icon name="cross" size="small" />
        </button>
      )}
    </span>
  )
}

type BadgeLook = 'plain' | 'demo' | 'brand' | 'ok' | 'warn' | 'info' | 'danger'

/** A state in a frame; it always says it in words. */
export const Badge = ({ look = 'plain', children }: { look?: BadgeLook; children: ReactNode }) => (
  <span className={look === 'plain' ? 'badge' : `badge ${look}`}>{children}</span>
)

/** What is shown is made up: said wherever numbers of the demo market stand. */
export const DemoBadge = () => (
  <Badge look="demo">
    <Icon name="info" size="middle" />
    {dataModes.demo.label}
  </Badge>
)
