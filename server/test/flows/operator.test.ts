import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { asking } from '../fixtures/account.ts'
import { convexa } from '../fixtures/command-line.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { changeSecret } from '../fixtures/make-tables.ts'
import { testWorld } from '../fixtures/world.ts'

let database: TestDatabase
let app: FastifyInstance
let dataDir: string
let env: Record<string, string>
const { ask, login } = asking(() => app)

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'convexa-operator-'))
  const secretKey = 'an operator has the key of the site'
  await changeSecret(database.db, secretKey)
  env = { DATABASE_URL: database.url, DATA_DIR: dataDir, SECRET_KEY: secretKey }
  app = await buildApp(testWorld(database, { config: { secretKey, dataDir, trustProxy: ['127.0.0.1'] } }).context)
  await app.ready()
})

afterAll(async () => {
  await app.close()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('an operator creates a user, grants VIP, disables and enables, each with an audit row', async () => {
  const made = await convexa(env, 'user', 'create', '13800138000', '--nickname', '小明')
  expect(made).toMatchObject({ exit: 0, err: '' })
  const password = /密码 (\S+?)（/.exec(made.out)?.[1] ?? ''
  expect(await convexa(env, 'user', 'create', '13800138000')).toMatchObject({ exit: 3, out: '' })
  const { data } = await login('13800138000', { password })
  const info = () => ask<{ vip: { level: number }; nickname: string }>('GET', '/v1/user/info', { token: data.access_token })
  expect((await info()).data).toMatchObject({ nickname: '小明', vip: { level: 0 } })

  expect((await convexa(env, 'user', 'grant-vip', '13800138000', '30')).exit).toBe(0)
  expect((await info()).data.vip.level).toBe(1)
  expect((await convexa(env, 'user', 'disable', '13800138000')).out).toBe('已停用，退出了 1 台设备\n')
  expect(await info()).toMatchObject({ status: 401, code: 40102 })
  expect(await login('13800138000', { password })).toMatchObject({ status: 400, code: 11001 })
  expect((await convexa(env, 'user', 'enable', '13800138000')).exit).toBe(0)
  expect((await login('13800138000', { password })).status).toBe(200)

  const { list_items } = JSON.parse((await convexa(env, 'user', 'list', '--json')).out)
  expect(list_items).toMatchObject([{ account: '138****8000', nickname: '小明', state: 'active', vip_level: 1 }])
  const told = await convexa(env, 'user', 'audit', '13800138000', '--json')
  const acts = JSON.parse(told.out) as { action: string; actor: string }[]
  expect(acts.map(({ action }) => action)).toEqual(['user.enable', 'user.disable', 'user.grant-vip', 'user.create'])
  expect(acts.every(({ actor }) => /^operator .+@.+/.test(actor))).toBe(true)
  for (const secret of [password, '13800138000', '小明']) expect(told.out).not.toContain(secret)

  expect((await convexa(env, 'maintenance', 'on')).out).toBe('维护模式：开\n')
  await expect.poll(async () => (await login('13800138000', { password })).code).toBe(50303)
  expect((await convexa(env, 'maintenance', 'off')).exit).toBe(0)
  await expect.poll(async () => (await login('13800138000', { password })).code).toBe(0)
})

test.each([
  [['user', 'show', 'nobody@example.cn'], 3, '没有用户“nobody@example.cn”\n'],
  [['user', 'audit', 'a'.repeat(36)], 3, `没有用户“${'a'.repeat(36)}”\n`],
  [['user', 'grant-vip', '13800138000', '0'], 2, '用法有误：“0”需为 1 至 3660 的整数。用 ./convexa user grant-vip --help 查看用法\n'],
  [['maintenance', 'on', '--until', '2026-02-30T00:00'], 2, expect.stringContaining('时间“2026-02-30T00:00”无法识别')],
])('convexa %j is refused (%i)', async (args, exit, err) => {
  expect(await convexa(env, ...args)).toEqual({ exit, out: '', err })
})

test.each([
  ['does not answer', 'postgres://u:geheim@127.0.0.1:1/x', '数据库没有应答'],
  ['knows no such user', '', '数据库不接受'],
])('a database that %s is one sentence, without its password', async (_, given, said) => {
  const url = new URL(database.url)
  url.username = 'nobody'
  url.password = 'geheim'
  const { exit, out, err } = await convexa({ ...env, DATABASE_URL: given || url.href }, 'user', 'list')
  expect([exit, out]).toEqual([1, ''])
  expect(err.trim()).toMatch(/^无法执行：[^\n]*$/)
  expect(err).toContain(said)
  expect(err).not.toContain('geheim')
})

test('commands with another key than the site’s are refused, since their accounts could not be decrypted', async () => {
  const users = () => database.db.selectFrom('app_user').select('id').execute()
  const before = await users()
  expect(before.length).toBeGreaterThan(0)
  const foreign = { ...env, SECRET_KEY: 'a key of somebody who mistook the folder' }
  const { exit, out, err } = await convexa(foreign, 'user', 'create', '13900139000')
  expect([exit, out]).toEqual([1, ''])
  expect(err).toMatch(/^无法执行：环境变量 SECRET_KEY 不是这个数据库原来用的[^\n]*\n$/)
  expect(await users()).toEqual(before)
})
