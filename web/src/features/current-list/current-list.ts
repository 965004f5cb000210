import type { MarketId } from '@convexa/contract/enums/market'
import { create } from 'zustand'
import { type Draft, idOf } from '../../state/draft-records.ts'
import { useStrategies } from '../../state/drafts.ts'
import { atLeast, finite, orNull, recordOf, text, texts } from '../../state/shapes.ts'
import { onOwnChange, userStorage } from '../../state/user-storage.ts'

/** Where a security stood when the list was taken: its place and, by factor, raw value and part of the score. */
export interface ListStanding {
  rank: number
  parts: Record<string, { raw: number | null; contrib: number | null }>
}

/** The list that its user calls theirs by a strategy (设为当前名单): what a newer one is compared with. */
export interface CurrentList {
  /** The strategy that gave it, the day it is of, and when it was taken. */
  name: string
  tradeDate: string
  takenAt: string
  codes: readonly string[]
  names: Readonly<Record<string, string>>
  /** Of all that were ranked near the top that day, on the list or not. */
  standings: Readonly<Record<string, ListStanding>>
}

const key = 'heldLists'
/** The oldest give way. */
const most = 60

type Lists = Readonly<Record<string, CurrentList>>
const figure = orNull(finite)
const shape = recordOf(
  atLeast<CurrentList>({
    ...{ name: text, tradeDate: text, takenAt: text, codes: texts, names: recordOf(text) },
    standings: recordOf(atLeast<ListStanding>({ rank: finite, parts: recordOf(atLeast({ raw: figure, contrib: figure })) })),
  }),
)
const stored = (): Lists => userStorage.read(key, shape) ?? {}

/** The key of a list: that of a saved strategy, else of the one draft, as two tabs write two of them. */
export const currentListKey = (kind: MarketId, draft: Draft): string => `${kind}:${draft.saved?.id ?? idOf(draft)}`

/** What is held by a draft; what was taken before it was saved is still its own. */
export function heldBy(lists: Lists, kind: MarketId, draft: Draft | null): CurrentList | null {
  if (!draft) return null
  const own = lists[currentListKey(kind, draft)] ?? (draft.was === undefined ? undefined : lists[`${kind}:${draft.was}`])
  if (own || draft.saved) return own ?? null
  // Earlier releases kept one for all drafts of a market.
  const before = lists[`${kind}:draft`]
  return before?.name === draft.name ? before : null
}

interface CurrentLists {
  lists: Lists
  set(of: string, list: CurrentList | null): void
}

export const useCurrentLists = create<CurrentLists>((set, get) => ({
  lists: stored(),
  set(of, list) {
    const { [of]: _, ...others } = get().lists
    const lists = Object.fromEntries([...Object.entries(others), ...(list ? [[of, list] as const] : [])].slice(-most))
    userStorage.write(key, lists)
    set({ lists })
  },
}))

onOwnChange(key, () => useCurrentLists.setState({ lists: stored() }))

/** The current list of the strategy on the workbench of a market. */
export function useCurrentList(kind: MarketId): CurrentList | null {
  const draft = useStrategies(({ drafts }) => drafts[kind])
  return useCurrentLists(({ lists }) => heldBy(lists, kind, draft))
}
