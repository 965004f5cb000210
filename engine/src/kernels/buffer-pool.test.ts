import { beforeEach, expect, it, vi } from 'vitest'

const cells = 100_000
let BufferPool: typeof import('./buffer-pool.ts').BufferPool

// Other tests of this thread have given memory back.
beforeEach(async () => {
  vi.resetModules()
  ;({ BufferPool } = await import('./buffer-pool.ts'))
})

it('memory that was given back is taken again, the smallest that is large enough', () => {
  const one = new BufferPool()
  const [large, small] = [one.doubles(2 * cells), one.doubles(cells)]
  one.release()
  const two = new BufferPool()
  expect(two.doubles(cells - 1).buffer).toBe(small.buffer)
  expect(two.bytes(8 * cells).buffer).toBe(large.buffer)
  expect(two.doubles(cells).buffer).not.toBe(small.buffer)
})

it('what is not given back, or given back once, is nobody else’s', () => {
  const one = new BufferPool()
  const kept = one.doubles(cells).fill(1)
  one.release()
  one.release()
  const [two, three] = [new BufferPool(), new BufferPool()]
  const taken = [two.doubles(cells), three.doubles(cells), two.doubles(cells)]
  expect(new Set(taken.map(({ buffer }) => buffer)).size).toBe(3)
  expect(taken[0]?.buffer).toBe(kept.buffer)
})

it('no more is kept than 48 MB', () => {
  const many = new BufferPool()
  const given = Array.from({ length: 10 }, () => many.bytes(10 * 1024 * 1024).buffer)
  many.release()
  const next = new BufferPool()
  const known = Array.from({ length: 10 }, () => given.includes(next.bytes(10 * 1024 * 1024).buffer))
  expect(known.filter((isKnown) => isKnown)).toHaveLength(4)
})
