import { type MarketId, markets } from '@convexa/contract/enums/market'
import type { FactorMeta } from '@convexa/contract/factor'
import type { StrategyListItem } from '@convexa/contract/saved-strategy'
import type { GroupListItem } from '@convexa/contract/strategy-group'
import { groupPath, strategyPath } from '../rule/addresses.ts'
import { refOf } from '../rule/factors.ts'
import type { Entry } from './find.ts'

const own = 1

/** A strategy by its name; its tags say which it is. */
export const strategyEntry = (
  kind: MarketId,
  { id, strategy_name: title, tags }: Pick<StrategyListItem, 'id' | 'strategy_name' | 'tags'>,
): Entry => ({
  id: `strategy:${id}`,
  title,
  note: [markets[kind].label, ...tags].join(' · '),
  to: strategyPath(kind, id),
})

export const groupEntry = (
  kind: MarketId,
  { id, group_name: title, members }: Pick<GroupListItem, 'id' | 'group_name' | 'members'>,
): Entry => ({
  id: `group:${id}`,
  title,
  note: `${markets[kind].label}策略组 · ${members.length} 个成员`,
  to: groupPath(kind, id),
})

/** A factor by its name or key: an own one leads to its editor, any other to how it sorts the market. */
export function factorEntry(
  kind: MarketId,
  { id, factor_key: key, factor_name: title, factor_type: type, category, window }: FactorMeta,
): Entry {
  const market = markets[kind]
  const ref = window ? refOf(key, window.default) : key
  return {
    id: `factor:${kind}:${key}`,
    title,
    code: key,
    note: `${market.label} · ${type === own ? '自定义' : category}`,
    to: type === own && id ? `/customized-factors?kind=${kind}&id=${id}` : `${market.path}/binning?factor=${encodeURIComponent(ref)}`,
  }
}
