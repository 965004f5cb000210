// isolated: stubs globals
import { beforeEach, expect, it, vi } from 'vitest'
import { memoryStorage } from '../../test/storage.ts'
import { useAuth } from './auth.ts'
import { clearStored } from './clear-stored.ts'

vi.stubGlobal('localStorage', memoryStorage())
vi.stubGlobal('sessionStorage', memoryStorage())

const me = '01920000-0000-7000-8000-000000000001'
const other = '01920000-0000-7000-8000-000000000002'
const left = () => Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i) ?? '').sort()

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  useAuth.setState({ userData: { user_id: me } as ReturnType<typeof useAuth.getState>['userData'] })
})

it('clearing keeps the login and the look, and what was made under another name; another person’s stays where it is', () => {
  for (const key of [
    ...['tokenData', 'userData', 'fingerprint', 'preference:theme', 'preference:visits', 'gridForm', 'lastGrid', 'binningForm:cb'],
    ...['cbStrategy', 'stkStrategy', `draft:cb:${me}:strategy:${other}`, 'factorDrafts', 'reportWindows'],
    ...[`draft:cb:${other}:own:1`, `cbStrategy:${other}`, `unread:${me}:cbStrategy`],
  ])
    localStorage.setItem(key, `"${key}"`)
  localStorage.setItem('keptFor', JSON.stringify({ cbStrategy: me, stkStrategy: other }))
  for (const key of ['tokenData', 'draft:cb', 'scroll']) sessionStorage.setItem(key, '"x"')
  clearStored()
  expect(left()).toEqual(
    [
      ...['tokenData', 'userData', 'fingerprint', 'preference:theme', 'keptFor', 'stkStrategy', `cbStrategy:${other}`],
      ...[`draft:cb:${other}:own:1`, `unread:${me}:cbStrategy`, `unread:${me}:draft:cb:${me}:strategy:${other}`],
      ...[`unread:${me}:factorDrafts`, `unread:${me}:reportWindows`],
    ].sort(),
  )
  expect(localStorage.getItem(`unread:${me}:factorDrafts`)).toBe('"factorDrafts"')
  expect([sessionStorage.getItem('tokenData'), sessionStorage.length]).toEqual(['"x"', 1])
})
