/**
 * `npm run drill:migrate`: `migrate` is killed (−9) again and again on a PostgreSQL that flushes, as in production, and goes on where it was.
 * Prints what was seen; exit 1 when a migration is missing or the tables differ from those of an undisturbed run.
 */
import { connect } from '../../src/db/connect.ts'
import { readMigrations } from '../../src/db/migration-files.ts'
import { openFigures } from '../fixtures/figures.ts'
import { generator } from '../fixtures/generator.ts'
import { ownPostgres } from '../fixtures/postgres.ts'
import { readDrillOptions } from './drill-options.ts'
import { migrateKilled } from './killed-migrations.ts'

const given = readDrillOptions({ kills: { whole: 50, quick: 10 }, seed: { whole: 1, quick: 1 } })
const perDatabase = 5

const postgres = await ownPostgres()
const figures = openFigures()
try {
  const admin = connect(postgres.url())
  const random = generator(given.seed)
  const count = (await readMigrations()).length
  const fresh = async (name: string) => {
    await admin.pool.query(`create database ${name}`)
    return postgres.url(name)
  }
  const undisturbed = await migrateKilled(await fresh('undisturbed'), [])
  let [kills, missing, different] = [0, 0, 0]
  for (let round = 1; kills < given.kills && round <= given.kills; round++) {
    const marks = Array.from({ length: Math.min(perDatabase, given.kills - kills) }, () => Math.floor(random() * count)).sort(
      (a, b) => a - b,
    )
    const name = `killed_${round}`
    const done = await migrateKilled(await fresh(name), marks)
    kills += done.kills
    missing += done.missing.length
    if (done.tables !== undisturbed.tables) different++
    await admin.pool.query(`drop database ${name}`)
  }
  figures.goal('times that migrate was killed while it worked', String(kills), `≥ ${given.kills}`, kills >= given.kills)
  figures.none('migrations that are missing afterwards', missing)
  figures.none('databases whose tables differ from an undisturbed run', different)
  await admin.close()
} finally {
  await postgres.stop()
}
process.exit(figures.end())
