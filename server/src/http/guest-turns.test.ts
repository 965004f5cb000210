import { expect, test } from 'vitest'
import { guestTurns } from './guest-turns.ts'

const quiet = new AbortController().signal

/** Work that runs until the test ends it. */
function site(take: ReturnType<typeof guestTurns>) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (name: string, address: string, signal = quiet) =>
    take(address, signal, () => {
      begun.push(name)
      return signal.aborted ? Promise.resolve() : new Promise<void>((resolve) => void ends.set(name, resolve))
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  return { begun, ask, end }
}

test('a few calls at once, the addresses in rotation', async () => {
  const { begun, ask, end } = site(guestTurns({ inAll: 3, ofAddress: 2 }, { inAll: 10, ofAddress: 5 }))
  for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(name, 'a')
  await end('')
  expect(begun).toEqual(['a1', 'a2'])
  void ask('b1', 'b')
  void ask('b2', 'b')
  await end('')
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  await end('a1')
  // Both have one call under way: the call that has waited longest is next.
  expect(begun.slice(3)).toEqual(['a3'])
  await end('a2')
  expect(begun.slice(4)).toEqual(['a4'])
  // The other address has none.
  await end('b1')
  expect(begun.slice(5)).toEqual(['b2'])
})

test('whoever comes beyond those that wait is refused, and whoever leaves makes room', async () => {
  const { begun, ask, end } = site(guestTurns({ inAll: 1, ofAddress: 1 }, { inAll: 3, ofAddress: 2 }))
  const leaving = new AbortController()
  void ask('a1', 'a')
  const left = ask('a2', 'a', leaving.signal)
  void ask('a3', 'a')
  await expect(ask('a4', 'a')).rejects.toMatchObject({ code: 40029, retryAfterSeconds: 2 })
  void ask('b1', 'b')
  await expect(ask('b2', 'b')).rejects.toMatchObject({ code: 50301, retryAfterSeconds: 5 })
  leaving.abort()
  await left
  void ask('b3', 'b')
  for (const name of ['a1', 'a3', 'b1', 'b3']) await end(name)
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'b3'])
  // Nothing is left behind: the next one begins at once.
  void ask('c1', 'c')
  await end('c1')
  expect(begun.at(-1)).toBe('c1')
})
