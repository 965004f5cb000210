import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { killedIngests, makeScript } from '../../../test/drills/ingest-drills.ts'
import { type TestDatabase, testDatabase } from '../../../test/fixtures/database.ts'

/** `npm run drill:ingest` is the long proof, on years of history. */
const kills = 1

let database: TestDatabase
let dataDir: string
beforeAll(async () => {
  database = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'convexa-killed-ingests-'))
})
afterAll(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true })
})

it(`${kills} ingestion killed midway: readers see whole snapshots, and in the end every day is there`, async () => {
  const figures = await killedIngests({ db: database.db, url: database.url, dataDir }, makeScript(3, '2024-06-28'), kills)
  expect(figures.lost).toEqual([])
  expect(figures.kills).toBe(kills)
  expect(figures.midway, 'no kill fell into an ingestion: the test proves nothing').toBeGreaterThan(0)
  expect(figures.looks).toBeGreaterThanOrEqual(kills)
})
