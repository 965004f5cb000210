// isolated: stubs globals
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { memoryStorage } from '../../../test/storage.ts'
import type { Draft } from '../../state/drafts.ts'
import { blankParameters } from '../rule/draft.ts'
import type { GridQuestion } from './grid-request.ts'

vi.stubGlobal('localStorage', memoryStorage())
const { useStrategies } = await import('../../state/drafts.ts')
const { openCell } = await import('./open-cell.ts')

const settings: Draft['settings'] = {
  ...{ start_date: '2022-08-01', end_date: '2026-11-20', benchmark: 'cb_ew', capital: 10, cost: { buy_rate: 0.001, sell_rate: 0.001 } },
  execution: 'realistic',
  fill: 'close',
  call_handling: 't_minus_1_close',
  delisting: 'last_price',
  adjust: 'raw',
}
const parameters = blankParameters('cb')
const question: GridQuestion = {
  own: '',
  body: { parameters, settings, axes: [{ path: 'parameters.hold_days', label: '最短持有', values: [1, 5] }] },
  axes: [{ label: '最短持有', unit: '日', scale: 1, values: [1, 5], now: 0 }],
  name: '双低',
  strategyId: 'a',
}
const draft: Draft = { name: '双低', edited: false, saved: { id: 'a', version: 2 }, parameters, settings, range: null }
const store = () => useStrategies.getState()

beforeEach(() => store().clear())

describe('a cell that is opened', () => {
  it('is an edit of the strategy that the grid was asked of', () => {
    store().set('cb', draft)
    expect(openCell('cb', question, [1])).toContain('已写入草稿')
    expect(store().drafts.cb).toMatchObject({ edited: true, saved: { id: 'a' }, parameters: { hold_days: 5 } })
  })

  it('is of the dates that the grid was asked on: a range that was chosen since does not take them back', () => {
    const since = { ...settings, start_date: '2025-11-20' }
    store().set('cb', { ...draft, settings: since, range: '1y' })
    openCell('cb', question, [1])
    expect(store().drafts.cb).toMatchObject({ range: null, settings })
    store().set('cb', { ...draft, range: 'default' })
    openCell('cb', question, [1])
    expect(store().drafts.cb?.range).toBe('default')
  })

  it('is a draft of its own where another strategy is on the workbench, which saving must not write over', () => {
    store().set('cb', { ...draft, name: '低溢价', saved: { id: 'b', version: 1 } })
    expect(openCell('cb', question, [1])).toContain('已另开「双低」的草稿')
    expect(store().drafts.cb?.saved).toBeUndefined()
    store().undo('cb')
    expect(store().drafts.cb).toMatchObject({ name: '低溢价', saved: { id: 'b' } })
  })

  it('and where another draft of the same name is there: two that were begun from nothing are not one', () => {
    const { saved: _, ...blank } = draft
    const { strategyId: __, ...asked } = question
    store().set('cb', blank)
    const draftId = store().drafts.cb?.id as string
    expect(openCell('cb', { ...asked, draftId }, [1])).toContain('已写入草稿')
    store().set('cb', blank)
    expect(openCell('cb', { ...asked, draftId }, [1])).toContain('已另开')
  })
})
