import { lacking } from '../market/derived-columns.ts'
import type { CustomFactor, FactorDefinition, Field, Market, StatementItem } from '../market/market.ts'
import { dayPrices } from '../market/price-limits.ts'
import { type Attribute, attributes, statesItsAttributes, textKey } from './attributes.ts'
import type { Bars, MarketFacts } from './functions/function.ts'

export type { CustomFactor } from '../market/market.ts'

/** What a formula may name. A column that the loaded data have wins over a derived factor of the same key. */
export interface Names {
  /** Fields that the loaded market has. */
  readonly fields: ReadonlyMap<string, Field>
  readonly factors: ReadonlyMap<string, FactorDefinition>
  /** Fields of the market that the loaded data lack: known by name, so that a refusal can say which. */
  readonly missing?: ReadonlyMap<string, Lacking>
  /** Items of the published statements that the loaded data have. */
  readonly items?: ReadonlyMap<string, StatementItem>
  /** The user's own factors, by key. */
  readonly custom?: ReadonlyMap<string, CustomFactor>
  /** Market series that the loaded data have; any code is believed when not given. */
  readonly benchmarks?: ReadonlySet<string>
  /** Texts and dates that the securities of the loaded data have (`statedKeys`); all are believed when not given. */
  readonly stated?: ReadonlySet<string>
  readonly market: MarketFacts
}

/** What the data lack, as a refusal says it. */
export type Lacking = Pick<Field, 'key' | 'label' | 'derived'>

/** The names of a market whose loaded data have the given columns and facts; a derived field is there when all is there that it is made of. */
export function namesOf(
  market: Pick<Market, 'fields' | 'factors'> & Partial<Pick<Market, 'volumeUnit' | 'tickDecimals' | 'roles' | 'custom' | 'reportItems'>>,
  available: ReadonlySet<string>,
  more: Pick<Names, 'custom' | 'benchmarks'> = {},
): Names {
  const fields = new Map<string, Field>()
  const missing = new Map<string, Lacking>()
  const isThere = ({ key, derived, series }: Field) =>
    available.has(key) || series !== undefined || (derived !== undefined && lacking(key, available).length === 0)
  for (const field of market.fields) {
    if (isThere(field)) fields.set(field.key, field)
    else missing.set(field.key, field)
  }
  const items = new Map<string, StatementItem>()
  for (const item of market.reportItems ?? []) {
    if (available.has(item.key)) items.set(item.key, item)
    else missing.set(item.key, item)
  }
  const st = market.roles?.st ?? null
  const adjustment = market.roles?.adjustment ?? null
  const bars: Bars = {
    prefix: adjustment === null ? '' : 'adj_',
    factor: adjustment !== null && fields.has(adjustment) ? adjustment : null,
    tick: 10 ** -(market.tickDecimals ?? 0),
  }
  const facts = { bars, volumeUnit: market.volumeUnit ?? 1, st, limitFields: [st ?? '', ...dayPrices].filter((key) => fields.has(key)) }
  const custom = more.custom ?? market.custom
  return {
    ...more,
    ...(statesItsAttributes(available) && { stated: available }),
    ...(custom && { custom }),
    fields,
    missing,
    items,
    factors: new Map(market.factors.map((factor) => [factor.key, factor])),
    market: facts,
  }
}

/** What a name stands for; `window` is the N of a parametric factor (`bias_20`). */
export type Meaning =
  | { readonly kind: 'field'; readonly field: Field }
  | { readonly kind: 'factor'; readonly factor: FactorDefinition; readonly window: number | null }
  | { readonly kind: 'attribute'; readonly attribute: Attribute }
  | { readonly kind: 'custom'; readonly factor: CustomFactor }
  | { readonly kind: 'item'; readonly field: StatementItem }
  | { readonly kind: 'missing'; readonly field: Lacking }

/**
 * Finds a name: field, factor, parametric factor, then the same by Chinese label (spaces in labels do not count), then
 * attributes and own factors, fields that the data lack. Letters' case does not matter. `bias_20` is the factor `bias` (or `bias_N`) with window 20,
 * `pct_chg_20_stk` the factor `pct_chg_N_stk`; a parametric factor named without a number has its default window.
 */
export function resolve(name: string, names: Names): Meaning | null {
  const index = indexOf(names)
  const wanted = plain(name)
  return index.byKey.get(wanted) ?? parametric(wanted, index.factors) ?? index.byLabel.get(wanted) ?? index.missing.get(wanted) ?? null
}

/** What a derived field that is missing cannot be made of. */
export function lackingOf(key: string, { fields }: Names): readonly string[] {
  return lacking(key, new Set(fields.keys()))
}

/** A name with the window of the formula it stands in: `pct_chg_N` inside `alpha_pct_chg_20` is `pct_chg_20`. */
export function withWindow(name: string, window: number): string {
  return name
    .split('_')
    .map((part) => (part === 'N' ? String(window) : part))
    .join('_')
}

/** Every name a user may write, as it is spelt, for suggestions. */
export function knownNames(names: Names): readonly string[] {
  return indexOf(names).spelt
}

interface Index {
  readonly byKey: ReadonlyMap<string, Meaning>
  readonly byLabel: ReadonlyMap<string, Meaning>
  readonly missing: ReadonlyMap<string, Meaning>
  readonly factors: ReadonlyMap<string, FactorDefinition>
  readonly spelt: readonly string[]
}

// Names are made once per loaded market and asked for every formula.
const indexes = new WeakMap<Names, Index>()

function indexOf(names: Names): Index {
  const known = indexes.get(names)
  if (known) return known
  const byKey = new Map<string, Meaning>()
  const byLabel = new Map<string, Meaning>()
  const missing = new Map<string, Meaning>()
  const factors = new Map<string, FactorDefinition>()
  const spelt: string[] = []
  const add = (map: Map<string, Meaning>, name: string, meaning: Meaning) => {
    if (map.has(plain(name))) return
    map.set(plain(name), meaning)
    if (meaning.kind !== 'missing') spelt.push(name.replaceAll(' ', ''))
  }
  for (const field of names.fields.values()) add(byKey, field.key, { kind: 'field', field })
  for (const factor of names.factors.values()) {
    factors.set(plain(factor.key), factor)
    // `vol_N` has no value without its number; `bias` has its default one.
    if (factor.window && hasPlaceholder(factor.key)) continue
    add(byKey, factor.key, { kind: 'factor', factor, window: factor.window?.default ?? null })
  }
  for (const item of names.items?.values() ?? []) add(byKey, item.key, { kind: 'item', field: item })
  const isStated = ({ key }: Attribute) => names.stated?.has(textKey(key)) ?? true
  for (const attribute of attributes) if (isStated(attribute)) add(byKey, attribute.key, { kind: 'attribute', attribute })
  for (const factor of names.custom?.values() ?? []) add(byKey, factor.key, { kind: 'custom', factor })
  for (const field of names.fields.values()) add(byLabel, field.label, { kind: 'field', field })
  for (const factor of names.factors.values()) {
    if (!factor.window) add(byLabel, factor.label, { kind: 'factor', factor, window: null })
  }
  for (const item of names.items?.values() ?? []) add(byLabel, item.label, { kind: 'item', field: item })
  for (const attribute of attributes) if (isStated(attribute)) add(byLabel, attribute.label, { kind: 'attribute', attribute })
  for (const factor of names.custom?.values() ?? []) add(byLabel, factor.label, { kind: 'custom', factor })
  for (const field of names.missing?.values() ?? []) {
    add(missing, field.key, { kind: 'missing', field })
    add(missing, field.label, { kind: 'missing', field })
  }
  for (const attribute of attributes) {
    if (isStated(attribute)) continue
    add(missing, attribute.key, { kind: 'missing', field: attribute })
    add(missing, attribute.label, { kind: 'missing', field: attribute })
  }
  const index = { byKey, byLabel, missing, factors, spelt }
  indexes.set(names, index)
  return index
}

function parametric(name: string, factors: ReadonlyMap<string, FactorDefinition>): Meaning | null {
  const parts = name.split('_')
  for (let i = parts.length - 1; i > 0; i--) {
    const window = wholeNumber(parts[i])
    if (window === null) continue
    const pattern = [...parts.slice(0, i), 'n', ...parts.slice(i + 1)].join('_')
    const factor = factors.get(pattern) ?? (i === parts.length - 1 ? factors.get(parts.slice(0, i).join('_')) : undefined)
    if (factor?.window) return { kind: 'factor', factor, window }
  }
  return null
}

function hasPlaceholder(key: string): boolean {
  return key.split('_').includes('N')
}

function wholeNumber(part: string): number | null {
  if (part.length === 0 || part.length > 4) return null
  let value = 0
  for (const digit of part) {
    if (digit < '0' || digit > '9') return null
    value = value * 10 + Number(digit)
  }
  return value
}

function plain(name: string): string {
  return name.replaceAll(' ', '').toLowerCase()
}
