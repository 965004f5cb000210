import type { Parameters } from '@convexa/contract'
import { isFraction } from '@convexa/contract/enums/hold-range'

/** Of a rule, what it is called by. */
export interface Ruled {
  readonly rank_factors: readonly Pick<Parameters['rank_factors'][number], 'factor_key' | 'weight' | 'enable'>[]
  readonly hold_method: Pick<Parameters['hold_method'], 'hold_range_type' | 'hold_range_start' | 'hold_range_end'>
}

/** Scored factors named before `等`. */
const most = 3

/** What a rule is called when nobody named it, by what it scores and how many it holds: `双低 + 转股溢价率 · 10 只`. */
export function ruleName({ rank_factors, hold_method: hold }: Ruled, labelOf: (ref: string) => string): string {
  const names = rank_factors.filter(({ enable, weight }) => enable && weight > 0).map(({ factor_key: ref }) => labelOf(ref))
  const places = isFraction(hold)
    ? `前 ${hundredths(hold.hold_range_start)}–${hundredths(hold.hold_range_end)}%`
    : `${hold.hold_range_end - hold.hold_range_start + 1} 只`
  return [names.slice(0, most).join(' + ') + (names.length > most ? ' 等' : ''), places].filter(Boolean).join(' · ')
}

/** Of a share, free of binary dust: `0.025` is `2.5`. */
const hundredths = (share: number): number => Number((share * 100).toPrecision(12))
