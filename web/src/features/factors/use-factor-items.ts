import type { MarketId } from '@convexa/contract/enums/market'
import type { FactorMeta } from '@convexa/contract/factor'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { factorsQuery } from '../../api/queries.ts'
import type { FactorText } from '../../market/factor-examples.ts'
import { type FactorItem, itemsOf, newId, useFactorDrafts } from './drafts.ts'

export interface FactorItems {
  /** Every factor of the market. */
  metas: readonly FactorMeta[]
  items: readonly FactorItem[]
  /** The one that is open. */
  item: FactorItem | null
  loading: boolean
  error: unknown
  retry(): void
  open(id: string): void
  /** A new one, empty or as an example says. */
  create(text?: FactorText): void
  /** One is no more: where it is still the open one, the first is. */
  gone(id: string): void
}

const none: readonly FactorMeta[] = []
const empty: FactorText = { name: '', formula: '', description: '', unit: null, decimals: 4, prefer: 'small' }

/** One's own factors with what is being written of them; the address says which is open, else the first. */
export function useFactorItems(kind: MarketId, id: string | null, onShow: (id?: string) => void): FactorItems {
  const query = useQuery(factorsQuery(kind))
  const drafts = useFactorDrafts((state) => state.drafts[kind])
  const metas = query.data ?? none
  const items = useMemo(
    () =>
      itemsOf(
        metas.filter(({ factor_type }) => factor_type === 1),
        drafts,
      ),
    [metas, drafts],
  )
  const open = items.find((one) => one.id === id) ?? items[0] ?? null
  return {
    metas,
    items,
    item: open,
    loading: query.isPending,
    error: query.error,
    retry: () => void query.refetch(),
    open: onShow,
    create(text = empty) {
      const draft = { ...text, id: newId(), name: freeName(text.name, items) }
      useFactorDrafts.getState().put(kind, draft)
      onShow(draft.id)
    },
    // Deleting takes a while: leads on only if the deleted factor is still the one on screen.
    gone: (gone) => new URLSearchParams(window.location.search).get('id') === gone && onShow(),
  }
}

/** Numbers the name of an example that is created twice. */
function freeName(name: string, items: readonly FactorItem[]): string {
  const taken = new Set(items.map(({ text }) => text.name))
  if (name === '' || !taken.has(name)) return name
  for (let i = 2; ; i++) if (!taken.has(`${name} ${i}`)) return `${name} ${i}`
}
