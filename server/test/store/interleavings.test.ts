import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Store } from '../../src/db/connect.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { collectAll, interleave, mutants } from './interleavings.ts'

let database: TestDatabase
let wide: Store

beforeAll(async () => {
  database = await testDatabase()
  wide = connect(database.url, { max: 12 })
})
afterAll(async () => {
  await wide.close()
  await database.drop()
})

test('500 publications beside collectors: none lacks its bytes, and at the end nothing is left', async () => {
  const outcome = await interleave(wide.db, { publications: 500, seed: 1 })
  expect(outcome).toMatchObject({ published: 500, stuck: 0, lost: 0, errors: [] })
  expect(await collectAll(wide.db)).toBe(0)
})

test.each(Object.entries(mutants))('caught: %s', async (_name, mutant) => {
  const { lost, stuck, errors } = await interleave(wide.db, { publications: 10_000, seed: 2, keyCount: 8, mutant, until: true })
  expect(lost + stuck + errors.length).toBeGreaterThan(0)
})
