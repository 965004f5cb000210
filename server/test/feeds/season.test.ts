import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testDatabase } from '../fixtures/database.ts'
import { runSeason } from '../fixtures/season/run.ts'

test('ten days of June with late, partial, odd and refused tables: what a source had by 20:00 stands there that evening', async () => {
  const database = await testDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'convexa-season-'))
  try {
    const size = { shares: 120, bonds: 40, days: 10, from: '2026-06-01', to: '2026-06-30', seed: 3 }
    const seen = await runSeason({ db: database.db, dataDir }, size)
    expect(seen).toMatchObject({ days: 10, late: [], wrong: [], misjudged: [], lost: [] })
    expect(seen.cells).toBeGreaterThan(4_000)
    expect(seen.counts.filter(({ most, allowed }) => !(most <= allowed))).toEqual([])
  } finally {
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
