import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { toApiError } from './api-error.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

test.each([
  ['NUL in a text', sql`select ${'a\u0000b'}::text`],
  ['NUL in a JSON', sql`select ${'{"a":"\\u0000"}'}::jsonb`],
  ['no UUID', sql`select ${'nonsense'}::uuid`],
])('%s is a request that cannot be read, not a bug', async (_name, query) => {
  const error = await query.execute(database.db).catch((thrown: unknown) => thrown)
  expect(toApiError(error)).toMatchObject({ code: 40001, status: 400 })
})

test('another mistake in a query is a bug', async () => {
  const error = await sql`select nonsense`.execute(database.db).catch((thrown: unknown) => thrown)
  expect(toApiError(error)).toMatchObject({ code: 50000 })
})
