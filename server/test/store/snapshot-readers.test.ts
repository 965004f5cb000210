import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

// Where there is an object store the place of a snapshot may be empty on this machine. It is handed to the readers of market files, which
// fetch what is not there; files of it are opened nowhere else.

const root = resolve(import.meta.dirname, '../../src')
/** They know whether a folder is here. */
const readers = ['market/damage.ts', 'market/held-snapshots.ts', 'market/snapshot.ts']

test('nobody but the readers of snapshots opens files of a place that snapshotPath names', () => {
  const naming = readdirSync(root, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && /\bsnapshotPath\b/.test(readFileSync(join(root, file), 'utf8')))
  expect(naming).toEqual(expect.arrayContaining(readers))
  const opening = naming.filter((file) => /from 'node:fs/.test(readFileSync(join(root, file), 'utf8')))
  expect(opening.sort()).toEqual(readers)
})
