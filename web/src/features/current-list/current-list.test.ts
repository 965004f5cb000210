// isolated: stubs globals
import { beforeEach, expect, it, vi } from 'vitest'
import { someDraft } from '../../../test/some-draft.ts'
import { memoryStorage } from '../../../test/storage.ts'
import type { CurrentList } from './current-list.ts'

vi.stubGlobal('localStorage', memoryStorage())
const { heldBy, currentListKey: heldKey, useCurrentLists: useHeldLists } = await import('./current-list.ts')
const { useStrategies } = await import('../../state/drafts.ts')

const list = (name: string, ...codes: string[]): CurrentList => ({
  name,
  tradeDate: '2026-11-20',
  takenAt: '',
  codes,
  names: {},
  standings: {},
})
const draft = () => useStrategies.getState().drafts.cb!
const codes = () => heldBy(useHeldLists.getState().lists, 'cb', draft())?.codes ?? null
const take = (...taken: string[]) => useHeldLists.getState().set(heldKey('cb', draft()), list(draft().name, ...taken))

beforeEach(() => {
  useHeldLists.setState({ lists: {} })
  useStrategies.getState().clear()
})

it('each draft that is not saved has a list of its own', () => {
  useStrategies.getState().set('cb', someDraft('甲'))
  take('110001.SH')
  useStrategies.getState().set('cb', someDraft('乙'))
  expect(codes()).toBe(null)
  take('110002.SH')
  useStrategies.getState().undo('cb')
  expect([draft().name, codes()]).toEqual(['甲', ['110001.SH']])
})

it('a list that was taken before the first saving stays that of the strategy', () => {
  useStrategies.getState().set('cb', someDraft('甲'))
  take('110001.SH')
  useStrategies.getState().restate('cb', (before) => ({ ...before, saved: { id: 's1', version: 1 } }))
  expect(codes()).toEqual(['110001.SH'])
  take('110003.SH')
  expect(useHeldLists.getState().lists['cb:s1']?.codes).toEqual(['110003.SH'])
})

it('the one list that earlier releases had for all drafts is that of the draft whose name it has', () => {
  useHeldLists.setState({ lists: { 'cb:draft': list('甲', '110001.SH') } })
  useStrategies.getState().set('cb', someDraft('甲'))
  expect(codes()).toEqual(['110001.SH'])
  useStrategies.getState().set('cb', someDraft('乙'))
  expect(codes()).toBe(null)
})
