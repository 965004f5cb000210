import { expect, test } from 'vitest'
import type { ProcessState } from '../db/process-registry.ts'
import { figuresOf } from './figures.ts'
import { privateServer } from './private-http.ts'
import { rejection } from './rejection.ts'
import { loadHeader, secretHeader } from './remote.ts'

test('a call that fails in an unforeseen way is answered as busy, and the log says why', async () => {
  const logged: unknown[] = []
  const log = (event: string, details: Record<string, unknown>) => logged.push({ event, ...details })
  const answer = async () => Promise.reject(new Error('the reason'))
  const figures = () => figuresOf({ pid: undefined, load: () => 0, ends: () => 0, mismatches: () => 0 })
  const server = await privateServer({
    ...{ host: '127.0.0.1', port: 0, secret: 'secret', answer, figures, log },
    load: () => 0,
    readiness: () => ({ ready: true, reason: null }),
  })
  const ask = { method: 'POST', headers: { [secretHeader]: 'secret' }, body: JSON.stringify({ name: 'screen', data: {}, input: {} }) }
  const answered = await fetch(`${server.address}/call`, ask)
  expect(await answered.json()).toMatchObject({ ok: false, code: 50301 })
  expect(logged).toMatchObject([{ event: 'call failed', err: { message: 'the reason' } }])
  await server.close()
})

test('a supervisor hears without a secret whether the worker takes work; an answer says how much it has to do', async () => {
  let state: ProcessState = { ready: false, reason: 'market_missing' }
  const server = await privateServer({
    ...{ host: '127.0.0.1', port: 0, secret: 'secret', load: () => 7, log() {} },
    answer: async () => ({ ...rejection(50301), elsewhere: true }),
    figures: () => figuresOf({ pid: undefined, load: () => 0, ends: () => 0, mismatches: () => 0 }),
    readiness: () => state,
  })
  const get = async (path: string) => {
    const response = await fetch(`${server.address}${path}`)
    return { status: response.status, body: await response.json() }
  }
  expect(await get('/healthz')).toEqual({ status: 200, body: { ok: true } })
  expect(await get('/readyz')).toEqual({ status: 503, body: { ready: false, reason: 'market_missing' } })
  state = { ready: true, reason: null }
  expect(await get('/readyz')).toEqual({ status: 200, body: { ready: true, reason: null } })
  expect((await fetch(`${server.address}/figures`)).status).toBe(404)
  const ask = { method: 'POST', headers: { [secretHeader]: 'secret' }, body: JSON.stringify({ name: 'screen', data: {}, input: {} }) }
  const answered = await fetch(`${server.address}/call`, ask)
  expect(answered.headers.get(loadHeader)).toBe('7')
  expect(await answered.json()).toMatchObject({ ok: false, code: 50301, elsewhere: true })
  await server.close()
})
