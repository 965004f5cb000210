// isolated: stubs globals
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { memoryStorage } from '../../../test/storage.ts'
import type { FactorDraft } from './drafts.ts'

vi.stubGlobal('localStorage', memoryStorage())
const tab = new EventTarget()
vi.stubGlobal('window', tab)
const { useFactorDrafts } = await import('./drafts.ts')

const draft: FactorDraft = { id: 'new-1', name: '我的双低', formula: 'close', description: '', unit: null, decimals: 4, prefer: 'small' }
const drafts = () => useFactorDrafts.getState().drafts.cb
const { put, saved } = useFactorDrafts.getState()

beforeEach(() => {
  localStorage.clear()
  useFactorDrafts.setState({ drafts: { cb: [], stk: [] } })
})

describe('a factor that is being written', () => {
  it('is no draft any more once it is saved as it is', () => {
    put('cb', draft)
    saved('cb', draft, 'a', true)
    expect(drafts()).toEqual([])
  })

  it('keeps what was typed while it was being saved, as a draft of the saved one', () => {
    put('cb', { ...draft, formula: 'close + conv_prem' })
    saved('cb', draft, 'a', true)
    expect(drafts()).toEqual([{ ...draft, id: 'a', formula: 'close + conv_prem' }])
  })

  it('stays a draft of the saved one as long as no list has that', () => {
    put('cb', draft)
    saved('cb', draft, 'a', false)
    expect(drafts()).toEqual([{ ...draft, id: 'a' }])
  })

  it('is not lost to a change made here, where another tab has written it since', () => {
    const theirs = { ...draft, id: 'new-2' }
    localStorage.setItem('factorDrafts', JSON.stringify({ cb: [theirs], stk: [] }))
    tab.dispatchEvent(Object.assign(new Event('storage'), { key: 'factorDrafts' }))
    put('cb', draft)
    expect(drafts()).toEqual([theirs, draft])
  })
})
