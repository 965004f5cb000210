import type { StrategySummary } from '@convexa/contract/saved-strategy'
import { create } from 'zustand'
import { atLeast, listOf, recordOf, text } from '../../state/shapes.ts'
import { onOwnChange, userStorage } from '../../state/user-storage.ts'

// The list that a person said they hold, by strategy: what the newest list is compared with. It is kept on this machine only.

export interface Listed {
  code: string
  name: string
}

export interface ConfirmedList {
  /** Trading day whose list it was. */
  date: string
  items: readonly Listed[]
}

type Lists = Readonly<Record<string, ConfirmedList>>
const key = 'confirmedLists'
/** The oldest give way. */
const most = 200
const shape = recordOf(atLeast<ConfirmedList>({ date: text, items: listOf(atLeast<Listed>({ code: text, name: text })) }))

const stored = (): Lists => userStorage.read(key, shape) ?? {}

export const useConfirmedLists = create<{
  lists: Lists
  /** null: none is any more. */
  confirm(strategyId: string, list: ConfirmedList | null): void
}>((set, get) => ({
  lists: stored(),
  confirm(strategyId, list) {
    const { [strategyId]: _, ...others } = get().lists
    const lists = Object.fromEntries([...Object.entries(others), ...(list ? [[strategyId, list] as const] : [])].slice(-most))
    userStorage.write(key, lists)
    set({ lists })
  },
}))

onOwnChange(key, () => useConfirmedLists.setState({ lists: stored() }))

export interface ListDifference {
  added: readonly Listed[]
  removed: readonly Listed[]
  kept: number
  /** The day of the list that was confirmed; null: against what the rule itself held the day before. */
  since: string | null
}

/** The list of a glance against the one that was confirmed; without one, against what the rule held before. */
export function differenceOf(glance: Pick<StrategySummary, 'list_items' | 'diff'>, confirmed: ConfirmedList | undefined): ListDifference {
  const now = new Set(glance.list_items.map(({ code }) => code))
  if (!confirmed) {
    const { added, removed } = glance.diff
    return { added, removed, kept: now.size - added.length, since: null }
  }
  const before = new Set(confirmed.items.map(({ code }) => code))
  const added = glance.list_items.filter(({ code }) => !before.has(code)).map(({ code, name }) => ({ code, name }))
  const removed = confirmed.items.filter(({ code }) => !now.has(code))
  return { added, removed, kept: now.size - added.length, since: confirmed.date }
}

/** The list that a difference starts from. */
export function listBefore(glance: Pick<StrategySummary, 'list_items' | 'diff'>, confirmed: ConfirmedList | undefined): readonly Listed[] {
  if (confirmed) return confirmed.items
  const added = new Set(glance.diff.added.map(({ code }) => code))
  return [...glance.list_items.filter(({ code }) => !added.has(code)), ...glance.diff.removed]
}
