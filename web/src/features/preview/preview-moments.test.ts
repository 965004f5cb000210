// isolated: stubs globals
import { beforeEach, expect, it, vi } from 'vitest'
import { memoryStorage } from '../../../test/storage.ts'
import { blankParameters } from '../rule/draft.ts'
import type { Request } from './messages.ts'

vi.stubGlobal('localStorage', memoryStorage())
vi.stubGlobal('sessionStorage', memoryStorage())
const asked: ((day: string) => void)[] = []
const answerOf = (day: string) => ({ trade_date: day, codes: [], columns: ['dblow'], values: [[]], facts: {} })
vi.stubGlobal(
  'fetch',
  () => new Promise((resolve) => asked.push((day) => resolve(Response.json({ code: 0, msg: '', data: answerOf(day) })))),
)
const { Preview } = await import('./preview.ts')

const parameters = blankParameters('cb')
const nameOf = (ref: string) => ref
const told: Request[] = []
const port = { postMessage: (message: Request) => void told.push(message), onAnswer: () => {} }

beforeEach(() => {
  asked.length = 0
  told.length = 0
})

it('values of an earlier moment that come late do not take the place of those of a later one', async () => {
  const preview = new Preview('cb', port)
  const early = preview.of('14:30').screen(parameters, [], nameOf)
  await vi.waitFor(() => expect(asked).toHaveLength(1), { timeout: 15_000 })
  const late = preview.of('14:31').screen(parameters, [], nameOf)
  await vi.waitFor(() => expect(asked).toHaveLength(2), { timeout: 15_000 })
  asked[1]?.('2026-11-20')
  await vi.waitFor(() => expect(told.at(-1)?.type).toBe('screen'), { timeout: 15_000 })
  asked[0]?.('2026-11-19')
  await expect(early).rejects.toThrow('superseded')
  expect(told.map(({ type }) => type)).toEqual(['day', 'columns', 'screen'])
  expect(told[0]).toMatchObject({ date: '2026-11-20' })
  void late
})

it('whose worker is lost leaves nobody waiting', async () => {
  const preview = new Preview('cb', port)
  const waiting = preview.screen(parameters, [], nameOf)
  await vi.waitFor(() => expect(asked).toHaveLength(1), { timeout: 15_000 })
  asked[0]?.('2026-11-20')
  await vi.waitFor(() => expect(told.at(-1)?.type).toBe('screen'), { timeout: 15_000 })
  preview.lost()
  await expect(waiting).resolves.toBeNull()
  await expect(preview.screen(parameters, [], nameOf)).resolves.toBeNull()
})
