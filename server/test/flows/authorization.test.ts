import { type EndpointName, endpoints } from '@convexa/contract'
import { type CallRow, callTable } from '@convexa/contract/call-table'
import type { FastifyInstance } from 'fastify'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import type { AppContext } from '../../src/context/app-context.ts'
import { disableUser } from '../../src/user/administration.ts'
import { callerOf, openReAuth, openSession } from '../../src/user/sessions.ts'
import { type Owned, type Row, rows } from '../fixtures/authorization-rows.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { somebody } from '../fixtures/somebody.ts'
import { testWorld } from '../fixtures/world.ts'

// Every call of the contract × who may ask. A call without a row does not compile.

let database: TestDatabase
let context: AppContext
let app: FastifyInstance
let owner: Owned
let other: Owned
let forged: string
let dead: Record<'disabled' | 'deleted' | 'logged out', string>

beforeAll(async () => {
  database = await testDatabase()
  // The stored reports are no reports.
  context = testWorld(database, { config: { checkAnswers: false } }).context
  app = await buildApp(context)
  owner = await known()
  other = await known()
  forged = owner.token.slice(0, 22) + 'A'.repeat(42)
  const [disabled, deleted] = [await known(), await known()]
  await disableUser(context, disabled.id)
  await database.db.deleteFrom('app_user').where('id', '=', deleted.id).execute()
  const left = await tokenOf(owner.id)
  await app.inject({ method: 'DELETE', url: '/v1/authorize/access-token', headers: { 'access-token': left } })
  dead = { disabled: disabled.token, deleted: deleted.token, 'logged out': left }
})

/** Answers of calls that were looked at, for the figure. */
let cases = 0

afterAll(async () => {
  console.info(
    `G16: ${endpoints.length} calls, ${Object.values(rows).filter(({ who }) => who === 'owner').length} that address a thing; ${cases} cases`,
  )
  await app.close()
  await database.drop()
})

/** One who owns something of everything, with a login. */
async function known(): Promise<Owned> {
  const owned = await somebody(context)
  return { ...owned, token: await tokenOf(owned.id) }
}

/** A fresh login that has shown the password once more: what is refused is refused for its own reason. */
async function tokenOf(id: string): Promise<string> {
  const { access_token } = await openSession(database.db, { id, is_demo: false }, null)
  const { sessionId } = await callerOf(database.db, access_token)
  await openReAuth(database.db, sessionId)
  return access_token
}

const file = { 'content-type': 'multipart/form-data; boundary=b' }
const samples: Record<string, string> = {
  type: '1',
  target: 'nobody@test.example',
  mobile: '138',
  year: '2024',
  id2: 'report',
  date: 'report',
}

async function ask(call: string, given: { token?: string | undefined; id?: string; body?: object | undefined } = {}) {
  const [method, path = ''] = call.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string]
  const url = path.replace(/\{([^}]+)\}/g, (_, place: string) =>
    ['id', 'token'].includes(place) && given.id !== undefined ? encodeURIComponent(given.id) : (samples[place] ?? 'all'),
  )
  const multipart = path === '/v1/file/{id}'
  const headers = { ...(given.token !== undefined && { 'access-token': given.token }), ...(multipart && file) }
  const payload = multipart ? '--b--\r\n' : (given.body ?? (['POST', 'PUT'].includes(method) ? {} : undefined))
  cases++
  const answer = await app.inject({ method, url, headers, ...(payload !== undefined && { payload }) })
  const json = answer.headers['content-type']?.toString().startsWith('application/json') ? (answer.json() as Record<string, unknown>) : {}
  const { request_id: _id, ...said } = json
  return { status: answer.statusCode, code: Number(said['code'] ?? 0), said }
}

const asked = (Object.entries(rows) as [EndpointName, Row][]).map(([name, row]) => {
  const [group, call] = name.split('.') as [keyof typeof callTable, never]
  const { method, path, auth } = callTable[group][call] as CallRow
  return { call: `${method} ${path}`, auth, row }
})

test('the contract and the rows agree on the calls that need a login', () => {
  expect(asked.length).toBe(endpoints.length)
  expect(asked.map(({ call, row }) => [call, row.who !== 'everybody'])).toEqual(asked.map(({ call, auth }) => [call, auth]))
})

describe.each(asked)('$call', ({ call, row }) => {
  const strangers = (): [string, string | undefined, number][] => [
    ['nobody', undefined, 40100],
    ['an empty token', '', 40100],
    ['a malformed token', "' or 1=1 --", 40100],
    ['a forged token of a living session', forged, 40101],
    ['one who was shut out', dead.disabled, 40102],
    ['one who was deleted', dead.deleted, 40100],
    ['one who has logged out', dead['logged out'], 40102],
  ]

  if (row.who === 'everybody') {
    test('ignores a token', async () => {
      for (const [who, token] of strangers()) {
        const { status, code } = await ask(call, { token })
        // A refresh token that is none of ours is the one thing that may be called a lost login.
        if (call !== 'PUT /v1/authorize/access-token')
          expect([who, status === 401, Math.floor(code / 10) === 4010]).toEqual([who, false, false])
        expect(status, who).not.toBe(500)
      }
    })
    return
  }

  test('checks the login before anything else', async () => {
    const body = row.who === 'user' ? row.body : row.body?.(row.of(owner), owner)
    const id = row.who === 'owner' ? row.of(owner) : 'all'
    for (const [who, token, code] of strangers()) {
      const { said: _said, ...answer } = await ask(call, { token, id, body })
      expect([who, answer]).toEqual([who, { status: 401, code }])
    }
  })

  if (row.who === 'user') {
    test('answers a logged-in user', async () => {
      const { status } = await ask(call, { token: await tokenOf(other.id), body: row.body })
      expect(status).toBe(row.status)
    })
    return
  }

  test('answers for another user’s resource exactly as for a missing one', async () => {
    const body = (id: string) => row.body?.(id, owner)
    const missing = uuid()
    const token = await tokenOf(other.id)
    const foreign = await ask(call, { token, id: row.of(owner), body: body(row.of(owner)) })
    const absent = await ask(call, { token, id: missing, body: body(missing) })
    expect(foreign).toEqual(absent)
    expect(foreign.status).toBe(row.absent)
  })

  test('rejects malformed ids', async () => {
    const token = await tokenOf(owner.id)
    for (const id of ['x', '0', "' or '1'='1", '..', '%00', '00000000-0000-0000-0000-000000000000', 'a'.repeat(90), '{}', '一']) {
      const { status, code } = await ask(call, { token, id, body: row.body?.(id, owner) })
      // 405: `..` leads to another call's path.
      expect([id, [400, 404, 405].includes(status), code > 0]).toEqual([id, true, true])
    }
  })

  test('answers its owner', async () => {
    const [id, missing, token] = [row.of(owner), uuid(), await tokenOf(owner.id)]
    const absent = await ask(call, { token, id: missing, body: row.body?.(missing, owner) })
    const own = await ask(call, { token, id, body: row.body?.(id, owner) })
    expect(own.status).toBe(row.status)
    expect(own.said).not.toEqual(absent.said)
  })
})
