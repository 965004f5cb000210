import { type Endpoint, endpoints } from '@convexa/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type AccountSite, accountSite } from '../fixtures/account-site.ts'
import { hostile } from '../fixtures/hostile.ts'

let site: AccountSite
let token: string
beforeAll(async () => {
  site = await accountSite()
  token = (await site.register('13500000001')).access_token
})
afterAll(() => site.close())

interface Place {
  readonly endpoint: Endpoint
  readonly part: 'params' | 'query' | 'body'
  readonly path: readonly string[]
}

type Json = {
  type?: string
  properties?: Record<string, Json>
  anyOf?: Json[]
  items?: Json
  pattern?: string
  enum?: unknown[]
  const?: unknown
  minimum?: number
}
const schemaOf = (schema: z.ZodType): Json => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json

/** Every place of a request that takes a text. */
function placesOf(json: Json, path: string[] = []): string[][] {
  if (json.anyOf) return json.anyOf.flatMap((one) => placesOf(one, path))
  if (json.properties) return Object.entries(json.properties).flatMap(([key, member]) => placesOf(member, [...path, key]))
  return json.type === 'string' ? [path] : []
}

/** The calls on accounts: what is added to the contract is tried here without a word. */
const calls = endpoints.filter(({ path }) => /^\/(v1\/)?(user|authorize|human-check)\b/.test(path))
const places: Place[] = calls.flatMap((endpoint) =>
  (['params', 'query', 'body'] as const).flatMap((part) => {
    const schema = endpoint[part]
    if (!schema) return []
    const seen = new Set<string>()
    return placesOf(schemaOf(schema))
      .filter((path) => !seen.has(path.join('.')) && seen.add(path.join('.')))
      .map((path) => ({ endpoint, part, path }))
  }),
)

/** Something that its schema takes. */
function fitting(json: Json): unknown {
  if (json.const !== undefined) return json.const
  if (json.enum) return json.enum[0]
  if (json.anyOf) return fitting(json.anyOf[0]!)
  if (json.properties) return Object.fromEntries(Object.entries(json.properties).map(([key, member]) => [key, fitting(member)]))
  if (json.type === 'integer' || json.type === 'number') return json.minimum ?? 1
  if (json.type === 'boolean') return true
  if (json.type === 'array') return []
  return json.pattern?.includes('\\d{6}') ? '123456' : 'a-fitting-text'
}

function withText(json: Json, path: readonly string[], text: string): unknown {
  if (path.length === 0) return text
  const variant = json.anyOf?.find((one) => one.properties && path[0]! in one.properties) ?? json
  const [key = '', ...rest] = path
  const whole = fitting(variant) as Record<string, unknown>
  return { ...whole, [key]: withText(variant.properties?.[key] ?? {}, rest, text) }
}

function requestOf({ endpoint, part, path }: Place, text: string) {
  const given = (which: Place['part']) => {
    const schema = endpoint[which]
    if (!schema) return undefined
    const json = schemaOf(schema)
    return (which === part ? withText(json, path, text) : fitting(json)) as Record<string, unknown>
  }
  const params = given('params') ?? {}
  const encoded = (value: unknown) => encodeURIComponent(String(value).replace(/\p{Cs}/gu, '\ufffd'))
  const url = endpoint.path.replace(/\{([^}]+)\}/g, (_, name: string) => encoded(params[name]))
  const query = Object.entries(given('query') ?? {}).map(([key, value]) => `${key}=${encoded(value)}`)
  const body = endpoint.body ? given('body') : undefined
  return { url: query.length ? `${url}?${query.join('&')}` : url, ...(body && { payload: body }) }
}

/** How many rows stand in each table that these calls could write a user's text to. */
const kept = async () => {
  const { rows } = await sql<{ text: string }>`
    select concat_ws(' ', (select string_agg(t::text, ' ') from app_user t), (select string_agg(t::text, ' ') from user_contact t),
      (select string_agg(t::text, ' ') from login_record t)) as text`.execute(site.database.db)
  return rows[0]?.text ?? ''
}

test('every account endpoint with a text field is in the table', () => {
  expect(hostile).toHaveLength(40)
  expect(places.length).toBeGreaterThan(20)
  const ours = ['/v1/user/by-register', '/v1/user/{target}/reset-code', '/v1/user/info', '/v1/authorize/access-token/by-password']
  for (const path of ours) expect(places.some(({ endpoint }) => endpoint.path === path)).toBe(true)
})

const named = places.map(
  (place) => [`${place.endpoint.method} ${place.endpoint.path} ${place.part} ${place.path.join('.')}`, place] as const,
)

test.each(named)('%s: forty hostile texts are stored unchanged or rejected', async (_name, place) => {
  for (const text of hostile) {
    await sql`delete from code_send`.execute(site.database.db)
    await sql`delete from login_failure`.execute(site.database.db)
    const request = requestOf(place, text)
    const answer = await site.app.inject({ method: place.endpoint.method, headers: { 'access-token': token }, ...request })
    const told = { text: text.slice(0, 40), status: answer.statusCode }
    expect(told, answer.body.slice(0, 200)).toSatisfy(({ status }: typeof told) => status === 200 || (status >= 400 && status < 500))
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    const { code, msg, request_id } = answer.json<{ code: number; msg: string; request_id: string }>()
    expect({ ...told, success: code === 0 }).toEqual({ ...told, success: told.status === 200 })
    expect(msg).toMatch(/^[^<>]{1,100}$/)
    expect(request_id).toBeTruthy()
    if (told.status !== 200 && text.length > 10)
      expect(await kept()).not.toContain(text.slice(0, Math.ceil(text.length * 0.8)).slice(0, 200))
    // Such a text may have ended the session.
    if ((await site.ask('GET', '/v1/user/info', { token })).status === 401) {
      const login = { account: '13500000001', password: '一个谁也猜不到的密码' }
      token = (await site.ask<{ access_token: string }>('POST', '/v1/authorize/access-token/by-password', { body: login })).data
        .access_token
    }
  }
})
