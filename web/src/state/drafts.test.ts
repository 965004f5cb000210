// isolated: stubs globals
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { someDraft } from '../../test/some-draft.ts'
import { memoryStorage } from '../../test/storage.ts'
import type { Draft } from './drafts.ts'

vi.stubGlobal('localStorage', memoryStorage())
const tab = new EventTarget()
vi.stubGlobal('window', tab)
const { useStrategies } = await import('./drafts.ts')

const draft = { ...someDraft('经典双低'), range: 'default' as const }
const store = () => useStrategies.getState()
const holdDays = () => store().drafts.cb?.parameters.hold_days
const setHoldDays = (days: number) => store().edit('cb', (before) => ({ ...before, parameters: { ...before.parameters, hold_days: days } }))

beforeEach(() => {
  vi.useFakeTimers()
  store().clear()
  store().set('cb', draft)
})

describe('a strategy’s draft', () => {
  it('is kept under the key of the specification at every change', () => {
    setHoldDays(3)
    expect(JSON.parse(localStorage.getItem('cbStrategy') ?? '')).toMatchObject({ edited: true, parameters: { hold_days: 3 } })
    expect(localStorage.getItem('stkStrategy')).toBeNull()
    store().remove('cb')
    expect(localStorage.getItem('cbStrategy')).toBeNull()
  })

  it('of before names of factors changed it means what it meant and says so; of now it is taken by its word', async () => {
    vi.useRealTimers()
    const row = { factor_key: '年化波动率', prefer: 'small', weight: 1, missing_process: 'exclude', neutralization: null, enable: true }
    const theirs = { ...draft, parameters: { ...draft.parameters, rank_factors: [row] } }
    const read = async (kept: object) => {
      store().clear()
      localStorage.setItem('cbStrategy', JSON.stringify(kept))
      tab.dispatchEvent(Object.assign(new Event('storage'), { key: 'cbStrategy' }))
      await vi.waitFor(() => expect(store().drafts.cb).not.toBeNull(), { timeout: 15_000 })
      return [store().drafts.cb?.parameters.rank_factors[0]?.factor_key, store().drafts.cb?.kept?.length]
    }
    expect(await read(theirs)).toEqual(['volatility_60', 1])
    expect(await read({ ...theirs, names: 2 })).toEqual(['年化波动率', undefined])
  })

  it('goes back and forward one thought at a time', () => {
    setHoldDays(1)
    vi.advanceTimersByTime(100)
    setHoldDays(12)
    vi.advanceTimersByTime(2_000)
    setHoldDays(5)
    store().undo('cb')
    expect(holdDays()).toBe(12)
    store().undo('cb')
    expect(holdDays()).toBe(0)
    expect(store().drafts.cb?.edited).toBe(false)
    store().redo('cb')
    expect(holdDays()).toBe(12)
  })

  it('a template chosen right after a change is a step of its own', () => {
    setHoldDays(1)
    store().set('cb', { ...draft, name: '低溢价' })
    store().undo('cb')
    expect(holdDays()).toBe(1)
  })

  it('the first change of what was just opened is taken back by itself', () => {
    setHoldDays(1)
    store().set('cb', { ...draft, name: '低溢价' })
    setHoldDays(7)
    store().undo('cb')
    expect(store().drafts.cb).toMatchObject({ name: '低溢价', edited: false, parameters: { hold_days: 0 } })
  })

  it('what became of it on the server holds for the steps of undo too', () => {
    const rename = (before: Draft) => (before.name === draft.name ? { ...before, name: '已存' } : before)
    setHoldDays(1)
    store().restate('cb', rename)
    expect(store().drafts.cb?.name).toBe('已存')
    store().undo('cb')
    expect(store().drafts.cb).toMatchObject({ name: '已存', parameters: { hold_days: 0 } })
    store().redo('cb')
    expect(store().drafts.cb).toMatchObject({ name: '已存', parameters: { hold_days: 1 } })
  })

  it('moving with the data is no step of undo and no edit', () => {
    store().adjust('cb', (before) => ({ ...before, settings: { ...before.settings, end_date: '2026-11-23' } }))
    expect(store().drafts.cb).toMatchObject({ edited: false, settings: { end_date: '2026-11-23' } })
    expect(store().history.cb.past).toHaveLength(0)
  })

  it('another tab’s change is taken over, with what was not filled in there', () => {
    const filter = { factor_key: 'close', action: 'exclude', operation: 'gt', value: null, enable: false }
    const theirs = { ...store().drafts.cb, names: 2, name: '别处', parameters: { ...draft.parameters, filter_factors: [filter] } }
    localStorage.setItem('cbStrategy', JSON.stringify(theirs))
    tab.dispatchEvent(Object.assign(new Event('storage'), { key: 'cbStrategy' }))
    expect(store().drafts.cb?.name).toBe('别处')
    expect(store().drafts.cb?.parameters.filter_factors[0]?.value).toBeNaN()
    store().undo('cb')
    expect(store().drafts.cb?.name).toBe('经典双低')
  })
})
