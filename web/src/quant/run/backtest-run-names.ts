import type { Parameters } from '@convexa/contract/strategy'
import { local } from '../../state/storage.ts'
import type { Factors } from '../factors.ts'

// A run has no name on the server until strategies are saved: this browser remembers what its draft was called.

const key = 'runNames'
const most = 200
type Names = [id: string, name: string][]

const read = (): Names => local.read<Names>(key) ?? []

export function keepRunName(id: string, name: string): void {
  if (name) local.write(key, [...read().filter(([known]) => known !== id), [id, name]].slice(-most))
}

export const runNameOf = (id: string): string | null => read().find(([known]) => known === id)?.[1] ?? null

/** What a rule is called when nobody named it: `双低 + 转股溢价率 · 10 只`. */
export function ruleName({ rank_factors, hold_method: hold }: Parameters, factors: Factors): string {
  const names = rank_factors.filter((row) => row.enable && row.weight > 0).map((row) => factors.nameOf(row.factor_key))
  const places =
    hold.hold_range_type === 1
      ? `${hold.hold_range_end - hold.hold_range_start + 1} 只`
      : `前 ${Math.round(hold.hold_range_start * 100)}–${Math.round(hold.hold_range_end * 100)}%`
  return [names.slice(0, 3).join(' + ') + (names.length > 3 ? ' 等' : ''), places].filter(Boolean).join(' · ')
}
