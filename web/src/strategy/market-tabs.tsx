import type { Kind } from '@convexa/contract/market'
import { kinds } from '@convexa/contract/wire-market'
import { shownMarkets } from '../market/market-context.tsx'

/** Whose list is shown, and how long each is once it is known. */
export function MarketTabs({
  shown,
  counts,
  onChoose,
}: {
  shown: Kind
  counts: Readonly<Record<Kind, number | undefined>>
  onChoose: (kind: Kind) => void
}) {
  return (
    <div className="tabs" role="tablist" aria-label="市场">
      {kinds.map((kind) => (
        <button key={kind} type="button" role="tab" aria-selected={kind === shown} onClick={() => onChoose(kind)}>
          {shownMarkets[kind].label}
          <em>{counts[kind] ?? ''}</em>
        </button>
      ))}
    </div>
  )
}
