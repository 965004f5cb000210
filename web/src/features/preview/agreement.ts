import type { ScreenResult } from '@convexa/contract/screen'
import type { PreviewAnswer } from './messages.ts'

/** How the browser's list and the server's of the same rule stand to each other. */
export interface Agreement {
  /** On the server's list alone, and on the browser's alone. */
  missing: readonly string[]
  extra: readonly string[]
}

export function agreementOf(preview: PreviewAnswer, server: ScreenResult): Agreement {
  const mine = new Set(preview.selected)
  const theirs = new Set(server.list_items.flatMap(({ code, selected }) => (selected ? [code] : [])))
  return { missing: [...theirs].filter((code) => !mine.has(code)), extra: [...mine].filter((code) => !theirs.has(code)) }
}

/** The server's earlier answer with the browser's newer one in it: the list is new, who was excluded and by what comes with the server. */
export const withPreview = (server: ScreenResult, { total, selected, rows, reserves, funnel, warnings }: PreviewAnswer): ScreenResult => ({
  ...server,
  total,
  selected: selected.length,
  list_items: [...rows],
  reserve_items: [...reserves],
  funnel,
  warnings: [...warnings],
})
