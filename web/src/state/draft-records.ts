import type { Settings } from '@convexa/contract/backtest'
import type { MarketId } from '@convexa/contract/enums/market'
import { namesVersion } from '@convexa/contract/names-version'
import type { Parameters } from '@convexa/contract/strategy'
import { parameters, settings } from './rule-shapes.ts'
import { atLeast, finite, fits, flag, oneOf, optional, orNull, text, texts } from './shapes.ts'
import { local, session } from './storage.ts'
import { userId, userStorage } from './user-storage.ts'

// Where drafts are kept: the one written last under the market's key of the specification, each also under the id of what it is of, and in
// the tab's storage the id of the one that the tab works on.

/** Which dates the settings follow as the data grows; null = dates set by hand. */
export type Range = 'default' | '1y' | '3y' | '5y' | '2018' | 'all'

/** The strategy being written for a market: kept on every change, apart from the ones saved on the server. */
export interface Draft {
  /** What it is of: a saved strategy, a template, or an id of its own. The store gives it; one that comes with an id is gone on with. */
  id?: string
  /** The id that it had before it was saved: another tab on it goes along. */
  was?: string
  /** The template or saved strategy it began as. */
  name: string
  /** Set where it began as a template. */
  template?: string
  /** The saved strategy that it is a copy of, and the version of it that is edited: what saving it again changes, and whose its runs are. */
  saved?: { id: string; version: number }
  /** Changed since then. */
  edited: boolean
  /** Of what was changed the rule is part, not its settings alone: it is not the template any more whose name it has. */
  ruleEdited?: true
  parameters: Parameters
  settings: Settings
  range: Range | null
  /** Notices on names that meant something else when the rule was written. */
  kept?: readonly string[]
}

/** As it is kept: with the names that its factors are written in (`namesVersion`); one of before says none. `at`: when it was written. */
export type Kept = Draft & { names?: number; at?: number }

/** As the specification spells it: `cbStrategy`. */
export const lastKey = (kind: MarketId): string => `${kind}Strategy`
/** Key prefix of a market's records of the logged-in user. */
export const recordsOf = (kind: MarketId): string => `draft:${kind}:${userId() ?? ''}:`
const recordKey = (kind: MarketId, id: string) => recordsOf(kind) + id
const tabKey = (kind: MarketId) => `draft:${kind}`

const shape = atLeast<Kept>({
  ...{ id: optional(text), was: optional(text), name: text, template: optional(text), edited: flag, ruleEdited: optional(oneOf(true)) },
  ...{ parameters, settings, saved: optional(atLeast({ id: text, version: finite })), kept: optional(texts), at: optional(finite) },
  range: orNull(oneOf('default', '1y', '3y', '5y', '2018', 'all')),
  // Names of a later release are not known here.
  names: optional(fits<number>((version) => (version as number) <= namesVersion)),
})

export const strategyId = (id: string): string => `strategy:${id}`
export const templateId = (name: string): string => `template:${name}`
export const ownId = (): string => `own:${Math.random().toString(36).slice(2, 12)}`

/** One that an earlier release wrote has no id. */
export const idOf = ({ id, saved, name }: Draft): string => id ?? (saved ? strategyId(saved.id) : `before:${name}`)

const withId = (kept: Kept | null): Kept | null => kept && { ...kept, id: idOf(kept) }

/** The draft kept under an id; null: none. */
export const recordOf = (kind: MarketId, id: string): Kept | null => withId(local.read(recordKey(kind, id), shape, userId() ?? ''))

/**
 * What a tab is to show that works on `id`; null: on nothing yet, it takes the draft written last. `quiet`: what cannot be read is left to
 * the tab that has just written it.
 */
export function keptDraft(kind: MarketId, id: string | null, silent = false): Kept | null {
  const read = userStorage.read(lastKey(kind), shape, silent)
  const last = withId(read)
  // A tab of an earlier release writes no records.
  if (last && read?.id === undefined && last.names === namesVersion) keepRecord(kind, last, Date.now())
  if (id === null || last?.id === id || last?.was === id) return last
  return recordOf(kind, id) ?? last
}

export const tabsId = (kind: MarketId): string | null => session.read(tabKey(kind), text)

export function keepDraft(kind: MarketId, draft: Draft): void {
  userStorage.write(lastKey(kind), { ...draft, names: namesVersion })
  keepRecord(kind, draft, Date.now())
  keepTabsId(kind, idOf(draft))
}

export const keepRecord = (kind: MarketId, draft: Draft, at: number): void =>
  local.write(recordKey(kind, idOf(draft)), { ...draft, names: namesVersion, at })

export function keepTabsId(kind: MarketId, id: string): void {
  if (tabsId(kind) !== id) session.write(tabKey(kind), id)
}

export const dropRecord = (kind: MarketId, id: string): void => local.remove(recordKey(kind, id))

/** Forgets the draft written last, and the record of the one that is given. */
export function dropDraft(kind: MarketId, draft: Draft | null): void {
  userStorage.remove(lastKey(kind))
  session.remove(tabKey(kind))
  if (draft) dropRecord(kind, idOf(draft))
}
