// isolated: stubs globals
import { beforeEach, expect, it, vi } from 'vitest'
import { memoryStorage } from '../../test/storage.ts'
import { useAuth } from './auth.ts'
import { text } from './shapes.ts'
import { onOwnChange, userStorage } from './user-storage.ts'

const tab = new EventTarget()
vi.stubGlobal('window', tab)
vi.stubGlobal('localStorage', memoryStorage())
vi.stubGlobal('sessionStorage', memoryStorage())

const as = (user_id: string | null) =>
  useAuth.setState({ userData: (user_id === null ? null : { user_id }) as ReturnType<typeof useAuth.getState>['userData'] })
const read = () => userStorage.read('draft', text)

beforeEach(() => {
  localStorage.clear()
  as(null)
})

it('nobody reads what another person has written, and all find their own again', () => {
  as('one')
  userStorage.write('draft', 'first')
  as(null)
  expect(read()).toBeNull()
  as('two')
  expect(read()).toBeNull()
  userStorage.write('draft', 'second')
  expect(localStorage.getItem('draft')).toBe('"second"')
  as('one')
  expect(read()).toBe('first')
  userStorage.write('draft', 'third')
  expect(localStorage.getItem('draft')).toBe('"third"')
  as('two')
  expect(read()).toBe('second')
})

it('two people in two tabs write beside each other', () => {
  as('one')
  userStorage.write('draft', 'first')
  as('two')
  userStorage.remove('draft')
  as('one')
  expect(read()).toBe('first')
})

it('what is of nobody belongs to who logs in next', () => {
  localStorage.setItem('draft', '"from before"')
  expect(read()).toBe('from before')
  as('one')
  expect(read()).toBe('from before')
  as('two')
  expect(read()).toBeNull()
  as(null)
  userStorage.write('draft', 'a shared rule')
  as('two')
  expect(read()).toBe('a shared rule')
  as('one')
  expect(read()).toBe('from before')
})

it('says when it is another’s, and when another tab has written', () => {
  const changed = vi.fn()
  onOwnChange('draft', changed)
  as('one')
  useAuth.setState({ refused: false })
  expect(changed).toHaveBeenCalledTimes(1)
  tab.dispatchEvent(Object.assign(new Event('storage'), { key: 'draft' }))
  expect(changed).toHaveBeenCalledTimes(2)
})
