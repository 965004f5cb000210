import { endpoints } from '@convexa/contract'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { buildApp } from '../../src/app.ts'
import { openSession } from '../../src/user/sessions.ts'
import { AnswerCounts } from '../fixtures/answer-counts.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { insertUser } from '../fixtures/run-rows.ts'
import { testWorld } from '../fixtures/world.ts'

// What no client of ours would send, to every call (G5). `npm run fuzz:requests` asks many times as often.

const asked = Number(process.env['MALFORMED'] ?? 200)
/** How long an answer may take is asked where nothing else runs: `npm run fuzz:requests`. */
const latestMs = process.env['MALFORMED'] ? 5_000 : Number.POSITIVE_INFINITY
const answers = new AnswerCounts()

let database: TestDatabase
let app: FastifyInstance
let id: string
let logged: string[]

beforeAll(async () => {
  database = await testDatabase()
  const made = testWorld(database)
  logged = made.logged
  app = await buildApp(made.context)
  id = await insertUser(database.db)
})

afterAll(async () => {
  console.info(`malformed: ${answers.words()}`)
  await app.close()
  await database.drop()
})

const nasty = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  '\ud800',
  "'; drop table app_user; --",
  '%00',
  '../..',
  '1e999',
  '𠮷'.repeat(300),
  '__proto__',
  '-1',
  '2024-13-45',
  'ａ＠ｂ.cn',
  '00000000-0000-0000-0000-000000000000',
)
const text = fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 60 }))
const value = fc.oneof(
  text,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(nasty, { maxLength: 3 }),
  fc.object({ maxDepth: 3 }),
)
const raw = fc.constantFrom(
  '',
  '{',
  '[]',
  'null',
  '1',
  '"x"',
  '{"a":1,"a":2}',
  '{"__proto__":{"x":1}}',
  `${'['.repeat(2_000)}${']'.repeat(2_000)}`,
  '{"account":1e400}',
  '\u0000',
  '\ufeff{}',
)

/** The keys that the call knows with values that it does not, or anything at all. */
const bodyOf = (schema: z.ZodType | undefined) => {
  const keys = schema instanceof z.ZodObject ? Object.keys(schema.shape) : ['password', 'verification_code', 'upload_id']
  const shaped = fc.record(Object.fromEntries(keys.map((key) => [key, value])), { requiredKeys: [] }).map((body) => JSON.stringify(body))
  return fc.oneof(shaped, fc.json(), raw)
}
const places = (path: string) =>
  fc.array(text, { minLength: 4, maxLength: 4 }).map((all) => {
    let i = 0
    return path.replace(/\{[^}]+\}/g, () => encodeURIComponent((all[i++] ?? 'x').replace(/\p{Cs}/gu, '?')) || 'x')
  })

test.each(endpoints.map((one) => [`${one.method} ${one.path}`, one] as const))(
  '%s refuses in its own words',
  async (_name, one) => {
    const { access_token } = await openSession(database.db, { id, is_demo: false }, null)
    const request = fc.record({
      url: places(one.path),
      body: bodyOf(one.body),
      query: fc.webQueryParameters(),
      type: fc.constantFrom(
        'application/json',
        'application/json',
        'text/plain',
        'multipart/form-data; boundary=x',
        'application/x-www-form-urlencoded',
      ),
    })
    await fc.assert(
      fc.asyncProperty(request, async ({ url, body, query, type }) => {
        const began = performance.now()
        const answer = await app.inject({
          method: one.method,
          url: `${url}?${query}`,
          headers: { 'access-token': access_token, 'content-type': type },
          ...(one.method !== 'GET' && { payload: body }),
        })
        const ms = performance.now() - began
        answers.add(answer.statusCode, ms)
        const said = `${answer.statusCode} ${answer.body.slice(0, 300)} ${logged.findLast((line) => line.includes('bug')) ?? ''}`
        expect([500, 403], said).not.toContain(answer.statusCode)
        if (String(answer.headers['content-type']).startsWith('text/event-stream')) return
        const { code, msg } = answer.json() as { code: number; msg: string }
        expect([answer.statusCode === 200, said]).toEqual([code === 0, said])
        expect(msg).toMatch(/[\u4e00-\u9fff]/)
        expect(msg.length).toBeLessThanOrEqual(100)
        expect(answer.body).not.toMatch(/node_modules|at async|select .+ from|syntax error/i)
        expect(ms).toBeLessThan(latestMs)
      }),
      { numRuns: Math.max(1, Math.round(asked / endpoints.length)), seed: 20261121 },
    )
  },
  600_000,
)
