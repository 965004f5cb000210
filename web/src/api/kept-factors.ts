import type { MarketId } from '@convexa/contract/enums/market'
import type { FactorMeta } from '@convexa/contract/factor'
import { whenIdle } from '../base/when-idle.ts'
import { atLeast, eachOf, finite, flag, oneOf, optional, orNull, text, texts } from '../state/shapes.ts'
import { local } from '../state/storage.ts'

/** The factors of a market as they were last read, for when they cannot be. */
export interface KeptFactors {
  /** The day on which they were read: `2026-11-19`. */
  on: string
  factors: readonly FactorMeta[]
}

const key = (kind: MarketId) => `factors:${kind}`
/** 自定义: a person's own; they are not left in a browser that others use. */
const own: FactorMeta['factor_type'] = 1
const shape = atLeast<KeptFactors>({
  on: text,
  factors: eachOf(
    atLeast<FactorMeta>({
      ...{ factor_key: text, factor_name: text, category: text, description: text, unit: orNull(text), decimals: finite },
      ...{ factor_type: oneOf(0, 1, 2, 3), prefer_default: oneOf('small', 'large'), realtime: flag, available: flag },
      window: optional(atLeast({ default: finite, min: finite, max: finite })),
      ...{ coverage: orNull(finite), values: optional(texts), reason: optional(text) },
    }),
  ),
})

export function keepFactors(kind: MarketId, factors: readonly FactorMeta[]): void {
  whenIdle(() => {
    const on = new Date().toLocaleDateString('sv-SE', { timeZone: 'Asia/Shanghai' })
    local.write(key(kind), { on, factors: factors.filter(({ factor_type: type }) => type !== own) } satisfies KeptFactors)
  })
}

export const keptFactors = (kind: MarketId): KeptFactors | null => local.read(key(kind), shape)
