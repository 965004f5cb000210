import type { MouseEvent, ReactNode } from 'react'
import { PageLink } from '../page-link.tsx'
import type { DataTableProps } from './table-props.ts'

type Opening<Row> = Pick<DataTableProps<Row>, 'onOpen' | 'hrefOf'>

/** What opens a row: a link where it has an address, else a button. */
export function RowOpener<Row>({ row, table: { onOpen, hrefOf }, children }: { row: Row; table: Opening<Row>; children: ReactNode }) {
  if (hrefOf)
    return (
      <PageLink className="table-open" to={hrefOf(row)}>
        {children}
      </PageLink>
    )
  return (
    <button type="button" className="table-open" onClick={() => onOpen?.(row)}>
      {children}
    </button>
  )
}

/**
 * A click beside everything that can be pressed presses the row's opener, with the same keys held: with Ctrl, ⌘ or Shift the browser opens
 * a link elsewhere.
 */
export function pressOpener({ target, currentTarget, ctrlKey, metaKey, shiftKey }: MouseEvent<HTMLElement>): void {
  if ((target as Element).closest('button, a, input, label, .menu')) return
  const click = new globalThis.MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey })
  currentTarget.querySelector('.table-open')?.dispatchEvent(click)
}
