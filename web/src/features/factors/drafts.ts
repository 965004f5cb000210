import { byMarket, type MarketId } from '@convexa/contract/enums/market'
import type { CustomizedFactorBody, FactorMeta } from '@convexa/contract/factor'
import { keptName } from '@convexa/contract/kept-meaning'
import { namesVersion } from '@convexa/contract/names-version'
import { create } from 'zustand'
import type { FactorText } from '../../market/factor-examples.ts'
import { atLeast, eachOf, finite, number, oneOf, optional, orNull, text } from '../../state/shapes.ts'
import { onOwnChange, userStorage } from '../../state/user-storage.ts'

/** A factor that is being written: kept on every change, apart from what is saved on the server. `id` is the saved factor's, or one of its own. */
export interface FactorDraft extends FactorText {
  id: string
}

/** A line of the list: what is saved, what is being written, or both. */
export interface FactorItem {
  id: string
  saved: FactorMeta | null
  text: FactorText
  /** Differs from what is saved. */
  unsaved: boolean
}

const storageKey = 'factorDrafts'
type Drafts = Record<MarketId, readonly FactorDraft[]>

const drafts = eachOf(
  atLeast<FactorDraft>({
    ...{ id: text, name: text, formula: text, description: text, unit: orNull(text), decimals: number },
    prefer: oneOf('small', 'large'),
  }),
)
const stored = (): Drafts => {
  const kept = userStorage.read(
    storageKey,
    atLeast<Partial<Drafts & { names: number }>>({ ...byMarket(() => optional(drafts)), names: optional(finite) }),
  )
  const isBefore = (kept?.names ?? 1) < namesVersion
  // Of before names of factors changed: it means what it meant, in words that say so.
  const asMeant = (kind: MarketId, draft: FactorDraft) => (isBefore ? { ...draft, formula: keptName(kind, draft.formula).value } : draft)
  const of = (kind: MarketId) => (kept?.[kind] ?? []).map((draft) => asMeant(kind, draft))
  return byMarket(of)
}

interface FactorDrafts {
  drafts: Drafts
  put(kind: MarketId, draft: FactorDraft): void
  drop(kind: MarketId, id: string): void
  /** `sent` is saved, as the factor `id`: what was typed in between is a draft of that one, and so is all of one that no list has yet. */
  saved(kind: MarketId, sent: FactorDraft, id: string, listed: boolean): void
}

export const useFactorDrafts = create<FactorDrafts>((set, get) => {
  const keep = (kind: MarketId, own: readonly FactorDraft[]) => {
    const drafts = { ...get().drafts, [kind]: own }
    userStorage.write(storageKey, { ...drafts, names: namesVersion })
    set({ drafts })
  }
  return {
    drafts: stored(),
    put(kind, draft) {
      const own = get().drafts[kind]
      const there = own.some(({ id }) => id === draft.id)
      keep(kind, there ? own.map((one) => (one.id === draft.id ? draft : one)) : [...own, draft])
    },
    drop(kind, id) {
      keep(
        kind,
        get().drafts[kind].filter((one) => one.id !== id),
      )
    },
    saved(kind, sent, id, listed) {
      const typed = get().drafts[kind].find((one) => one.id === sent.id)
      get().drop(kind, sent.id)
      if (typed && (!listed || !sameText(typed, sent))) get().put(kind, { ...typed, id })
    },
  }
})

onOwnChange(storageKey, () => useFactorDrafts.setState({ drafts: stored() }))

export const isNew = (id: string): boolean => id.startsWith('new-')
export const newId = (): string => `new-${Date.now().toString(36)}`

export const textOf = (meta: FactorMeta): FactorText => ({
  name: meta.factor_name,
  formula: meta.formula ?? '',
  description: meta.description,
  unit: meta.unit,
  decimals: meta.decimals,
  prefer: meta.prefer_default,
})

const parts = ['name', 'formula', 'description', 'unit', 'decimals', 'prefer'] as const
export const sameText = (a: FactorText, b: FactorText): boolean => parts.every((part) => a[part] === b[part])

/** Saved factors in their order with what is being written of them, then those that are not saved yet. */
export function itemsOf(saved: readonly FactorMeta[], drafts: readonly FactorDraft[]): FactorItem[] {
  const byId = new Map(drafts.map((draft) => [draft.id, draft]))
  const kept = saved.flatMap((meta): FactorItem[] => {
    if (!meta.id) return []
    const before = textOf(meta)
    const text = byId.get(meta.id) ?? before
    return [{ id: meta.id, saved: meta, text, unsaved: !sameText(text, before) }]
  })
  const ids = new Set(kept.map(({ id }) => id))
  return [...kept, ...drafts.flatMap((draft) => (ids.has(draft.id) ? [] : [{ id: draft.id, saved: null, text: draft, unsaved: true }]))]
}

export const bodyOf = ({ name, formula, description, unit, decimals, prefer }: FactorText): CustomizedFactorBody => ({
  factor_name: name.trim(),
  formula,
  description,
  unit,
  decimals,
  prefer_default: prefer,
})

/** What a factor's number counts, as one chooses it: a fraction is written in per cent everywhere. */
export const unitChoices = [
  { value: 'ratio', label: '比例', unit: null, decimals: 4 },
  { value: 'none', label: '无单位', unit: null, decimals: 3 },
  { value: '元', label: '元', unit: '元', decimals: 3 },
  { value: '亿元', label: '亿元', unit: '亿元', decimals: 2 },
  { value: '倍', label: '倍', unit: '倍', decimals: 2 },
  { value: '天', label: '天', unit: '天', decimals: 0 },
  { value: '分', label: '分', unit: '分', decimals: 2 },
] as const
export type UnitChoice = (typeof unitChoices)[number]['value']

export const unitChoiceOf = ({ unit, decimals }: Pick<FactorText, 'unit' | 'decimals'>): UnitChoice =>
  unitChoices.find((one) => one.unit === unit && (unit !== null || one.decimals === decimals))?.value ?? 'none'
