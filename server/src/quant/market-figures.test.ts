import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { publishSmallMarket } from '../../test/fixtures/market/small-market.ts'
import { testWorld } from '../../test/fixtures/world.ts'
import { ApiError } from '../base/api-error.ts'
import type { Compute } from '../context/compute.ts'
import { marketFigures, prepareFigures } from './screens.ts'

let database: TestDatabase
let dataDir: string

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 's3-figures-'))
})

afterAll(async () => {
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** A market of its own, whose worker answers when the test lets it. */
async function groundWith(seed: number) {
  await publishSmallMarket(database.db, dataDir, { kind: 'cb', from: '2022-01-04', to: '2022-03-30', securities: 10, seed })
  const { context } = testWorld(database, { config: { dataDir } })
  const asked: { options: { deadlineMs: number; signal?: AbortSignal }; answer: (outcome: Promise<unknown>) => void }[] = []
  const call = (_name: string, _data: unknown, _input: unknown, options: { deadlineMs: number }) =>
    new Promise((resolve) => asked.push({ options, answer: resolve }))
  return { deps: { ...context, compute: { call, workers: async () => 1 } as unknown as Compute }, asked }
}

const figures = { trade_date: '2022-03-30', data_time: '2022-03-30T15:00:00+08:00', data_mode: 'demo', data_version: 'x', items: [] }
const gone = AbortSignal.abort()
const patient = () => new AbortController().signal

test('who goes before the first figures are there ends nothing: the next one is told what was under way', async () => {
  const { deps, asked } = await groundWith(1)
  await expect(marketFigures(deps, 'cb', 0, gone)).rejects.toMatchObject({ code: 50301, retryAfterSeconds: 2 })
  await expect.poll(() => asked.length).toBe(1)
  // Longer than any client waits, and nobody's leaving stops it.
  expect(asked[0]!.options).toEqual({ deadlineMs: 120_000, asker: null })
  asked[0]!.answer(Promise.resolve(figures))
  expect(await marketFigures(deps, 'cb', 0, patient())).toMatchObject({
    trade_date: '2022-03-30',
    data_time: '2022-03-30T15:00:00+08:00',
  })
  expect(asked).toHaveLength(1)
})

test('what the home page asks for was prepared; what failed is computed anew', async () => {
  const { deps, asked } = await groundWith(2)
  const preparing = prepareFigures(deps, 'cb')
  await expect.poll(() => asked.length).toBe(1)
  asked[0]!.answer(Promise.reject(new ApiError(50301, '服务繁忙')))
  await expect(preparing).rejects.toMatchObject({ code: 50301 })
  const again = prepareFigures(deps, 'cb')
  await expect.poll(() => asked.length).toBe(2)
  asked[1]!.answer(Promise.resolve(figures))
  await again
  expect(await marketFigures(deps, 'cb', 60, patient())).toMatchObject({ trade_date: '2022-03-30' })
  expect(asked).toHaveLength(2)
})
