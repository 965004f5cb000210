import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { openFigures } from '../fixtures/figures.ts'
import { makeTables } from '../fixtures/make-tables.ts'
import { drillMachines } from './drill.ts'
import { type SharedStore, standInStore } from './site.ts'

// Three of the kills of `npm run drill:machines`, on the tests' PostgreSQL, which nobody kills, and our stand-in for an object store.

let database: TestDatabase
let store: SharedStore

beforeAll(async () => {
  database = await testDatabase()
  await makeTables(database.db)
  store = await standInStore()
})
afterAll(async () => {
  await store.close()
  await database.drop()
})

test('a killed worker, api and store of four machines: no run, code or write is lost, one request has one answer', async () => {
  const lines: string[] = []
  const figures = openFigures((line) => lines.push(line))
  await drillMachines(
    {
      ...{ db: database.db, databaseUrl: database.url, postgres: null, store, kills: 3, users: 3, actionsPerKill: 6, processes: 1 },
      ...{ outageSeconds: 0, seed: 1 },
      victims: ['worker', 'api', 'store'],
    },
    figures,
  )
  expect(figures.end(), lines.join('\n')).toBe(0)
})
