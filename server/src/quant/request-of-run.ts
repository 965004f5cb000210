import type { Settings } from '@convexa/contract'
import type { RunRule } from '../context/compute.ts'
import type { StoredOwn } from './own-factors.ts'

/** What a run was asked for. What was stored had been parsed by the contract. */
export function requestOf(request: Record<string, unknown>): { rule: RunRule; settings: Settings } & Required<StoredOwn> {
  const { settings, custom = [], ...rule } = request as RunRule & { settings: Settings } & StoredOwn
  return { rule: rule as RunRule, settings, custom }
}
