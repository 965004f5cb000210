import type { FactorDefinition } from './market.ts'

/** What a factor line may say besides its key, name, formula and words. */
interface More {
  readonly unit?: string
  readonly decimals?: number
  /** `N` in key and formula is the window: its default, its least and its most. */
  readonly window?: readonly [standard: number, min: number, max: number]
  readonly otherwise?: string
}

type Line = (key: string, label: string, formula: string, description: string, more?: More) => FactorDefinition

/** Factors of one group: `small` and `large` say which values of the factor a new draft prefers. */
export function shelf(
  category: string,
  standard: { decimals?: number; unit?: string; realtime?: boolean } = {},
): { small: Line; large: Line } {
  const of =
    (prefer: 'small' | 'large'): Line =>
    (key, label, formula, description, { unit = standard.unit ?? null, decimals = standard.decimals ?? 4, window, otherwise } = {}) => ({
      key,
      label,
      unit,
      decimals,
      category,
      type: window ? 2 : 0,
      prefer,
      formula,
      ...(otherwise !== undefined && { otherwise }),
      realtime: standard.realtime ?? true,
      ...(window && { window: { default: window[0], min: window[1], max: window[2] } }),
      description,
    })
  return { small: of('small'), large: of('large') }
}
