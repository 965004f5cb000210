import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { announce } from '../../../src/db/process-registry.ts'
import { asking, password, withPassword } from '../../fixtures/account.ts'
import { convexa } from '../../fixtures/command-line.ts'
import { type TestDatabase, testDatabase } from '../../fixtures/database.ts'
import { changeSecret } from '../../fixtures/make-tables.ts'
import { testWorld } from '../../fixtures/world.ts'

// A site moves into a database that has no tables yet.
const secretKey = 'a site keeps its key when it moves'
let site: TestDatabase
let empty: TestDatabase
let dataDir: string
let account: string
let copy: () => ReturnType<typeof convexa>

beforeAll(async () => {
  ;[site, empty] = await Promise.all([testDatabase(), testDatabase(null)])
  dataDir = mkdtempSync(join(tmpdir(), 'convexa-moving-'))
  await changeSecret(site.db, secretKey)
  ;({ account } = await withPassword(site.db))
  for (const age of ['1 minute', '1 hour']) {
    await sql`insert into message (id, sealed, expires_at, created_at)
      values (${uuid()}, '\\x00', now() + interval '1 day', now() - ${age}::interval)`.execute(site.db)
  }
  copy = () => convexa({ DATABASE_URL: site.url, DATA_DIR: dataDir, SECRET_KEY: secretKey }, 'database', 'copy', '--to', empty.url)
})
afterAll(async () => {
  await Promise.all([site.drop(), empty.drop()])
  rmSync(dataDir, { recursive: true, force: true })
})

test('not while it serves', async () => {
  const presence = await announce(site.session, { role: 'api' })
  expect(await copy()).toMatchObject({ exit: 1, out: '', err: expect.stringContaining('网站正在服务') })
  await presence.close()
  expect((await sql<{ found: string | null }>`select to_regclass('app_user')::text as found`.execute(empty.db)).rows).toEqual([
    { found: null },
  ])
})

test('its users log in there, and only what somebody waits for is sent', async () => {
  const moved = await copy()
  expect(moved).toMatchObject({
    exit: 0,
    out: expect.stringMatching(/^已复制 \d+ 张表、\d+ 行，逐表核对一致；1 条未发出的消息将在新站点发出\n/),
  })
  expect(moved.out + moved.err).not.toContain(secretKey)
  const { rows } = await sql<{ jobs: number }>`select count(*)::int as jobs from pgboss.job where name = 'message'`.execute(empty.db)
  expect(rows).toEqual([{ jobs: 1 }])
  const app = await buildApp(testWorld(empty, { config: { secretKey, dataDir, trustProxy: ['127.0.0.1'] } }).context)
  await app.ready()
  expect((await asking(() => app).login(account, { password })).status).toBe(200)
  await app.close()
})

test('a second time the target is not empty, and is left as it is', async () => {
  expect(await copy()).toMatchObject({ exit: 1, out: '', err: expect.stringContaining('目标数据库不是空的') })
})
