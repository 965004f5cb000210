import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { readBytes } from './read-bytes.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const read = (expression: ReturnType<typeof sql>) => readBytes(database.db, sql`select ${expression}`.compile(database.db))
const literal = (bytes: Buffer) => sql`decode(${sql.lit(bytes.toString('hex'))}, 'hex')`

test.each([0, 1, 70_000, 1_500_000])('%d bytes come as they are stored', async (length) => {
  const bytes = randomBytes(length)
  expect((await read(literal(bytes)))?.equals(bytes)).toBe(true)
})

test('no row and no value are null; what the query does wrong is its error, and its connection is not used again', async () => {
  expect(await read(sql`null::bytea where false`)).toBeNull()
  expect(await read(sql`null::bytea`)).toBeNull()
  await expect(read(sql`no_such_column`)).rejects.toMatchObject({ code: '42703' })
  await expect(read(sql`${1}::bytea`)).rejects.toThrow('COPY takes no parameters')
  expect(await read(sql`'\\x01'::bytea`)).toEqual(Buffer.from([1]))
  expect(database.pool.totalCount - database.pool.idleCount).toBe(0)
})
