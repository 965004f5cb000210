// isolated: stubs globals
import type { Template } from '@convexa/contract/reference'
import { expect, it, vi } from 'vitest'
import { memoryStorage } from '../../../test/storage.ts'
import { tokens } from '../../../test/tab.ts'
import { blankParameters } from '../rule/draft.ts'

vi.stubGlobal('localStorage', memoryStorage())
vi.stubGlobal('sessionStorage', memoryStorage())
const { useAuth } = await import('../../state/auth.ts')
const { runTemplates, useTemplateRuns } = await import('./template-runs.ts')

const template = (key: string) => ({ key, name: key, parameters: blankParameters('cb') }) as Template

it('templates that are run one after another end with the login, without asking for one', async () => {
  let asked = 0
  vi.stubGlobal('fetch', async () => {
    asked++
    useAuth.getState().clear()
    return Response.json({ code: 40100, msg: '', data: null }, { status: 401 })
  })
  useAuth.setState({ tokenData: tokens('me') })
  await runTemplates('cb', [template('a'), template('b')], {} as never, new AbortController().signal)
  expect(asked).toBe(1)
  expect(useAuth.getState().refused).toBe(false)
})

it('end when whoever asked for them leaves, and say nothing of the one that was under way', async () => {
  const leaving = new AbortController()
  let asked = 0
  vi.stubGlobal('fetch', (_: unknown, { signal }: RequestInit) => {
    asked++
    return new Promise((_, fail) => signal?.addEventListener('abort', () => fail(new DOMException('left', 'AbortError'))))
  })
  useAuth.setState({ tokenData: tokens('me') })
  const runs = runTemplates('cb', [template('a'), template('b')], {} as never, leaving.signal)
  await vi.waitFor(() => expect(asked).toBe(1), { timeout: 15_000 })
  leaving.abort()
  await runs
  expect([asked, useTemplateRuns.getState().runs]).toEqual([1, {}])
})

it('keep what interest the run left out, beside its figures', async () => {
  const data = {
    metrics: { annual_return: 0.1, max_drawdown: -0.1 },
    curves: { dates: ['2024-01-02'], nav: [1], bench: [1] },
    data_version: 'v',
  }
  vi.stubGlobal('fetch', async () =>
    Response.json({ code: 0, msg: '', data: { ...data, warnings: [], elapsed_ms: 1, left_out_interest: 0.004 } }),
  )
  useAuth.setState({ tokenData: tokens('me') })
  await runTemplates('cb', [template('c')], {} as never, new AbortController().signal)
  expect(useTemplateRuns.getState().figures['cb c']).toMatchObject({ annual: 0.1, interest: 0.004 })
})
