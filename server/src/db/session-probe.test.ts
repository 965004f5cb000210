import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { transactionPooler } from '../../test/stand-ins/transaction-pooler.ts'
import { requireSessions } from './session-probe.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

test('a direct address keeps its sessions', async () => {
  await requireSessions(database.url)
})

test('a pooler that gives each statement another session is refused with a sentence', async () => {
  const pooler = await transactionPooler(database.url)
  await expect(requireSessions(pooler.url)).rejects.toThrow(/^数据库地址经过了事务级连接池，无法保持会话/)
  pooler.close()
})
