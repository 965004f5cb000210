import { expect, test, vi } from 'vitest'
import { coalesceRequests } from './coalesce-requests.ts'

/** A computation that goes on until it is stopped. */
const untilStopped = (stops: AbortSignal[]) => (stop: AbortSignal) =>
  new Promise<string>((_, reject) => {
    stops.push(stop)
    stop.addEventListener('abort', () => reject(new Error('stopped')), { once: true })
  })

test('a computation is stopped when all who wait for it have gone, and not before', async () => {
  const answers = coalesceRequests<string>(1_000, 4)
  const stops: AbortSignal[] = []
  const [first, second] = [new AbortController(), new AbortController()]
  const asked = [first, second].map(({ signal }) => answers('a', signal, untilStopped(stops)).catch(() => 'stopped'))
  first.abort()
  expect(stops.map(({ aborted }) => aborted)).toEqual([false])
  second.abort()
  expect(await Promise.all(asked)).toEqual(['stopped', 'stopped'])
})

test('an answer is told again within its age, and made anew after it', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  const answers = coalesceRequests<number>(3_000, 4)
  let made = 0
  const at = (ms: number, key = 'a') => {
    clock.mockReturnValue(ms)
    return answers(key, new AbortController().signal, async () => ++made)
  }
  expect([await at(0), await at(2_999), await at(2_999, 'b'), await at(3_001)]).toEqual([1, 1, 2, 3])
  clock.mockRestore()
})

test('who has gone before nothing was computed begins nothing, and keeps nobody else waiting', async () => {
  const answers = coalesceRequests<string>(1_000, 4)
  const stops: AbortSignal[] = []
  const gone = AbortSignal.abort()
  const stays = new AbortController()
  const late = answers('a', gone, untilStopped(stops)).catch((error: unknown) => error)
  expect(stops).toEqual([])
  const asked = answers('a', stays.signal, untilStopped(stops)).catch(() => 'stopped')
  const alsoGone = answers('a', gone, untilStopped(stops)).catch((error: unknown) => error)
  stays.abort()
  expect(await asked).toBe('stopped')
  expect(await Promise.all([late, alsoGone])).toMatchObject([{ code: 23024 }, { code: 23024 }])
})

test('a failure that is of who began it is told to them alone: of the others one begins anew', async () => {
  const answers = coalesceRequests<string>(1_000, 4, (error) => error === 'used up')
  const { signal } = new AbortController()
  const makes: string[] = []
  const ask = (who: string, answer: () => Promise<string>) => {
    const make = () => {
      makes.push(who)
      return answer()
    }
    return answers('a', signal, make).catch((error: unknown) => error)
  }
  const usedUp = () => Promise.reject('used up')
  const asked = [ask('first', usedUp), ask('second', usedUp), ask('third', async () => 'list'), ask('fourth', async () => 'list')]
  expect(await Promise.all(asked)).toEqual(['used up', 'used up', 'list', 'list'])
  expect(makes).toEqual(['first', 'second', 'third'])
})
