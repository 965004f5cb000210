import { describe, expect, it } from 'vitest'
import { makeGlanceQueue, type Queued, roundWords, stateIn } from './glance-queue.ts'

const some = (...ids: string[]): Queued[] => ids.map((id) => ({ kind: 'cb', id, name: id }))

/** A queue with jobs that the test settles itself. */
function held() {
  const ends = new Map<string, (error?: Error) => void>()
  const aborted: string[] = []
  const queue = makeGlanceQueue(
    ({ id }, signal) =>
      new Promise((resolve, reject) => {
        ends.set(id, (error) => (error ? reject(error) : resolve()))
        signal.addEventListener('abort', () => {
          aborted.push(id)
          reject(new Error('aborted'))
        })
      }),
  )
  const end = async (id: string, error?: Error) => {
    ends.get(id)?.(error)
    await new Promise((done) => setTimeout(done))
  }
  return { queue, end, aborted }
}

describe('glances are refreshed', () => {
  it('two at a time, in their order', async () => {
    const { queue, end } = held()
    queue.getState().add(some('a', 'b', 'c', 'd'))
    const now = () => queue.getState()
    expect([now().running.map(({ id }) => id), now().waiting.map(({ id }) => id)]).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
    expect(['a', 'c', 'x'].map((id) => stateIn(now(), id))).toEqual(['running', 'waiting', null])
    await end('b')
    expect(now().running.map(({ id }) => id)).toEqual(['a', 'c'])
    expect(roundWords(now())).toBe('概览刷新 1 / 4')
  })

  it('each once, however often it is asked for', () => {
    const { queue } = held()
    queue.getState().add(some('a', 'b', 'c'))
    queue.getState().add(some('a', 'c', 'd'))
    expect([...queue.getState().running, ...queue.getState().waiting].map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('past one that fails, whose reason stays until it is tried again', async () => {
    const { queue, end } = held()
    queue.getState().add(some('a'))
    await end('a', new Error('计算超时'))
    expect(queue.getState()).toMatchObject({ running: [], failed: { a: '计算超时' } })
    expect(roundWords(queue.getState())).toBe(null)
    queue.getState().add(some('a'))
    expect(queue.getState().failed).toEqual({})
  })

  it('until they are called off: what runs is aborted and fails nothing', async () => {
    const { queue, aborted, end } = held()
    queue.getState().add(some('a', 'b', 'c'))
    queue.getState().cancel()
    await end('a')
    expect(aborted).toEqual(['a', 'b'])
    expect(queue.getState()).toMatchObject({ running: [], waiting: [], failed: {}, done: 0 })
  })
})
