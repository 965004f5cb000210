// isolated: stubs globals
import { expect, it, vi } from 'vitest'
import { memoryStorage } from '../../../test/storage.ts'

vi.stubGlobal('localStorage', memoryStorage())
vi.stubGlobal('sessionStorage', memoryStorage())
const { useAuth } = await import('../../state/auth.ts')
const { useFavourites } = await import('./factor-favourites.ts')

const as = (user_id: string) => useAuth.setState({ userData: { user_id } as ReturnType<typeof useAuth.getState>['userData'] })
const starred = () => useFavourites.getState().keys

it('what one person starred is not starred for the next', () => {
  as('one')
  useFavourites.getState().toggle('custom_1')
  as('two')
  expect(starred()).toEqual([])
  useFavourites.getState().toggle('close')
  as('one')
  expect(starred()).toEqual(['custom_1'])
})
