/**
 * `npm run drill:ingest -- --kills 200`: ingestion under kill −9 (reliability.md G18). Prints what was seen; exit 1 when a reader met
 * anything but a whole snapshot, or a day came out other than undisturbed.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connect } from '../src/db/connect.ts'
import { openEmbedded } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { killedIngests, makeScript } from './ingest-drills.ts'

const { values } = parseArgs({ options: { kills: { type: 'string', default: '200' } } })
const kills = Number(values.kills)
const dataDir = mkdtempSync(join(tmpdir(), 'convexa-drill-ingest-'))
const postgres = await openEmbedded(dataDir, 'command')
const { db, close } = connect(postgres.connectionString, { max: 4 })
const since = performance.now()
try {
  await migrate(db)
  const figures = await killedIngests({ db, url: postgres.connectionString, dataDir }, makeScript(20), kills, (done) => {
    if (done % 20 === 0) console.log(`${done} kills`)
  })
  const { lost, ...counts } = figures
  console.log({ ...counts, seconds: Math.round((performance.now() - since) / 1000), lost: lost.length })
  for (const each of lost.slice(0, 20)) console.error(each)
  if (lost.length > 0) process.exitCode = 1
} finally {
  await close()
  await postgres.close()
  rmSync(dataDir, { recursive: true, force: true })
}
