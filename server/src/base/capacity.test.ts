import { expect, test } from 'vitest'
import { usableCores, usableMemory } from './capacity.ts'

const gb = 1024 ** 3

test.each([
  ['no control groups', undefined, 24],
  ['no limit', 0, 24],
  ['no limit, as Linux writes it', 18_446_744_073_709_552_000, 24],
  ['a container of 2 GB', 2 * gb, 2],
])('memory, %s', (_, constrainedMemory, gigabytes) => {
  expect(usableMemory({ memory: 24 * gb, constrainedMemory }) / gb).toBe(gigabytes)
})

const inGroup =
  (files: Record<string, string>) =>
  (path: string): string | null =>
    files[path] ?? null

test.each([
  ['no control groups', null, {}, 8],
  ['version 1', '3:cpu:/a\n0::/\n', {}, 8],
  ['no quota', '0::/\n', { '/cpu.max': 'max 100000\n' }, 8],
  ['two cores', '0::/\n', { '/cpu.max': '200000 100000\n' }, 2],
  ['a core and a half', '0::/\n', { '/cpu.max': '150000 100000\n' }, 2],
  ['less than one', '0::/\n', { '/cpu.max': '10000 100000\n' }, 1],
  ['more than the machine has', '0::/\n', { '/cpu.max': '1600000 100000\n' }, 8],
  ['a quota of a group above', '0::/site/worker\n', { '/site/cpu.max': '300000 100000\n', '/site/worker/cpu.max': 'max 100000\n' }, 3],
  ['a folder of the host that is not here', '0::/docker/abc\n', { '/cpu.max': '400000 100000\n' }, 4],
])('cores, %s', (_, groups, files, cores) => {
  expect(usableCores({ cores: 8, groups, readGroupFile: inGroup(files) })).toBe(cores)
})

test('this machine has some of both', () => {
  expect(usableMemory()).toBeGreaterThan(0)
  expect(usableCores()).toBeGreaterThanOrEqual(1)
})
