// isolated: stubs globals
import { expect, it, vi } from 'vitest'
import { memoryStorage } from '../../../test/storage.ts'

vi.stubGlobal('localStorage', memoryStorage())
vi.stubGlobal('sessionStorage', memoryStorage())
const { useAuth } = await import('../../state/auth.ts')
const { recentEntries, remember } = await import('./recent.ts')

const as = (user_id: string) => useAuth.setState({ userData: { user_id } as ReturnType<typeof useAuth.getState>['userData'] })
const entry = (title: string) => ({ id: `strategy:${title}`, title, to: `/strategy/cb/${title}` })

it('where one person went, by the names of their strategies, is not told to the next', () => {
  as('one')
  remember(entry('双低 10 只'))
  as('two')
  expect(recentEntries()).toEqual([])
  remember(entry('小盘'))
  as('one')
  expect(recentEntries().map(({ title }) => title)).toEqual(['双低 10 只'])
})
