// isolated: stubs globals
import { expect, it, vi } from 'vitest'
import { memoryStorage } from '../../../test/storage.ts'
import { blankParameters } from '../rule/draft.ts'

vi.stubGlobal('localStorage', memoryStorage())
const { useStrategies } = await import('../../state/drafts.ts')
const { draftFrom } = await import('./open-in-builder.ts')

const settings = {
  start_date: '2022-08-01',
  end_date: '2026-11-20',
  benchmark: 'cb_ew',
  capital: 10,
  cost: { buy_rate: 0.001, sell_rate: 0.001 },
  execution: 'realistic' as const,
  fill: 'close' as const,
  call_handling: 't_minus_1_close' as const,
  delisting: 'last_price' as const,
  adjust: 'raw' as const,
}
const saved = { id: 'a', version: 3, strategy_name: '双低', detail: blankParameters('cb'), settings }

it('an earlier version that is taken up again can be saved as it is, one that was merely opened has nothing to save', async () => {
  await draftFrom('cb', saved)
  expect(useStrategies.getState().drafts.cb?.edited).toBe(false)
  await draftFrom('cb', { ...saved, detail: { ...saved.detail, hold_days: 5 } }, true)
  expect(useStrategies.getState().drafts.cb).toMatchObject({ edited: true, saved: { id: 'a', version: 3 }, parameters: { hold_days: 5 } })
})

it('one that is not wanted any more when it comes changes nothing', async () => {
  await draftFrom('cb', saved)
  expect(await draftFrom('cb', { ...saved, id: 'b', strategy_name: '小盘' }, false, () => false)).toBe(false)
  expect(useStrategies.getState().drafts.cb?.name).toBe('双低')
})
