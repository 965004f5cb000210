import { expect, test } from 'vitest'
import { areNeighbours, compareVersions } from './program-version.ts'

test('versions are compared by numbers', () => {
  expect(['1.10.0', '1.9.3', '1.9.12', '0.1.0'].sort(compareVersions)).toEqual(['0.1.0', '1.9.3', '1.9.12', '1.10.0'])
})

test.each([
  ['1.4.0', '1.4.9', true],
  ['1.4.0', '1.5.0', true],
  ['1.5.2', '1.4.0', true],
  ['1.4.0', '1.6.0', false],
  ['1.9.0', '2.0.1', true],
  ['2.1.0', '1.9.0', false],
  ['1.0.0', '3.0.0', false],
])('an api of %s and a worker of %s: %s', (api, worker, fits) => {
  expect(areNeighbours(api, worker)).toBe(fits)
  expect(areNeighbours(worker, api)).toBe(fits)
})
