import type { MarketId } from '@convexa/contract/enums/market'
import { namesVersion } from '@convexa/contract/names-version'
import { type Draft, dropRecord, type Kept, keepRecord, recordOf, recordsOf } from './draft-records.ts'
import { inNamesOfNow } from './old-draft.ts'
import { asideOf, local } from './storage.ts'
import { userId } from './user-storage.ts'

/** So many drafts of a market are kept. */
const most = 20

export interface KeptDraft {
  id: string
  draft: Draft
  /** When it was written last. */
  at: number
}

/** All drafts that are kept of a market for who is logged in, the newest first. */
export function keptDrafts(kind: MarketId): KeptDraft[] {
  const prefix = recordsOf(kind)
  const ids = local.names().flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []))
  return ids
    .flatMap((id) => {
      const kept = recordOf(kind, id)
      return kept ? [{ id, draft: draftOf(kind, kept), at: kept.at ?? 0 }] : []
    })
    .sort((a, b) => b.at - a.at)
}

/** As it is worked on. */
export function draftOf(kind: MarketId, { names, at: _at, ...draft }: Kept): Draft {
  return names === namesVersion ? draft : inNamesOfNow(kind, draft)
}

/** Whether somebody wrote something in it that is nowhere else. */
export const isUnsaved = ({ draft: { edited, saved, template } }: Pick<KeptDraft, 'draft'>): boolean =>
  edited || (saved === undefined && template === undefined)

/** Only the newest stay; what can be had again gives way first. `id`: the one that the tab works on. */
export function prune(kind: MarketId, id: string): void {
  const all = keptDrafts(kind)
  const worth = (one: KeptDraft) => (one.id === id ? 2 : isUnsaved(one) ? 1 : 0)
  for (const one of all.toSorted((a, b) => worth(b) - worth(a)).slice(most)) dropRecord(kind, one.id)
}

/** Takes a draft off the list. @returns puts it back */
export function discard(kind: MarketId, { id, draft, at }: KeptDraft): () => void {
  dropRecord(kind, id)
  return () => keepRecord(kind, draft, at)
}

/** What of the one who is logged in could not be read, as text by its key. */
export function asideTexts(): Record<string, string> {
  const prefixes = [...new Set([asideOf(''), asideOf(userId() ?? '')])]
  return Object.fromEntries(
    local.names().flatMap((key) => {
      const prefix = prefixes.find((one) => key.startsWith(one))
      const text = prefix === undefined ? null : local.text(key)
      return prefix === undefined || text === null ? [] : [[key.slice(prefix.length), text]]
    }),
  )
}

export function dropAside(): void {
  for (const owner of ['', userId() ?? '']) for (const key of local.names()) if (key.startsWith(asideOf(owner))) local.remove(key)
}
