import type { MarketId } from '@convexa/contract/enums/market'
import type { GroupDetail } from '@convexa/contract/strategy-group'
import type { BasketSource } from '../../basket/basket.ts'

/** What the members list together as one basket: a security once, and as old as the oldest of their lists. */
export function basketOf(kind: MarketId, { group_name, members, combined_list }: GroupDetail): BasketSource {
  const weights = new Map<string, number>()
  for (const { code, weight } of combined_list) weights.set(code, (weights.get(code) ?? 0) + weight)
  const days = members.flatMap(({ as_of }) => as_of ?? [])
  return {
    kind,
    name: group_name,
    tradeDate: days.sort()[0] ?? '',
    items: [...weights].map(([code, weight]) => ({ code, weight })).sort((a, b) => b.weight - a.weight),
  }
}
