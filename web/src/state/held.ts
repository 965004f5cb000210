import type { Kind } from '@convexa/contract/market'
import { create } from 'zustand'
import { local } from './storage.ts'

/** Where a security stood when the list was taken: its place and, by factor, raw value and part of the score. */
export interface HeldStanding {
  rank: number
  parts: Record<string, { raw: number | null; contrib: number | null }>
}

/** The list that its user calls theirs in a market (设为当前名单): what a newer one is compared with. */
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

const keys: Record<Kind, string> = { cb: 'cbHeldList', stk: 'stkHeldList' }
const stored = (kind: Kind): HeldList | null => {
  const list = local.read<HeldList>(keys[kind])
  return Array.isArray(list?.codes) && typeof list.standings === 'object' ? list : null
}

interface HeldLists {
  lists: Record<Kind, HeldList | null>
  set(kind: Kind, list: HeldList | null): void
}

export const useHeldLists = create<HeldLists>((set) => ({
  lists: { cb: stored('cb'), stk: stored('stk') },
  set(kind, list) {
    if (list) local.write(keys[kind], list)
    else local.remove(keys[kind])
    set(({ lists }) => ({ lists: { ...lists, [kind]: list } }))
  },
}))
