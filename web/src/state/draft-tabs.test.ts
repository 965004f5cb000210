// isolated: stops the clock
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { someDraft } from '../../test/some-draft.ts'
import { browserOfTabs, copyOf } from '../../test/tabs.ts'
import type { Draft } from './draft-records.ts'

// Drafts in several tabs of one browser: each tab keeps to what it works on.

const load = async () => {
  const [strategies, kept, resuming, { useAuth }] = await Promise.all([
    import('./drafts.ts'),
    import('./kept-drafts.ts'),
    import('./resume-draft.ts'),
    import('./auth.ts'),
  ])
  return { ...strategies, ...kept, ...resuming, useAuth, store: strategies.useStrategies.getState }
}
type Modules = Awaited<ReturnType<typeof load>>

let browser: ReturnType<typeof browserOfTabs>
const open = (session?: Storage) => browser.open(load, session)
const saved = (id: string, name = id, version = 1): Draft => ({ ...someDraft(name), saved: { id, version } })
const days = (hold_days: number) => (draft: Draft) => ({ ...draft, parameters: { ...draft.parameters, hold_days } })
const seen = ({ store }: Modules) => {
  const { name, parameters } = store().drafts.cb ?? { name: null, parameters: null }
  return [name, parameters?.hold_days]
}
const lastWritten = () => JSON.parse(browser.local.getItem('cbStrategy') ?? 'null')

beforeEach(() => {
  vi.useRealTimers()
  browser = browserOfTabs()
})

describe('two tabs', () => {
  it('on one strategy share what is edited, and undo leads back', async () => {
    const [a, b] = [await open(), await open()]
    a.act(({ store }) => store().set('cb', saved('A')))
    b.act(({ store }) => store().set('cb', saved('A')))
    a.act(({ store }) => store().edit('cb', days(3)))
    expect(b.act(seen)).toEqual(['A', 3])
    b.act(({ store }) => store().undo('cb'))
    expect([a.act(seen), b.act(seen)]).toEqual([
      ['A', 0],
      ['A', 0],
    ])
    a.act(({ store }) => store().undo('cb'))
    expect([a.act(seen), b.act(seen)]).toEqual([
      ['A', 3],
      ['A', 3],
    ])
  })

  it('of which one opens another strategy: the other keeps its own, saves its own, and finds it after a reload', async () => {
    const [a, b] = [await open(), await open()]
    a.act(({ store }) => store().set('cb', saved('A')))
    a.act(({ store }) => store().edit('cb', days(66)))
    b.act(({ store }) => store().set('cb', saved('B')))
    expect([a.act(seen), b.act(seen), lastWritten().name]).toEqual([['A', 66], ['B', 0], 'B'])
    a.act(({ store }) => store().edit('cb', days(12)))
    expect([a.act(({ store }) => store().drafts.cb?.saved?.id), b.act(seen), lastWritten().name]).toEqual(['A', ['B', 0], 'A'])
    expect(a.act(({ store }) => store().history.cb.past.length)).toBeGreaterThan(0)
    b.close()
    const again = await open(copyOf(b.session))
    expect(again.act(seen)).toEqual(['B', 0])
    const fresh = await open()
    expect(fresh.act(seen)).toEqual(['A', 12])
  })

  it('written in quick turns by others, hear of their own all the same', async () => {
    const [a, b] = [await open(), await open()]
    a.act(({ store }) => store().set('cb', saved('A')))
    b.act(({ store }) => {
      store().set('cb', saved('A'))
      store().edit('cb', days(7))
      store().set('cb', saved('B'))
    })
    expect([a.act(seen), b.act(seen)]).toEqual([
      ['A', 7],
      ['B', 0],
    ])
  })

  it('a tab that was duplicated goes on with the same, until it opens something else', async () => {
    const a = await open()
    a.act(({ store }) => store().set('cb', someDraft('空白')))
    a.act(({ store }) => store().edit('cb', days(5)))
    const copy = await open(copyOf(a.session))
    copy.act(({ store }) => store().edit('cb', days(6)))
    expect(a.act(seen)).toEqual(['空白', 6])
    copy.act(({ store }) => store().set('cb', { ...someDraft('双低'), template: '双低' }))
    expect([a.act(seen), copy.act(seen)]).toEqual([
      ['空白', 6],
      ['双低', 0],
    ])
  })

  it('on one new draft: saved in one, it is saved in both', async () => {
    const a = await open()
    a.act(({ store }) => store().set('cb', someDraft('空白')))
    const b = await open()
    a.act(({ store }) => store().restate('cb', (one) => ({ ...one, name: '我的', saved: { id: 'N', version: 1 }, edited: false })))
    expect(b.act(({ store }) => store().drafts.cb)).toMatchObject({ id: 'strategy:N', name: '我的', saved: { id: 'N' } })
    expect(a.act(({ keptDrafts }) => keptDrafts('cb').map(({ id }) => id))).toEqual(['strategy:N'])
  })

  it('on one strategy, saved as another in one: the other stays on the first', async () => {
    const [a, b] = [await open(), await open()]
    for (const tab of [a, b]) tab.act(({ store }) => store().set('cb', saved('A')))
    a.act(({ store }) => store().edit('cb', days(4)))
    a.act(({ store }) => store().restate('cb', (one) => ({ ...one, name: 'A 副本', saved: { id: 'N', version: 1 }, edited: false })))
    expect([a.act(seen), b.act(seen)]).toEqual([
      ['A 副本', 4],
      ['A', 4],
    ])
    expect(b.act(({ store }) => store().drafts.cb?.saved?.id)).toBe('A')
  })

  it('one of an earlier release writes drafts without an id: of the same strategy they are shared, others are left alone', async () => {
    const a = await open()
    const old = await open()
    a.act(({ store }) => store().set('cb', saved('A')))
    const write = (draft: Draft) => old.act(() => browser.local.setItem('cbStrategy', JSON.stringify({ ...draft, names: 2 })))
    write(days(9)({ ...saved('A'), edited: true }))
    expect(a.act(seen)).toEqual(['A', 9])
    write(saved('B'))
    expect(a.act(seen)).toEqual(['A', 9])
    a.act(({ store }) => store().edit('cb', days(10)))
    expect(lastWritten()).toMatchObject({ name: 'A', parameters: { hold_days: 10 } })
  })

  it('of which one clears the storage: what the other shows stays, and is kept again with its next change', async () => {
    const [a, b] = [await open(), await open()]
    a.act(({ store }) => store().set('cb', saved('A')))
    b.act(() => browser.local.clear())
    expect(a.act(seen)).toEqual(['A', 0])
    a.act(({ store }) => store().edit('cb', days(2)))
    expect(lastWritten().name).toBe('A')
  })

  it('a draft of a later release, written meanwhile, is left alone', async () => {
    const [a, later] = [await open(), await open()]
    a.act(({ store }) => store().set('cb', saved('A')))
    later.act(() => browser.local.setItem('cbStrategy', JSON.stringify({ ...saved('A'), id: 'strategy:A', names: 99 })))
    expect([a.act(seen), browser.local.getItem('unread::cbStrategy')]).toEqual([['A', 0], null])
  })
})

describe('changes that were not saved', () => {
  it('are offered back when something is opened over them, and undo leads back to what they have become', async () => {
    const [a, b] = [await open(), await open()]
    a.act(({ store }) => store().set('cb', saved('A')))
    b.act(({ store }) => store().set('cb', saved('A')))
    a.act(({ store }) => store().edit('cb', days(3)))
    a.act(({ store }) => store().set('cb', saved('B')))
    expect(a.act(({ store }) => store().left.map(({ draft }) => draft.name))).toEqual(['A'])
    b.act(({ store }) => store().edit('cb', days(8)))
    a.act(({ store }) => store().undo('cb'))
    expect(a.act(seen)).toEqual(['A', 8])
    a.act(({ store }) => store().redo('cb'))
    expect(a.act(seen)).toEqual(['B', 0])
  })

  it('of a strategy that is opened anew stay beside it: the saved version is shown, the changes are offered', async () => {
    const a = await open()
    a.act(({ store }) => store().set('cb', saved('A')))
    a.act(({ store }) => store().edit('cb', days(3)))
    a.act(({ store }) => store().set('cb', saved('B')))
    a.act(({ store }) => store().set('cb', saved('A')))
    expect(a.act(seen)).toEqual(['A', 0])
    const [offered] = a.act(({ store }) => store().left)
    expect(offered?.draft).toMatchObject({ name: 'A', parameters: { hold_days: 3 } })
    a.act(({ store }) => store().edit('cb', days(50)))
    a.act(({ resume }) => resume('cb', offered?.draft as Draft))
    expect(a.act(seen)).toEqual(['A', 3])
    const kept = a.act(({ keptDrafts, isUnsaved }) => keptDrafts('cb').filter(isUnsaved))
    expect(kept.map(({ draft }) => draft.parameters.hold_days).sort()).toEqual([3, 50])
  })

  it('in another tab are not taken away by who opens the same strategy anew', async () => {
    const [a, b] = [await open(), await open()]
    a.act(({ store }) => store().set('cb', saved('A')))
    a.act(({ store }) => store().edit('cb', days(3)))
    b.act(({ store }) => store().set('cb', saved('A')))
    expect([a.act(seen), b.act(seen)]).toEqual([
      ['A', 3],
      ['A', 0],
    ])
    b.act(({ store }) => store().edit('cb', days(4)))
    expect(a.act(seen)).toEqual(['A', 3])
  })

  it('nothing is offered where nothing was changed', async () => {
    const a = await open()
    a.act(({ store }) => store().set('cb', saved('A')))
    a.act(({ store }) => store().set('cb', saved('B')))
    expect(a.act(({ store }) => store().left)).toEqual([])
  })

  it('of the newest twenty drafts stay, those that are saved elsewhere give way first', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const a = await open()
    a.act(({ store }) => store().set('cb', saved('edited')))
    a.act(({ store }) => store().edit('cb', days(1)))
    for (let i = 0; i < 25; i++) {
      vi.setSystemTime(Date.now() + 1_000)
      a.act(({ store }) => store().set('cb', saved(`S${i}`)))
    }
    await vi.waitFor(() => expect(a.act(({ keptDrafts }) => keptDrafts('cb'))).toHaveLength(20), { timeout: 15_000 })
    const ids = a.act(({ keptDrafts }) => keptDrafts('cb').map(({ id }) => id))
    expect([ids[0], ids.at(-1)]).toEqual(['strategy:S24', 'strategy:edited'])
    vi.useRealTimers()
  })

  it('thrown away can be put back', async () => {
    const a = await open()
    a.act(({ store }) => store().set('cb', someDraft('空白')))
    const [one] = a.act(({ keptDrafts }) => keptDrafts('cb'))
    const back = a.act(({ discard }) => discard('cb', one as NonNullable<typeof one>))
    expect(a.act(({ keptDrafts }) => keptDrafts('cb'))).toEqual([])
    a.act(back)
    expect(a.act(({ keptDrafts }) => keptDrafts('cb'))).toEqual([one])
  })
})

describe('another person', () => {
  const as = (user_id: string | null) => (modules: Modules) =>
    modules.useAuth.setState({
      userData: (user_id === null ? null : { user_id }) as ReturnType<Modules['useAuth']['getState']>['userData'],
    })

  it('who logs in sees neither the draft nor the list of the one before, who finds both again', async () => {
    const a = await open()
    a.act(as('one'))
    a.act(({ store }) => store().set('cb', { ...someDraft('双低'), template: '双低' }))
    a.act(({ store }) => store().edit('cb', days(3)))
    a.act(as(null))
    expect(a.act(seen)).toEqual([null, undefined])
    a.act(as('two'))
    expect([a.act(seen), a.act(({ keptDrafts }) => keptDrafts('cb'))]).toEqual([[null, undefined], []])
    a.act(({ store }) => store().set('cb', { ...someDraft('双低'), template: '双低' }))
    expect(a.act(({ store }) => store().left)).toEqual([])
    a.act(as('one'))
    expect([a.act(seen), a.act(({ store }) => store().history.cb.past)]).toEqual([['双低', 3], []])
  })
})

it('a draft that does not fit is set aside, and the tab comes up with what is left', async () => {
  const a = await open()
  a.act(({ store }) => store().set('cb', saved('A')))
  const text = browser.local.getItem('cbStrategy')?.replace('"hold_days":0', '"hold_days":"0"') ?? ''
  browser.local.setItem('cbStrategy', text)
  const again = await open(copyOf(a.session))
  expect([again.act(seen), browser.local.getItem('unread::cbStrategy')]).toEqual([['A', 0], text])
  expect(again.act(({ asideTexts }) => asideTexts())).toEqual({ cbStrategy: text })
  again.act(({ dropAside }) => dropAside())
  expect(again.act(({ asideTexts }) => asideTexts())).toEqual({})
})
