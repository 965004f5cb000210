import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderStore } from '../../src/store/folder-store.ts'
import { testDatabase } from '../fixtures/database.ts'
import { publishKilled } from './killed-publications.ts'

/** `npm run drill:store` is the long proof. */
const kills = 6

test(`${kills} publishers and collectors killed midway: what is published is whole, and nothing else is left`, {
  timeout: 240_000,
}, async () => {
  const database = await testDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'convexa-killed-store-'))
  const done = await publishKilled({
    ...{ db: database.db, url: database.url, environment: { STORE_URL: `file://${folder}` }, objects: folderStore(folder) },
    ...{ kills, seed: 5, others: {} },
  })
  expect(done).toMatchObject({ wrong: [], lost: [], extra: [] })
  expect(done.published).toBeGreaterThan(0)
  expect(done.read).toBeGreaterThan(0)
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})
