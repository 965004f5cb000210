import { expect, test } from 'vitest'
import { throttle } from './throttle.ts'

/** A clock that stands still; a wait ends only by its signal. */
function standing() {
  let ms = 0
  const waits: number[] = []
  const sleep = (more: number, signal: AbortSignal) =>
    new Promise<void>((_, reject) => {
      waits.push(more)
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  return {
    ...{ deps: { now: () => ms, sleep }, waits },
    pass: (more: number) => {
      ms += more
    },
  }
}

const onceAMinute = [{ calls: 1, inMs: 60_000 }]

test('who goes while it waits gives its place back', async () => {
  const { deps, waits, pass } = standing()
  const inTurn = throttle(deps)
  await inTurn('jisilu', onceAMinute, new AbortController().signal)
  for (let again = 0; again < 5; again++) {
    pass(4_000)
    const gone = new AbortController()
    const waiting = inTurn('jisilu', onceAMinute, gone.signal)
    gone.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
  }
  expect(waits).toEqual([56_000, 52_000, 48_000, 44_000, 40_000])
  pass(40_000)
  await inTurn('jisilu', onceAMinute, new AbortController().signal)
  expect(waits).toHaveLength(5)
})
