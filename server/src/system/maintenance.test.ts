import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpoints } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { testWorld } from '../../test/fixtures/world.ts'
import { buildApp } from '../app.ts'
import { answeredAlways } from '../http/admission.ts'
import { setMaintenance } from './maintenance.ts'

let database: TestDatabase
let apis: FastifyInstance[]
let web: string

beforeAll(async () => {
  database = await testDatabase()
  web = mkdtempSync(join(tmpdir(), 'convexa-web-'))
  mkdirSync(join(web, 'assets'))
  writeFileSync(join(web, 'index.html'), '<html></html>')
  writeFileSync(join(web, 'assets', 'index-abc.js'), 'plain')
  // Two apis on one database.
  apis = await Promise.all([1, 2].map(() => buildApp(testWorld(database).context, undefined, web)))
  await Promise.all(apis.map((app) => app.ready()))
})

afterAll(async () => {
  await Promise.all(apis.map((app) => app.close()))
  await database.drop()
  rmSync(web, { recursive: true, force: true })
})

const codeOf = (app: FastifyInstance, method: string, url: string) =>
  app.inject({ method: method as 'GET', url, ...(method === 'POST' || method === 'PUT' ? { payload: {} } : {}) }).then((answer) => ({
    status: answer.statusCode,
    code: (answer.json() as { code: unknown }).code,
    wait: answer.headers['retry-after'],
  }))
const website = (app: FastifyInstance) => app.inject('/v1/website').then((answer) => answer.json().data.maintenance)
const everywhere = (on: boolean) =>
  expect
    .poll(
      async () => (await Promise.all(apis.map((app) => codeOf(app, 'GET', '/v1/user/info')))).every(({ code }) => (code === 50303) === on),
      { interval: 20, timeout: 20_000 },
    )
    .toBe(true)

test('the switch reaches every api by itself, both ways', async () => {
  await setMaintenance(database.db, { on: true, until: null })
  await everywhere(true)
  await setMaintenance(database.db, { on: false, until: null })
  await everywhere(false)
})

test('while it is on every call is refused, whoever asks, but for those that are listed, pages and files', async () => {
  const until = new Date(Date.now() + 90_000)
  await setMaintenance(database.db, { on: true, until })
  await everywhere(true)
  const [app] = apis as [FastifyInstance]
  for (const { method, path } of endpoints) {
    const answer = await codeOf(app, method, path.replace(/\{[^}]+\}/g, '2024'))
    if (answeredAlways.has(`${method} ${path}`)) expect(answer.code, path).not.toBe(50303)
    else expect(answer, `${method} ${path}`).toMatchObject({ status: 503, code: 50303 })
  }
  expect(Number((await codeOf(app, 'GET', '/v1/user/info')).wait)).toBeGreaterThan(60)
  expect(await codeOf(app, 'GET', '/v1/none')).toMatchObject({ status: 503, code: 50303 })
  expect((await app.inject('/healthz')).statusCode).toBe(200)
  expect((await app.inject('/openapi.json')).statusCode).toBe(200)
  expect((await app.inject({ url: '/maintenance', headers: { accept: 'text/html' } })).body).toBe('<html></html>')
  expect((await app.inject('/assets/index-abc.js')).body).toBe('plain')
  // Of money one is always told: the notice is looked at, here by a site that sells nothing.
  expect((await app.inject({ method: 'POST', url: '/v1/payment/wechat/notify', payload: {} })).json()).toMatchObject({ code: 'FAIL' })
  expect(await website(app)).toEqual({ on: true, until: expect.stringMatching(/\+08:00$/) })
  await setMaintenance(database.db, { on: false, until: null })
  await everywhere(false)
  expect(await website(app)).toBeNull()
})

test('who turned it, and when, is written down', async () => {
  const rows = await database.db.selectFrom('audit').select(['actor', 'action', 'before', 'after']).orderBy('id').execute()
  expect(rows.length).toBeGreaterThanOrEqual(4)
  expect(rows[0]).toEqual({
    actor: expect.stringMatching(/^operator .+@.+/),
    action: 'maintenance.on',
    before: { on: false, until: null },
    after: { on: true, until: null },
  })
})
