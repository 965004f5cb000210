import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type CallRow, callTable } from '../src/call-table.ts'
import { api, type Endpoint, endpoints, openapi, SentCode, user } from '../src/index.ts'

const nameOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`

/** `POST /v1/quant/stock/realtime-screen  60s`; what most calls share (login, 5 s) is not said. */
function lineOf({ method, path, auth, scope, timeout, stream }: Endpoint): string {
  const more = [auth ? '' : scope ? `key: ${scope}` : 'no login', stream ? 'stream' : '', timeout > 5 ? `${timeout}s` : ''].filter(Boolean)
  return [nameOf({ method, path }), more.join(', ')].filter(Boolean).join('  ')
}

test('api.txt lists every call: a change of the API is a line in the review (vitest -u writes it)', async () => {
  await expect(`${endpoints.map(lineOf).join('\n')}\n`).toMatchFileSnapshot('../api.txt')
})

test('an endpoint has the call of its own name', () => {
  const callsOf = (group: Readonly<Record<string, CallRow>>) =>
    Object.fromEntries(Object.entries(group).map(([name, { method, path }]) => [name, nameOf({ method, path })]))
  for (const [name, group] of Object.entries(api)) expect(callsOf(group)).toEqual(callsOf(callTable[name as keyof typeof callTable]))
})

test('no call twice, every path in the shape that we read', () => {
  expect(new Set(endpoints.map(nameOf)).size).toBe(endpoints.length)
  for (const { path } of endpoints) expect(path).toMatch(/^(\/([a-z0-9-]+|\.well-known|\{[a-z0-9_]+\}))+$/)
})

test.each(endpoints.map((one) => [nameOf(one), one] as const))('%s says what it takes and gives', (_name, one) => {
  const places = [...one.path.matchAll(/\{([^}]+)\}/g)].map(([, place]) => place)
  const params = one.params instanceof z.ZodObject ? Object.keys(one.params.shape) : []
  expect(params).toEqual(places)
  if (one.method === 'GET' || one.method === 'DELETE') expect(one.body).toBeUndefined()
  // Unknown keys in a body are refused, so that nobody sets what is not asked for. The profile is put back as GET gave it.
  if (one.body instanceof z.ZodObject && one !== user.changeInfo)
    expect(one.body.safeParse({ __unknown: 1 }).error?.issues.some(({ code }) => code === 'unrecognized_keys')).toBe(true)
  expect(one.summary).toMatch(/[\u4e00-\u9fff]/)
  expect([0, 5, 30, 60]).toContain(one.timeout)
  expect(one.stream).toBe(one.timeout === 0)
})

test('whatever sends a code is a GET that only our own page may call', () => {
  const senders = endpoints.filter(({ data }) => data === SentCode)
  expect(senders.length).toBeGreaterThanOrEqual(5)
  for (const { path, method, sends } of senders) expect({ path, method, sends }).toEqual({ path, method: 'GET', sends: true })
})

test('the OpenAPI document names every call, its login and every code', () => {
  const document = openapi(endpoints, '凸度量化', '1') as unknown as {
    paths: Record<string, Record<string, { security: object[]; responses: Record<string, object> }>>
    components: { schemas: { Failure: { properties: { code: { enum: number[] } } } } }
  }
  for (const { method, path, auth, scope } of endpoints) {
    const operation = document.paths[path]?.[method.toLowerCase()]
    expect(operation?.security.length, path).toBe(auth || scope ? 1 : 0)
    expect(Object.keys(operation?.responses ?? {})).toEqual(['200', 'default'])
  }
  expect(document.components.schemas.Failure.properties.code.enum).toContain(40004)
  expect(document.paths['/v1/user/login-records']?.get).toMatchObject({
    parameters: [
      { name: 'offset', required: false, schema: { type: 'integer', default: 0 } },
      { name: 'limit', required: false, schema: { type: 'integer', default: 20 } },
    ],
  })
})

describe('the specification', () => {
  const file = new URL('../../../shared/reference/spec_routes.txt', import.meta.url)
  /** Not in the specification, but needed to run and to log in for a try (api.md 0.1). */
  const ours = [
    'GET /v1/quant/qmt/questions',
    'PUT /v1/quant/qmt/config/{id}/order/{order_id}',
    'PUT /v1/quant/qmt/config/{id}/book/{code}',
    'PUT /v1/quant/qmt/config/{id}/journal',
    'GET /v1/alerts/list',
    'PUT /v1/alerts/read',
    'GET /v1/website',
    'GET /v1/order/list',
    'GET /healthz',
    'GET /readyz',
    'POST /v1/user/re-auth',
    'DELETE /v1/user',
    'POST /v1/user/restore',
    'GET /v1/user/export',
    'GET /v1/authorize/sessions',
    'DELETE /v1/authorize/sessions/{id}',
    'DELETE /v1/authorize/sessions',
    'DELETE /v1/user/wechat-web-credential/{id}',
    'GET /v1/human-check',
    'GET /v1/quant/convertible-bond/customized-factors/{id}/versions',
    'GET /v1/quant/stock/customized-factors/{id}/versions',
    'GET /v1/quant/convertible-bond/market',
    'POST /v1/quant/convertible-bond/backtest/{id}/checks',
    'POST /v1/quant/stock/backtest/{id}/checks',
    'GET /v1/quant/stock/market',
    'GET /v1/quant/convertible-bond/data',
    'GET /v1/quant/stock/data',
    'GET /v1/quant/convertible-bond/data/sources',
    'GET /v1/quant/stock/data/sources',
    'GET /v1/quant/convertible-bond/strategy/{id}/tracking',
    'GET /v1/quant/convertible-bond/strategy/{id}/versions',
    'GET /v1/quant/stock/strategy/{id}/tracking',
    'GET /v1/quant/stock/strategy/{id}/versions',
    'POST /v1/quant/convertible-bond/quick-backtest',
    'POST /v1/quant/stock/quick-backtest',
    'PUT /v1/quant/backtest/{id}/note',
    'PUT /v1/quant/backtest/{id}/favourite',
    'GET /v1/quant/backtest/{id}/question',
    'GET /v1/quant/backtest/retention',
    'DELETE /v1/quant/backtest/{id}',
    'POST /v1/quant/share',
    'GET /v1/quant/share/list',
    'DELETE /v1/quant/share/{token}',
    'GET /v1/quant/share/{token}',
    'DELETE /v1/quant/convertible-bond/strategy/group/{id}',
    'PUT /v1/quant/qmt/account/{id}',
    'GET /v1/quant/qmt/kill-switch',
    'POST /v1/quant/qmt/config/{id}/dry-run',
    'POST /v1/quant/qmt/config/{id}/confirm',
    'GET /v1/quant/qmt/config/{id}/fills',
    'GET /v1/qmt-client/targets',
    'POST /v1/qmt-client/heartbeat',
    'POST /v1/qmt-client/fills',
    'POST /v1/feed-bridge/xtdata',
    'PUT /v1/quant/qmt/kill-switch',
    'DELETE /v1/quant/stock/strategy/group/{id}',
  ]

  test('its calls have the same login, time and stream here', ({ skip }) => {
    if (!existsSync(file)) skip('../shared/reference/spec_routes.txt is not beside the repository')
    const facts = new Map<string, string[]>()
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const [method, path, ...flags] = line.trim().split(/\s+/)
      if (method && path && method !== '#') facts.set(`${method} ${path}`, flags)
    }
    expect(facts.size).toBeGreaterThan(90)
    // The specification has this path with its fixed 1.
    const asThere = (one: Endpoint) => nameOf(one).replace('/config/{type}/options', '/config/1/options')
    expect([...facts.keys()].filter((call) => !endpoints.some((one) => asThere(one) === call))).toEqual([])
    for (const one of endpoints.filter((each) => !ours.includes(nameOf(each)))) {
      const flags = facts.get(asThere(one))
      expect(flags, `${nameOf(one)} is not in the specification`).toBeDefined()
      const timeout = Number(/^timeout=(\d+)$/.exec(flags?.find((flag) => flag.startsWith('timeout')) ?? 'timeout=5')?.[1])
      expect({ call: nameOf(one), auth: one.auth, stream: one.stream, timeout: one.timeout }).toEqual({
        call: nameOf(one),
        auth: !flags?.includes('noauth'),
        stream: flags?.includes('stream'),
        timeout: flags?.includes('stream') ? 0 : timeout,
      })
    }
  })
})
