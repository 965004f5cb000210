import { blankParameters } from '../src/features/rule/draft.ts'
import type { Draft } from '../src/state/drafts.ts'

export const someSettings = {
  start_date: '2022-08-01',
  end_date: '2026-11-20',
  benchmark: 'cb_ew',
  capital: 10,
  cost: { buy_rate: 0.001, sell_rate: 0.001 },
  execution: 'realistic',
  fill: 'close',
  call_handling: 't_minus_1_close',
  delisting: 'last_price',
  adjust: 'raw',
} as const

/** A draft of bonds that nobody has touched. */
export const someDraft = (name: string): Draft => ({
  name,
  edited: false,
  parameters: blankParameters('cb'),
  settings: someSettings,
  range: null,
})
