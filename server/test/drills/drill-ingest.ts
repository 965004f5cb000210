/**
 * `npm run drill:ingest -- --kills 200`: ingestion under kill −9 (reliability.md G18). Prints what was seen; exit 1 when a reader met
 * anything but a whole snapshot, or a day came out other than undisturbed.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../../src/db/connect.ts'
import { openEmbedded } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openFigures } from '../fixtures/figures.ts'
import { readDrillOptions } from './drill-options.ts'
import { killedIngests, makeScript } from './ingest-drills.ts'

const { kills, days } = readDrillOptions({ kills: { whole: 200, quick: 30 }, days: { whole: 20, quick: 4 } })
const figures = openFigures()
const dataDir = mkdtempSync(join(tmpdir(), 'convexa-drill-ingest-'))
const postgres = await openEmbedded(dataDir, 'command')
const { db, close } = connect(postgres.connectionString, { max: 4 })
const since = performance.now()
try {
  await migrate(db)
  const seen = await killedIngests({ db, url: postgres.connectionString, dataDir }, makeScript(days), kills, (done) => {
    if (done % 20 === 0) console.log(`${done} kills`)
  })
  figures.fact('kills', `${seen.kills}, ${seen.midway} of them between two publications or in the writing of one`)
  figures.fact('folders that the dead left, all swept', seen.leftovers)
  figures.fact('took', `${Math.round((performance.now() - since) / 1000)} s`)
  figures.none(
    `${seen.looks} looks of a reader, ${seen.snapshots} snapshots, ${days} days: not whole, or other than undisturbed`,
    seen.lost,
  )
} finally {
  await close()
  await postgres.close()
  rmSync(dataDir, { recursive: true, force: true })
}
process.exit(figures.end())
