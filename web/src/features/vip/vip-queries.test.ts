// isolated: stubs globals
import { expect, it, vi } from 'vitest'
import { memoryStorage } from '../../../test/storage.ts'

vi.stubGlobal('localStorage', memoryStorage())
vi.stubGlobal('sessionStorage', memoryStorage())
vi.stubGlobal('fetch', async () => Response.json({ code: 0, msg: '', data: {} }))
const { queries } = await import('../../api/query-cache.ts')
const { ordersChanged } = await import('./vip-queries.ts')

it('who has paid for more uses a day is not held to those of before', async () => {
  queries.setQueryData(['strategy-options'], {})
  await ordersChanged()
  expect(queries.getQueryState(['strategy-options'])?.isInvalidated).toBe(true)
})
