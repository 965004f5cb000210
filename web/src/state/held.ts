import type { Kind } from '@convexa/contract/market'
import { create } from 'zustand'
import { onOwnChange, ownShelf } from './own-shelf.ts'
import { atLeast, finite, orNull, recordOf, text, texts } from './shapes.ts'
import { useStrategies } from './strategies.ts'

/** Where a security stood when the list was taken: its place and, by factor, raw value and part of the score. */
export interface HeldStanding {
  rank: number
  parts: Record<string, { raw: number | null; contrib: number | null }>
}

/** The list that its user calls theirs by a strategy (设为当前名单): what a newer one is compared with. */
export interface HeldList {
  /** The strategy that gave it, the day it is of, and when it was taken. */
  name: string
  tradeDate: string
  takenAt: string
  codes: readonly string[]
  names: Readonly<Record<string, string>>
  /** Of all that were ranked near the top that day, on the list or not. */
  standings: Readonly<Record<string, HeldStanding>>
}

const key = 'heldLists'
/** The oldest give way. */
const most = 60

type Lists = Readonly<Record<string, HeldList>>
const figure = orNull(finite)
const shape = recordOf(
  atLeast<HeldList>({
    ...{ name: text, tradeDate: text, takenAt: text, codes: texts, names: recordOf(text) },
    standings: recordOf(atLeast<HeldStanding>({ rank: finite, parts: recordOf(atLeast({ raw: figure, contrib: figure })) })),
  }),
)
const stored = (): Lists => ownShelf.read(key, shape) ?? {}

/** Whose list it is: a saved strategy's, or that of the market's draft. */
export const heldKey = (kind: Kind, saved: { id: string } | undefined): string => `${kind}:${saved?.id ?? 'draft'}`

interface HeldLists {
  lists: Lists
  set(of: string, list: HeldList | null): void
}

export const useHeldLists = create<HeldLists>((set, get) => ({
  lists: stored(),
  set(of, list) {
    const { [of]: _, ...others } = get().lists
    const lists = Object.fromEntries([...Object.entries(others), ...(list ? [[of, list] as const] : [])].slice(-most))
    ownShelf.write(key, lists)
    set({ lists })
  },
}))

onOwnChange(key, () => useHeldLists.setState({ lists: stored() }))

/** The list held by the strategy on the workbench of a market. */
export function useHeld(kind: Kind): HeldList | null {
  const of = useStrategies(({ drafts }) => heldKey(kind, drafts[kind]?.saved))
  return useHeldLists(({ lists }) => lists[of] ?? null)
}
