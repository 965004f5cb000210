import { createHash } from 'node:crypto'
import type { MarketId, Settings } from '@convexa/contract'
import type { CustomFactor } from '@convexa/engine'
import type { RunRule } from '../context/compute.ts'

/**
 * The name of a rule: SHA-256 (hex) of {kind, parameters (of a group: group), settings} with sorted keys, and of the formulas of own factors in it.
 * The same rule has the same hash for every user.
 */
export function paramsHash(kind: MarketId, rule: RunRule, settings: Settings, own: readonly CustomFactor[] = []): string {
  const custom = own.length > 0 ? Object.fromEntries(own.map(({ key, formula }) => [key, formula])) : undefined
  return createHash('sha256')
    .update(canonical({ kind, ...rule, settings, custom }))
    .digest('hex')
}

/** JSON with the keys of every object in code-unit order and members without a value left out. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`)
  return `{${members.join(',')}}`
}
