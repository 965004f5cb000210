// isolated: stubs globals
import { expect, it, vi } from 'vitest'
import { memoryStorage } from '../../../test/storage.ts'

vi.stubGlobal('localStorage', memoryStorage())
vi.stubGlobal('sessionStorage', memoryStorage())
vi.stubGlobal('fetch', async () => Response.json({ code: 0, msg: '', data: { id: 'a', version: 2 } }))
const { queries } = await import('../../api/query-cache.ts')
const { saveFactor } = await import('./factor-queries.ts')

it('what was computed with a factor is forgotten once its formula is another, in its market alone', async () => {
  const kept = [
    ['live', 'stk', 'v1', {}],
    ['strategies', 'cb', 'list'],
  ]
  const gone = [
    ['live', 'cb', 'v1', {}],
    ['screen', 'cb', 'v1', {}, []],
    ['factor-columns', 'cb', 'v1', ['custom_a']],
  ]
  for (const key of [...kept, ...gone]) queries.setQueryData(key, 1)
  const other = { id: 'b', factor_name: '别的', formula: 'open', version: 1 }
  queries.setQueryData(['factors', 'cb'], [{ id: 'a', factor_name: '双低旧', formula: 'open', version: 1 }, other])
  await saveFactor('cb', 'a', { name: '双低', formula: 'close', description: '', unit: null, decimals: 4, prefer: 'small' })
  expect(kept.map((key) => queries.getQueryData(key))).toEqual([1, 1])
  // The list itself could not be read again here: it says all the same what was saved.
  expect(queries.getQueryData(['factors', 'cb'])).toMatchObject([{ id: 'a', factor_name: '双低', formula: 'close', version: 2 }, other])
  expect(gone.map((key) => queries.getQueryData(key))).toEqual([undefined, undefined, undefined])
})
