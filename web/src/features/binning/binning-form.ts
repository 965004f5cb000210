import type { BinningBody } from '@convexa/contract/binning'
import { type AttributeKey, pageLabelOf } from '@convexa/contract/enums/attribute'
import { byMarket, type MarketId, marketIds } from '@convexa/contract/enums/market'
import { ruleForms } from '@convexa/contract/enums/rule-forms'
import { create } from 'zustand'
import type { Draft } from '../../state/drafts.ts'
import { atLeast, finite, flag, oneOf, optional, orNull, text } from '../../state/shapes.ts'
import { onOwnChange, userStorage } from '../../state/user-storage.ts'
import { sendable } from '../rule/draft.ts'
import { type Factors, isFormula, ownVersionsIn } from '../rule/factors.ts'

/** What is set on the page besides the factor, which is in its address. */
export interface BinningForm {
  /** Null: as many as is usual for the pool (`usualBins`). */
  bins: number | null
  /** Equal counts, the same with equal values in one bin, equal widths. */
  method: 'quantile' | 'together' | 'value'
  forward: number
  rebalance: number
  weight: 'equal' | 'cap'
  filtered: boolean
  /** A second factor: what came after where the bins of both meet. */
  second: string | null
}

const first: BinningForm = { bins: null, method: 'quantile', forward: 5, rebalance: 5, weight: 'equal', filtered: true, second: null }
const key = (kind: MarketId) => `binningForm:${kind}`

interface Forms {
  forms: Record<MarketId, BinningForm>
  change(kind: MarketId, part: Partial<BinningForm>): void
}

export const useBinningForms = create<Forms>((set, get) => ({
  forms: byMarket(stored),
  change(kind, part) {
    const form = { ...get().forms[kind], ...part }
    userStorage.write(key(kind), form)
    set(({ forms }) => ({ forms: { ...forms, [kind]: form } }))
  },
}))

for (const kind of marketIds)
  onOwnChange(key(kind), () => useBinningForms.setState(({ forms }) => ({ forms: { ...forms, [kind]: stored(kind) } })))

function stored(kind: MarketId): BinningForm {
  const shape = atLeast<Partial<BinningForm>>({
    bins: optional(orNull(finite)),
    method: optional(oneOf('quantile', 'together', 'value')),
    ...{ forward: optional(finite), rebalance: optional(finite), filtered: optional(flag), second: optional(orNull(text)) },
    weight: optional(oneOf('equal', 'cap')),
  })
  return { ...first, ...userStorage.read(key(kind), shape) }
}

/** Forward horizons, in trading days, of the IC decay. */
const horizons = [1, 5, 10, 20, 60]

export interface BinningQuestion {
  body: BinningBody
  /** Its name when it was asked. */
  factorName: string
  /** Versions of the own factors that it names, when it was asked (`ownVersionsIn`). */
  own: string | null
}

/** Texts of securities that make groups instead of bins; a market may lack one, which its answer then says. */
const binnedAttributes = ['industry_1', 'area', 'market', 'orgform', 'yy_rating'] as const satisfies readonly AttributeKey[]
export const textFactors: Readonly<Record<string, string>> = Object.fromEntries(binnedAttributes.map((key) => [key, pageLabelOf(key)]))
export const isText = (ref: string): boolean => Object.hasOwn(textFactors, ref)

/** Few different numbers that are kinds and not sizes: each is a bin. */
const kindLike = new Set(['call_status', 'is_st', 'st', 'is_margin', 'is_trading', 'suspended'])
export const isCategorical = (ref: string): boolean => isText(ref) || kindLike.has(ref) || /(^|_)(status|is)(_|$)/.test(ref)

export const factorName = (factors: Factors, ref: string): string => textFactors[ref] ?? factors.nameOf(ref)

/** Bins of the second factor: where both are cut fine, few are left in a cell. */
const mostSecond = 5

/** A form whose number of bins is known. */
export type CountedForm = BinningForm & { bins: number }

export function questionOf(draft: Draft, form: CountedForm, factor: string, factors: Factors): BinningQuestion {
  const { start_date, end_date, benchmark } = draft.settings
  const others = horizons.filter((days) => days !== form.forward)
  const body: BinningBody = {
    factor,
    bins: form.bins,
    method: isCategorical(factor) ? 'category' : form.method === 'together' ? 'quantile' : form.method,
    ...(form.method === 'together' && !isCategorical(factor) ? { ties: 'together' } : {}),
    forward_days: [form.forward, ...others],
    rebalance_days: form.rebalance,
    weight: form.weight,
    neutralization: null,
    settings: { start_date, end_date, benchmark },
    ...(form.second !== null && form.second !== factor && !isCategorical(factor)
      ? { second: { factor: form.second, bins: Math.min(mostSecond, form.bins) } }
      : {}),
    pool_mode: form.filtered ? 'filtered' : 'all',
    // Of the draft only its pool counts: what it scores by changes nothing.
    ...(form.filtered ? { parameters: { ...sendable(draft.parameters), rank_factors: [] } } : {}),
  }
  return { factorName: factorName(factors, factor), body, own: ownVersionsIn(body, factors) }
}

/** Factors that ← and → walk through: what the loaded data have, in the order of the picker; families with their usual window. */
export function walkOf(factors: Factors): string[] {
  return factors.list
    .filter(({ available }) => available)
    .map(({ factor_key, window }) => (window ? factor_key.replace(/_N(?=_|$)/, `_${window.default}`) : factor_key))
}

/** The factor so many steps on; a formula is in no list and leads to its ends. */
export function stepped(walk: readonly string[], factor: string, step: 1 | -1): string {
  const at = isFormula(factor) ? -1 : walk.indexOf(factor)
  if (walk.length === 0) return factor
  const next = at < 0 ? (step > 0 ? 0 : walk.length - 1) : (at + step + walk.length) % walk.length
  return walk[next] ?? factor
}

/** What a page begins with: what the draft scores by first. */
export function firstFactor(draft: Draft, kind: MarketId): string {
  return draft.parameters.rank_factors.find(({ enable }) => enable)?.factor_key ?? ruleForms[kind].firstBinFactor
}
