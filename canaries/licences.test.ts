import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

// The product is under the AGPL; what runs in others' programs or on users' own machines is under the Apache License.

const root = resolve(import.meta.dirname, '..')
/** SHA-256 of the whole texts, which must not change: the AGPL in the words of the SPDX list, the Apache License as Debian ships it. */
const texts = {
  'AGPL-3.0-or-later': '0d96a4ff68ad6d4b6f1f30f713b18d5184912ba8dd389f86aa7710db079abcb0',
  'Apache-2.0': 'cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30',
} as const
const apache = ['contract', 'engine', 'qmt-bridge', 'qmt-client']

test('the texts are whole and stand where they count', () => {
  const found = globSync(['LICENSE', '*/LICENSE'], { cwd: root }).sort()
  expect(found).toEqual(['LICENSE', ...apache.map((folder) => `${folder}/LICENSE`)])
  for (const file of found) {
    const hash = createHash('sha256')
      .update(readFileSync(join(root, file)))
      .digest('hex')
    expect(hash, file).toBe(texts[file === 'LICENSE' ? 'AGPL-3.0-or-later' : 'Apache-2.0'])
  }
})

test('each manifest names the licence of its folder', () => {
  for (const manifest of globSync(['package.json', '*/package.json', 'e2e/browser/package.json'], { cwd: root })) {
    const { license } = JSON.parse(readFileSync(join(root, manifest), 'utf8')) as { license?: string }
    expect(license, manifest).toBe(apache.includes(dirname(manifest)) ? 'Apache-2.0' : 'AGPL-3.0-or-later')
  }
})
