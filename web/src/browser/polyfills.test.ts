// isolated: loads modules anew
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'

const typed = Object.getPrototypeOf(Int8Array.prototype) as Float64Array
const places = [
  [Array.prototype, 'toReversed'],
  [Array.prototype, 'toSorted'],
  [typed, 'toReversed'],
  [typed, 'toSorted'],
  [AbortSignal, 'any'],
  [URL, 'canParse'],
] as const
const native = places.map(([owner, name]) => Object.getOwnPropertyDescriptor(owner, name))
const put = (all: readonly (PropertyDescriptor | undefined)[]) =>
  places.forEach(([owner, name], i) => {
    Object.defineProperty(owner, name, all[i] as PropertyDescriptor)
  })
/** What this Node has of its own, kept to compare with. */
const sorted = Array.prototype.toSorted
const canParse = URL.canParse

beforeAll(async () => {
  for (const [owner, name] of places) Reflect.deleteProperty(owner, name)
  vi.resetModules()
  await import('./polyfills.ts')
})
afterAll(() => put(native))

test('they stand where they were missing, seen by no loop over a list', () => {
  places.forEach(([owner, name], i) => {
    const put = Object.getOwnPropertyDescriptor(owner, name)
    expect(put, name).toMatchObject({ enumerable: false, configurable: true, writable: true })
    expect(put?.value, name).not.toBe(native[i]?.value)
  })
})

test('a list in order and turned round, itself unchanged', () => {
  const list = [10, 9, 1, undefined, 2]
  expect(list.toSorted()).toEqual(sorted.call(list))
  expect(list.toSorted((a = 0, b = 0) => b - a)).toEqual([10, 9, 2, 1, undefined])
  expect(list.toReversed()).toEqual([2, undefined, 1, 9, 10])
  expect(list).toEqual([10, 9, 1, undefined, 2])
  expect(() => list.toSorted('name' as never)).toThrow(TypeError)
})

test('numbers in order as numbers', () => {
  const row = Float64Array.of(10, 9, Number.NaN, 1)
  expect(row.toSorted()).toEqual(Float64Array.of(1, 9, 10, Number.NaN))
  expect(row.toSorted((a, b) => b - a)[0]).toBe(10)
  expect(row.toReversed()).toEqual(Float64Array.of(1, Number.NaN, 9, 10))
  expect(row[0]).toBe(10)
})

describe('a signal of several', () => {
  it('aborts with the first, and with its reason', () => {
    const [a, b] = [new AbortController(), new AbortController()]
    const joined = AbortSignal.any([a.signal, b.signal])
    expect(joined.aborted).toBe(false)
    b.abort('left')
    a.abort('late')
    expect(joined.reason).toBe('left')
  })

  it('is aborted from the beginning where one is', () => {
    const open = new AbortController()
    expect(AbortSignal.any([open.signal, AbortSignal.abort('before'), AbortSignal.abort('after')]).reason).toBe('before')
    expect(AbortSignal.any([]).aborted).toBe(false)
  })
})

test.each([
  ['/a?b=c', 'https://a.example', true],
  ['/a', undefined, false],
  ['https://a.example/x', undefined, true],
  ['//', 'https://a.example', false],
])('an address %s on %s', (address, base, right) => {
  expect(URL.canParse(address, base)).toBe(right)
  expect(canParse(address, base)).toBe(right)
})
