// isolated: stubs globals
import { beforeEach, expect, it, vi } from 'vitest'
import { memoryStorage } from '../../test/storage.ts'
import { useAuth } from '../state/auth.ts'
import { createLongQuery } from './long-query-store.ts'

vi.stubGlobal('localStorage', memoryStorage())
vi.stubGlobal('sessionStorage', memoryStorage())

interface Waiting {
  question: string
  signal: AbortSignal
  answer: (text: string) => void
  fail: (error: Error) => void
}
const waiting: Waiting[] = []
const store = createLongQuery<string, string>(
  (_, question, signal) => new Promise((answer, fail) => waiting.push({ question, signal, answer, fail })),
).cb
const state = () => store.getState()
const settle = () => new Promise((done) => setTimeout(done))

beforeEach(() => {
  state().cancel()
  store.setState({ answered: null, failed: null })
  waiting.length = 0
})

it('keeps the answer with its question', async () => {
  state().ask('first')
  expect(state().pending).toBe('first')
  waiting[0]?.answer('one')
  await settle()
  expect(state()).toMatchObject({ pending: null, answered: { question: 'first', answer: 'one' } })
})

it('gives up what is asked when something else is, whatever comes of it later', async () => {
  state().ask('first')
  state().ask('second')
  expect(waiting[0]?.signal.aborted).toBe(true)
  waiting[1]?.answer('two')
  waiting[0]?.answer('one')
  await settle()
  expect(state().answered).toMatchObject({ question: 'second', answer: 'two' })
})

it('asks the same once while it is computed: each time anew would be one more of the uses of a day', async () => {
  state().ask('first')
  state().ask('first')
  expect(waiting.map(({ signal }) => signal.aborted)).toEqual([false])
  waiting[0]?.answer('one')
  await settle()
  state().ask('first')
  expect(waiting).toHaveLength(2)
})

it('leaves the old answer standing when the next fails or is cancelled', async () => {
  state().ask('first')
  waiting[0]?.answer('one')
  await settle()
  state().ask('second')
  waiting[1]?.fail(new Error('late'))
  await settle()
  expect(state()).toMatchObject({ pending: null, answered: { answer: 'one' }, failed: { question: 'second' } })
  state().ask('third')
  state().cancel()
  await settle()
  expect(waiting[2]?.signal.aborted).toBe(true)
  expect(state()).toMatchObject({ pending: null, answered: { answer: 'one' }, failed: null })
})

it('a login that ends takes the answers with it', async () => {
  state().ask('first')
  waiting[0]?.answer('one')
  await settle()
  useAuth.getState().clear()
  useAuth.setState({ tokenData: null })
  expect(state().answered).toBeNull()
})
