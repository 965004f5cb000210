/**
 * `npm run drill:machines [-- --quick --kills 200 --seed 1]`: two apis of two processes and two workers, each with a data directory of its own, one
 * PostgreSQL, one object store; users who screen, backtest, save and register; kill -9 of any of them, one after the other, and of a publisher.
 * In the middle a day is published, a cached file is damaged, a cache is removed, the store is away for long. Prints each figure beside its
 * goal; status 0 only if all hold. The object store is a real S3 server (server/test/store/real-s3.ts), with `--quick` also our stand-in.
 */
import { connect } from '../../src/db/connect.ts'
import { readDrillOptions } from '../drills/drill-options.ts'
import { openFigures } from '../fixtures/figures.ts'
import { makeTables } from '../fixtures/make-tables.ts'
import { ownPostgres } from '../fixtures/postgres.ts'
import { noRealS3, realS3 } from '../store/real-s3.ts'
import { drillMachines, victims } from './drill.ts'
import { type SharedStore, standInStore } from './site.ts'

const given = readDrillOptions({
  kills: { whole: 200, quick: 20 },
  users: { whole: 30, quick: 8 },
  outage: { whole: 30, quick: 5 },
  seed: { whole: 1, quick: 1 },
})

const real = await realS3()
if (!real && !given.quick) {
  console.error(noRealS3)
  process.exit(1)
}
const store: SharedStore = real ? { ...real, name: real.folder === null ? 'S3_TEST_URL' : 'versitygw' } : await standInStore()
// A store of somebody else is not killed.
const mayDie = !real || real.folder !== null
const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
const figures = openFigures()
const postgres = await ownPostgres('machines', ['-c', 'max_connections=300'])
try {
  const databaseUrl = postgres.url()
  const { db, close } = connect(databaseUrl, { max: 8, onError: () => {} })
  await makeTables(db)
  await drillMachines(
    {
      ...{ db, databaseUrl, postgres, store, kills: given.kills, users: given.users, processes: 2 },
      ...{ outageSeconds: mayDie ? given.outage : 0, seed: given.seed, actionsPerKill: null },
      victims: mayDie ? victims : victims.filter((victim) => victim !== 'store'),
      progress: (line) => process.stderr.write(`${line}\n`),
      signal: interrupted.signal,
    },
    figures,
  )
  await close()
} finally {
  await postgres.stop()
  await store.close()
}
process.exit(figures.end())
