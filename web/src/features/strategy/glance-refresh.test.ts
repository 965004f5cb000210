// isolated: stubs globals
import { expect, it, vi } from 'vitest'
import { memoryStorage } from '../../../test/storage.ts'

vi.stubGlobal('localStorage', memoryStorage())
vi.stubGlobal('sessionStorage', memoryStorage())
vi.stubGlobal('fetch', async () => Response.json({ code: 0, msg: '', data: { as_of: '2026-11-20' } }))
const { queries } = await import('../../api/query-cache.ts')
const { useGlances } = await import('./glance-refresh.ts')
const { trackingQuery } = await import('../rule/strategy-queries.ts')

it('a refreshed glance has followed new days: what was read of them is old', async () => {
  const { queryKey } = trackingQuery('cb', 'a')
  queries.setQueryData(queryKey, { days: [] } as never)
  useGlances.getState().add([{ kind: 'cb', id: 'a', name: '双低' }])
  await vi.waitFor(() => expect(useGlances.getState().done).toBe(1), { timeout: 15_000 })
  expect(queries.getQueryState(queryKey)?.isInvalidated).toBe(true)
})
