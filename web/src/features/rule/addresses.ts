import { type MarketId, marketIds } from '@convexa/contract/enums/market'

export const strategyPath = (kind: MarketId, id: string): string => `/strategy/${kind}/${id}`
export const groupPath = (kind: MarketId, id: string): string => `/strategy/${kind}/group/${id}`

/** What may stand in a column of the comparison. */
export interface Compared {
  type: 'strategy' | 'group' | 'run'
  kind: MarketId
  id: string
}

export const fewestCompared = 2
export const mostCompared = 6

/** `cb:0198…` is a strategy, `cb:group:0198…` a group, `stk:run:0198…` one backtest. */
export const itemText = ({ type, kind, id }: Compared): string => (type === 'strategy' ? `${kind}:${id}` : `${kind}:${type}:${id}`)

const shape = /^(cb|stk):(?:(group|run):)?([\w-]{1,64})$/

/** The items that an address names, each once, six at most; what cannot be read is left out. */
export function itemsOf(text: string | null): Compared[] {
  const items = (text ?? '').split(',').flatMap((word): Compared[] => {
    const [, kind, type, id] = shape.exec(word.trim()) ?? []
    const known = marketIds.find((one) => one === kind)
    return known && id ? [{ type: (type as 'group' | 'run' | undefined) ?? 'strategy', kind: known, id }] : []
  })
  const seen = new Set<string>()
  return items.filter((item) => !seen.has(itemText(item)) && seen.add(itemText(item))).slice(0, mostCompared)
}

/** Where a config of the terminal is made for a strategy or group. */
export const newConfigPath = (type: 'strategy' | 'group', id: string): string => `/qmt/config?id=new&source=${type}:${id}`

export const comparePath = (items: readonly Compared[]): string => `/strategy/compare?items=${items.map(itemText).join(',')}`
