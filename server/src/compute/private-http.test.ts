import { expect, test } from 'vitest'
import { figuresOf } from './figures.ts'
import { privateServer } from './private-http.ts'
import { secretHeader } from './remote.ts'

test('a call that fails in an unforeseen way is answered as busy, and the log says why', async () => {
  const logged: unknown[] = []
  const log = (event: string, details: Record<string, unknown>) => logged.push({ event, ...details })
  const answer = async () => Promise.reject(new Error('the reason'))
  const figures = () => figuresOf({ pid: undefined, load: () => 0, ends: () => 0 })
  const server = await privateServer('127.0.0.1', 0, 'secret', answer, figures, log)
  const ask = { method: 'POST', headers: { [secretHeader]: 'secret' }, body: JSON.stringify({ name: 'screen', data: {}, input: {} }) }
  const answered = await fetch(`${server.address}/call`, ask)
  expect(await answered.json()).toMatchObject({ ok: false, code: 50301 })
  expect(logged).toMatchObject([{ event: 'call failed', err: { message: 'the reason' } }])
  await server.close()
})
