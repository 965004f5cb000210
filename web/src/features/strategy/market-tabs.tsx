import { type MarketId, marketIds, markets } from '@convexa/contract/enums/market'
import { TabList } from '../../ui/tabs.tsx'

/** Tabs of the markets, each with the length of its list once known. */
export function MarketTabs({
  shown,
  counts,
  onChoose,
}: {
  shown: MarketId
  counts: Readonly<Record<MarketId, number | undefined>>
  onChoose: (kind: MarketId) => void
}) {
  const tabs = marketIds.map((kind) => ({
    key: kind,
    label: markets[kind].label,
    ...(counts[kind] !== undefined && { count: counts[kind] }),
  }))
  return <TabList label="市场" tabs={tabs} value={shown} onChange={onChoose} />
}
