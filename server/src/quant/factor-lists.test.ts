import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FactorMeta } from '@convexa/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { publishSmallMarket } from '../../test/fixtures/market/small-market.ts'
import { testWorld } from '../../test/fixtures/world.ts'
import { ApiError } from '../base/api-error.ts'
import type { Compute } from '../context/compute.ts'
import { factors } from './factor-lists.ts'

let database: TestDatabase
let dataDir: string

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 's3-lists-'))
})

afterAll(async () => {
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** A market of its own, and a caller of its factors whose workers answer by `call`. */
async function listWith(seed: number, call: () => Promise<unknown>) {
  await publishSmallMarket(database.db, dataDir, { kind: 'cb', from: '2022-01-04', to: '2022-03-30', securities: 10, seed })
  const { context } = testWorld(database, { config: { dataDir } })
  const compute = { call, workers: async () => 1 } as unknown as Compute
  const asker = { id: randomUUID() }
  return () => factors({ ...context, compute }, asker, 'cb', 'all', new AbortController().signal)
}

const close = (list: readonly FactorMeta[]) => list.find(({ factor_key }) => factor_key === 'close')

test('while the shares are being counted the list is there without them, and with them when they are', async () => {
  let tell: (counted: unknown) => void = () => {}
  let times = 0
  const list = await listWith(1, () => {
    times++
    return new Promise((resolve) => {
      tell = resolve
    })
  })
  const before = await list()
  expect(before.length).toBeGreaterThan(100)
  expect(close(before)).toMatchObject({ available: true, coverage: null })
  tell({ factors: [{ ...close(before), coverage: 1 }], trade_date: '2022-03-30' })
  expect(close(await list())).toMatchObject({ coverage: 1 })
  expect(times).toBe(1)
})

test('without a worker the list is there too; what is our fault is told', async () => {
  const lonely = await listWith(2, async () => Promise.reject(new ApiError(50301, '服务繁忙')))
  expect(close(await lonely())).toMatchObject({ available: true, coverage: null })
  const broken = await listWith(3, async () => Promise.reject(new ApiError(21008, '没有数据')))
  await expect(broken()).rejects.toMatchObject({ code: 21008 })
})
