import { beforeEach, expect, it, vi } from 'vitest'

const cells = 100_000
let Lent: typeof import('./lent.ts').Lent

// Other tests of this thread have given memory back.
beforeEach(async () => {
  vi.resetModules()
  ;({ Lent } = await import('./lent.ts'))
})

it('memory that was given back is taken again, the smallest that is large enough', () => {
  const one = new Lent()
  const [large, small] = [one.doubles(2 * cells), one.doubles(cells)]
  one.giveBack()
  const two = new Lent()
  expect(two.doubles(cells - 1).buffer).toBe(small.buffer)
  expect(two.bytes(8 * cells).buffer).toBe(large.buffer)
  expect(two.doubles(cells).buffer).not.toBe(small.buffer)
})

it('what is not given back, or given back once, is nobody else’s', () => {
  const one = new Lent()
  const kept = one.doubles(cells).fill(1)
  one.giveBack()
  one.giveBack()
  const [two, three] = [new Lent(), new Lent()]
  const taken = [two.doubles(cells), three.doubles(cells), two.doubles(cells)]
  expect(new Set(taken.map(({ buffer }) => buffer)).size).toBe(3)
  expect(taken[0]?.buffer).toBe(kept.buffer)
})

it('no more is kept than 48 MB', () => {
  const many = new Lent()
  const given = Array.from({ length: 10 }, () => many.bytes(10 * 1024 * 1024).buffer)
  many.giveBack()
  const next = new Lent()
  const known = Array.from({ length: 10 }, () => given.includes(next.bytes(10 * 1024 * 1024).buffer))
  expect(known.filter((isKnown) => isKnown)).toHaveLength(4)
})
