import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { tryIndexes } from '../../test/fixtures/random-markets/index-trial.ts'
import { makeTrial, tryImport } from '../../test/fixtures/random-markets/try-import.ts'

/** `npm run drill:imports` tries five thousand. */
const markets = 60

let database: TestDatabase
let dataDir: string
beforeAll(async () => {
  database = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'convexa-random-'))
})
afterAll(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true })
})

it(`${markets} random markets in random shapes are what their writer says`, async () => {
  const faults: string[] = []
  const seen = { read: 0, refused: 0, cut: 0 }
  for (let seed = 1; seed <= markets; seed++) {
    const outcome = await tryImport({ db: database.db, dataDir }, makeTrial(seed))
    seen[outcome.verdict]++
    if (outcome.isCut) seen.cut++
    faults.push(...outcome.faults.map((fault) => `${seed}: ${fault} (${outcome.text})`))
    if (seed % 6 > 0) continue
    const indexes = await tryIndexes({ db: database.db, dataDir }, seed)
    faults.push(...indexes.faults.map((fault) => `${seed}: ${fault} (${indexes.text})`))
  }
  expect(faults).toEqual([])
  expect(Math.min(seen.read, seen.refused, seen.cut)).toBeGreaterThan(3)
})
