import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { newUser } from '../../test/fixtures/processes.ts'
import { copyTables } from './copy-tables.ts'

let source: TestDatabase
let target: TestDatabase

beforeEach(async () => {
  ;[source, target] = await Promise.all([testDatabase(), testDatabase()])
})
afterEach(async () => {
  await Promise.all([source.drop(), target.drop()])
})

/** Rows that refer to one another, texts that COPY must mask, bytes, an identity, and a sequence that has gone on. */
async function fill(): Promise<string> {
  const { id } = await newUser(source.db)
  for (const text of ['平常', 'a\tb\\N\nc', '', 'null', '🙂']) {
    const after = JSON.stringify({ text })
    await sql`insert into audit (actor, action, user_id, after) values (${text}, 'copy', ${id}, ${after})`.execute(source.db)
  }
  await sql`update maintenance set is_on = true`.execute(source.db)
  await sql`select nextval('live_quotes_seq') from generate_series(1, 7)`.execute(source.db)
  return id
}

const audits = async ({ db }: TestDatabase) => (await sql`select * from audit order by id`.execute(db)).rows

const constraints = async ({ db }: TestDatabase) =>
  (
    await sql`select conrelid::regclass::text as "table", conname, pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace order by 1, 2`.execute(db)
  ).rows

test('all rows are there, in tables that go on where the source stood', async () => {
  await fill()
  const tables = await copyTables(source.url, target.url, () => {})
  expect(tables.find(({ table }) => table === 'audit')?.rows).toBe(5)
  expect(await audits(target)).toEqual(await audits(source))
  expect(await constraints(target)).toEqual(await constraints(source))
  const { rows } = await sql<{
    on: boolean
    next: number
  }>`select (select is_on from maintenance) as "on", nextval('live_quotes_seq') as next`.execute(target.db)
  expect(rows).toEqual([{ on: true, next: 8 }])
  const ids = async ({ db }: TestDatabase) =>
    (await sql<{ id: number }>`insert into audit (actor, action) values ('x', 'y') returning id`.execute(db)).rows
  expect(await ids(target)).toEqual(await ids(source))
})

test('a copy that ends early leaves nothing, and the next one is whole', async () => {
  await fill()
  const stopped = copyTables(source.url, target.url, ({ table }) => {
    if (table === 'audit') throw new Error('the end')
  })
  await expect(stopped).rejects.toThrow('the end')
  expect(await audits(target)).toEqual([])
  await copyTables(source.url, target.url, () => {})
  expect(await audits(target)).toHaveLength(5)
})

test('a target that is not empty, is in use, or has other tables is refused by a sentence, and is left as it was', async () => {
  await fill()
  const refused = async () =>
    copyTables(source.url, target.url, () => {}).then(
      () => 'copied',
      ({ message }: Error) => message,
    )
  await newUser(target.db)
  expect(await refused()).toMatch(/^目标数据库不是空的：表 \w+ 里已有内容/)
  await sql`delete from app_user`.execute(target.db)
  await target.db.transaction().execute(async (transaction) => {
    await sql`lock table app_user in share mode`.execute(transaction)
    expect(await refused()).toBe('目标数据库正被使用：请先停止连接它的程序')
  })
  await sql`insert into kysely_migration values ('9999-later', '')`.execute(target.db)
  expect(await refused()).toBe('目标数据库的表比源数据库新（有 9999-later）：请先升级源数据库')
  await sql`delete from kysely_migration where name = '9999-later' or name like '0071%'`.execute(target.db)
  expect(await refused()).toMatch(/^目标数据库缺少 0071-.*：请先对它运行 \.\/convexa migrate$/)
  expect(await audits(target)).toEqual([])
})
