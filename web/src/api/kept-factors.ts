import type { FactorMeta } from '@convexa/contract/factor'
import type { Kind } from '@convexa/contract/market'
import { local } from '../state/storage.ts'
import { whenIdle } from '../ui/when-idle.ts'

/** The factors of a market as they were last read, for when they cannot be. */
export interface KeptFactors {
  /** The day on which they were read: `2026-11-19`. */
  on: string
  factors: readonly FactorMeta[]
}

const key = (kind: Kind) => `factors:${kind}`
/** 自定义: a person's own; they are not left in a browser that others use. */
const own: FactorMeta['factor_type'] = 1

export function keepFactors(kind: Kind, factors: readonly FactorMeta[]): void {
  whenIdle(() => {
    const on = new Date().toLocaleDateString('sv-SE', { timeZone: 'Asia/Shanghai' })
    local.write(key(kind), { on, factors: factors.filter(({ factor_type: type }) => type !== own) } satisfies KeptFactors)
  })
}

export function keptFactors(kind: Kind): KeptFactors | null {
  const kept = local.read<Partial<KeptFactors>>(key(kind))
  return Array.isArray(kept?.factors) && typeof kept.on === 'string' ? { on: kept.on, factors: kept.factors } : null
}
