// isolated: stubs globals
import { describe, expect, it, vi } from 'vitest'
import { memoryStorage } from '../../../test/storage.ts'

vi.stubGlobal('localStorage', memoryStorage())
const tab = new EventTarget()
vi.stubGlobal('window', tab)
const { differenceOf, listBefore, useConfirmedLists } = await import('./confirmed-lists.ts')

const named = (codes: string) => [...codes].map((code) => ({ code, name: `债${code}` }))
const glance = {
  list_items: [...'甲乙丙'].map((code, i) => ({ code, name: `债${code}`, rank: i + 1, weight: 1 / 3 })),
  diff: { added: named('丙'), removed: named('丁') },
}

describe('the list of today', () => {
  it('is compared with what the rule held before, while nobody has confirmed one', () => {
    expect(differenceOf(glance, undefined)).toEqual({ added: named('丙'), removed: named('丁'), kept: 2, since: null })
    expect(listBefore(glance, undefined).map(({ code }) => code)).toEqual(['甲', '乙', '丁'])
  })
  it('is compared with the list that was confirmed', () => {
    const confirmed = { date: '2026-11-19', items: named('甲戊') }
    expect(differenceOf(glance, confirmed)).toEqual({ added: named('乙丙'), removed: named('戊'), kept: 1, since: '2026-11-19' })
    expect(listBefore(glance, confirmed)).toEqual(named('甲戊'))
  })

  it('is no more confirmed once that was taken back', () => {
    const { confirm } = useConfirmedLists.getState()
    confirm('a', { date: '2026-11-19', items: named('甲') })
    confirm('a', null)
    expect(useConfirmedLists.getState().lists).toEqual({})
  })

  it('that another tab confirmed is not lost to one that is confirmed here', () => {
    const theirs = { date: '2026-11-19', items: named('甲') }
    localStorage.setItem('confirmedLists', JSON.stringify({ b: theirs }))
    tab.dispatchEvent(Object.assign(new Event('storage'), { key: 'confirmedLists' }))
    const ours = { date: '2026-11-20', items: named('乙') }
    useConfirmedLists.getState().confirm('a', ours)
    expect(useConfirmedLists.getState().lists).toEqual({ b: theirs, a: ours })
  })
})
