import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

// One module touches the browser's storage, because stored values need validation when read and a message when the storage is full.

const root = resolve(import.meta.dirname, '../web/src')
const sources = globSync('**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.test\.tsx?$/.test(file))
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')

test('storage of the browser is touched by one module', () => {
  expect(sources.length).toBeGreaterThan(500)
  const touching = sources.filter((file) =>
    /\b(localStorage|sessionStorage|indexedDB|caches|cookieStore)\b/.test(withoutComments(readFileSync(join(root, file), 'utf8'))),
  )
  expect(touching).toEqual([join('state', 'storage.ts')])
})
