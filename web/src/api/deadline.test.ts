// isolated: stubs globals
import { calls } from '@convexa/contract/calls'
import { afterEach, expect, it, vi } from 'vitest'
import { call } from './client.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('a short GET that hangs ends in a sentence after 5.2 s, whatever it waits for', async () => {
  const limits = new Map<number, AbortController>()
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const limit = new AbortController()
    limits.set(ms, limit)
    return limit.signal
  })
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  const failed = call(calls.system.website, undefined).catch((error: unknown) => error)
  limits.get(5_200)?.abort()
  expect(await failed).toMatchObject({ kind: 'timeout', message: '网络连接失败，请检查网络' })
  // What is computed has a limit of its own.
  void call(calls.cb.binning, { body: {} as never })
  await vi.waitFor(() => expect([...limits.keys()]).toContain(60_000), { timeout: 15_000 })
  expect([...limits.keys()].filter((ms) => ms === 5_200)).toHaveLength(1)
})
