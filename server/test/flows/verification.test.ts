import type { Envelope, SentCode, TokenData, User } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildApp } from '../../src/http/app.ts'
import { routes } from '../../src/user/routes.ts'
import type { World } from '../../src/world.ts'
import { type TestDatabase, testDatabase } from '../database.ts'
import { messagesTo } from '../messages.ts'
import { testWorld } from '../world.ts'

let database: TestDatabase
let world: World
let app: FastifyInstance

beforeAll(async () => {
  database = await testDatabase()
  world = testWorld(database, { config: { trustProxy: ['127.0.0.1'] } }).world
  app = await buildApp(world, [routes])
})
beforeEach(async () => {
  for (const table of ['app_user', 'verification_code', 'code_send', 'message'])
    await sql`delete from ${sql.table(table)}`.execute(database.db)
})
afterAll(async () => {
  await app.close()
  await database.drop()
})

interface Given {
  body?: object
  token?: string
  from?: string
  headers?: Record<string, string>
}

async function ask<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD', url: string, given: Given = {}) {
  const headers = {
    'x-forwarded-for': given.from ?? '203.0.113.7',
    ...(given.token && { 'access-token': given.token }),
    ...given.headers,
  }
  const answer = await app.inject({ method, url, headers, ...(given.body && { payload: given.body }) })
  const { code, msg, data } = method === 'HEAD' ? ({} as Envelope<T>) : answer.json<Envelope<T>>()
  return { status: answer.statusCode, code, msg, data, headers: answer.headers }
}
const codeFor = async (to: string) => (await messagesTo(world, to)).at(-1)?.code ?? ''
const goodPassword = '一个谁也猜不到的密码'

test('a registration by mobile', async () => {
  const sent = await ask<SentCode>('GET', '/v1/user/13800000001/register-code?channel=sms')
  expect(sent).toMatchObject({ status: 200, code: 0, data: { sent_to: '138****0001', expire_in: 300, retry_after: 60 } })
  const body = { target: '13800000001', verification_code: await codeFor('13800000001'), password: goodPassword, agree: true }
  const made = await ask<TokenData>('POST', '/v1/user/by-register', { body })
  expect(made).toMatchObject({ status: 200, data: { token_type: 'bearer', user: { mobile_masked: '138****0001', email_masked: null } } })
  expect(await ask<User>('GET', '/v1/user/info', { token: made.data.access_token })).toMatchObject({ status: 200 })
  expect(await ask('POST', '/v1/user/by-register', { body })).toMatchObject({ status: 400, code: 11003 })
  const login = { account: '13800000001', password: goodPassword }
  expect(await ask('POST', '/v1/authorize/access-token/by-password', { body: login })).toMatchObject({ status: 200 })
})
