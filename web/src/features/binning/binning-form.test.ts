// isolated: stubs globals
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { memoryStorage } from '../../../test/storage.ts'
import type { Draft } from '../../state/drafts.ts'
import { blankParameters } from '../rule/draft.ts'
import { factorsOf } from '../rule/factors.ts'
import type * as form from './binning-form.ts'
import { usualBins } from './pool-size.ts'

vi.stubGlobal('localStorage', memoryStorage())
let ours: typeof form
beforeAll(async () => {
  ours = await import('./binning-form.ts')
})

const draft: Draft = {
  ...{ name: '双低', edited: false, parameters: blankParameters('cb'), range: null },
  settings: {
    ...{ start_date: '2022-08-01', end_date: '2026-11-20', benchmark: 'cb_ew', capital: 10, cost: { buy_rate: 0.001, sell_rate: 0.001 } },
    execution: 'realistic',
    fill: 'close',
    call_handling: 't_minus_1_close',
    delisting: 'last_price',
    adjust: 'raw',
  },
}
const factors = factorsOf([] as never)
const asked = (over: Partial<form.CountedForm>, factor = 'close') =>
  ours.questionOf(draft, { ...ours.useBinningForms.getState().forms.cb, bins: 10, ...over }, factor, factors).body

describe('a binning as it is asked', () => {
  it('has ten bins, of a small pool or an unknown one five, until somebody chooses', () => {
    expect(ours.useBinningForms.getState().forms.cb.bins).toBeNull()
    expect([null, 0, 99, 100, 5_000].map(usualBins)).toEqual([5, 5, 5, 10, 10])
  })

  it('has equal values in one bin where that was chosen, not of categories or equal widths', () => {
    expect(asked({})).toMatchObject({ method: 'quantile', bins: 10 })
    expect(asked({})).not.toHaveProperty('ties')
    expect(asked({ method: 'together' })).toMatchObject({ method: 'quantile', ties: 'together' })
    expect(asked({ method: 'value' })).not.toHaveProperty('ties')
    const rated = asked({ method: 'together' }, 'call_status')
    expect([rated.method, rated.ties]).toEqual(['category', undefined])
  })

  it('looks at the chosen horizon first, and at those of the decay', () => {
    expect(asked({ forward: 20 }).forward_days).toEqual([20, 1, 5, 10, 60])
  })

  it('takes of the draft its pool alone', () => {
    expect(asked({}).parameters?.rank_factors).toEqual([])
    expect(asked({ filtered: false })).not.toHaveProperty('parameters')
  })
})
