import { expect, test } from 'vitest'
import { request } from '../../test/fixtures/requests.ts'
import { canonical, paramsHash } from './params-hash.ts'

test.each([
  ['the order of keys does not matter', { b: 1, a: { d: [1, 2], c: null } }, '{"a":{"c":null,"d":[1,2]},"b":1}'],
  ['members without a value are left out', { a: undefined, b: 'x' }, '{"b":"x"}'],
  ['the order of a list does', [2, 1], '[2,1]'],
  ['keys are ordered by code unit, not by language', { ä: 1, z: 2, Z: 3 }, '{"Z":3,"z":2,"ä":1}'],
])('%s', (_name, value, text) => {
  expect(canonical(value)).toBe(text)
})

test('the same rule has the same name, another market or rule another', () => {
  const { parameters, settings } = request('cb', { start: '2022-01-04', end: '2022-12-30' })
  const name = paramsHash('cb', { parameters }, settings)
  expect(name).toMatch(/^[0-9a-f]{64}$/)
  expect(paramsHash('cb', JSON.parse(JSON.stringify({ parameters })), { ...settings })).toBe(name)
  expect(paramsHash('stk', { parameters }, settings)).not.toBe(name)
  expect(paramsHash('cb', { parameters: { ...parameters, hold_days: 1 } }, settings)).not.toBe(name)
})
