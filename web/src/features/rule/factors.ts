import { callStatuses } from '@convexa/contract/enums/call-status'
import type { MarketId } from '@convexa/contract/enums/market'
import { isIn, labelOf } from '@convexa/contract/enums/table'
import type { FactorMeta } from '@convexa/contract/factor'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { keptFactors } from '../../api/kept-factors.ts'
import { factorsQuery } from '../../api/queries.ts'
import { grouped, missing } from '../../base/format.ts'

/** The factors of a market by key; a ref with a window finds its family. */
export interface Factors {
  list: readonly FactorMeta[]
  /** They are on their way: no name and no unit is known yet, and nothing is to be typed in it. */
  isWaiting: boolean
  of(ref: string): FactorMeta | null
  nameOf(ref: string): string
}

const formulaMark = 'formula:'
/** Keys of own factors begin with it. */
const ownMark = 'custom_'
export const isFormula = (ref: string): boolean => ref.startsWith(formulaMark)
export const formulaRef = (text: string): string => `${formulaMark} ${text.trim()}`

/** A parametric factor with its window: `pct_chg_N_stk`, 20 → `pct_chg_20_stk`. */
export const refOf = (key: string, window: number): string => key.replace(/_N(?=_|$)/, `_${window}`)
/** `pct_chg_20_stk` → `pct_chg_N_stk` and 20; null for a key without a number of its own. */
export function familyOf(ref: string): { key: string; window: number } | null {
  const match = /_(\d+)(?=_|$)/.exec(ref)
  return match ? { key: ref.replace(/_\d+(?=_|$)/, '_N'), window: Number(match[1]) } : null
}

export function factorsOf(list: readonly FactorMeta[], isWaiting = false): Factors {
  const byKey = new Map(list.map((factor) => [factor.factor_key, factor]))
  const of = (ref: string) => byKey.get(ref) ?? byKey.get(familyOf(ref)?.key ?? '') ?? null
  return {
    list,
    isWaiting,
    of,
    nameOf(ref) {
      if (isFormula(ref)) return ref.slice(formulaMark.length).trim()
      if (isWaiting) return missing
      const own = byKey.get(ref)
      if (own) return own.factor_name
      const family = familyOf(ref)
      const factor = family && byKey.get(family.key)
      return factor ? factor.factor_name.replace('N', String(family.window)) : ref
    },
  }
}

/** The own factors of a user with the version of each formula: what changes when one of them means something else. */
export const ownVersions = ({ list }: Pick<Factors, 'list'>): string =>
  list.flatMap(({ factor_type: type, factor_key: key, version }) => (type === 1 ? [`${key} ${version}`] : [])).join()

/**
 * The same for what one request names, directly or in the formula of a factor that it names. A request that names none is always the same, and
 * while the factors are on their way none is known: null.
 */
export function ownVersionsIn(request: unknown, { list, isWaiting }: Pick<Factors, 'list' | 'isWaiting'>): string | null {
  let text = JSON.stringify(request)
  if (isWaiting && text.includes(ownMark)) return null
  const others = new Set(list.filter(({ factor_type: type }) => type === 1))
  const named: FactorMeta[] = []
  for (let found = true; found; ) {
    found = false
    for (const factor of others)
      if (text.includes(factor.factor_key)) {
        others.delete(factor)
        named.push(factor)
        text += factor.formula ?? ''
        found = true
      }
  }
  return ownVersions({ list: named.sort((a, b) => (a.factor_key < b.factor_key ? -1 : 1)) })
}

/** Whether an own factor of a request has another formula than when it was asked. */
export function formulasChanged(own: string | null, request: unknown, factors: Factors): boolean {
  const now = ownVersionsIn(request, factors)
  return own !== null && now !== null && own !== now
}

const none: readonly FactorMeta[] = []
export function useFactors(kind: MarketId) {
  const query = useQuery(factorsQuery(kind))
  const failed = query.isError && !query.data
  // What cannot be read now was read before: pickers go on with that, and say of when it is.
  const kept = useMemo(() => (failed ? keptFactors(kind) : null), [failed, kind])
  const factors = useMemo(() => factorsOf(query.data ?? kept?.factors ?? none, query.isPending), [query.data, kept, query.isPending])
  return { factors, query, keptOn: kept?.on ?? null }
}

/** How a factor's numbers are written and typed: a fraction is shown as per cent, `scale` times what the wire has. */
export interface Shown {
  percent: boolean
  scale: 1 | 100
  decimals: number
  unit: string
}

/** Four decimals and no unit mean a fraction in this market's tables; the few numbers that are not are named here. */
const plainRatios = new Set(['adj_factor'])

export function shownAs(factor: FactorMeta | null): Shown {
  if (!factor) return { percent: false, scale: 1, decimals: 4, unit: '' }
  const percent = factor.unit === '%' || (factor.unit === null && factor.decimals === 4 && !plainRatios.has(factor.factor_key))
  return percent
    ? { percent, scale: 100, decimals: 2, unit: '%' }
    : { percent, scale: 1, decimals: factor.decimals, unit: factor.unit ?? '' }
}

/** Dates are numbers that sort: 20261120. */
export const isDate = (factor: FactorMeta | null): boolean => factor?.unit === '日期'

/** `2026-11-20` */
export function dateText(value: number | null): string {
  if (value === null) return missing
  const digits = String(value)
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
}

/** The label of a text value: of a call status its own, any other text is its own label. */
const labelOfText = (value: string): string => (isIn(callStatuses, value) ? labelOf(callStatuses, value) : value)
/** What the values of an enumeration are called, by their numbers; null of a factor that is a number. */
export const wordsOf = (factor: FactorMeta | null): readonly string[] | null => factor?.values?.map(labelOfText) ?? null

/** A value in words: `12.40%`, `3,630.16万元`, `AA+`. */
export function valueText(factor: FactorMeta | null, value: number | string | null | undefined): string {
  if (value === null || value === undefined) return missing
  if (typeof value === 'string') return labelOfText(value)
  const words = wordsOf(factor)
  if (words) return words[value] ?? missing
  if (isDate(factor)) return dateText(value)
  const { scale, decimals, unit } = shownAs(factor)
  return `${grouped(value * scale, decimals)}${unit}`
}

/** Changes of a price carry a sign and a colour. */
export const isChange = (ref: string): boolean => /(^|_)pct_chg(_|$)|intraday_pct|close_to_vwap/.test(ref)
