/**
 * `npm run drill:codes`: verification codes on a PostgreSQL that flushes, as in production. Prints what was seen; exit 1 when anything is wrong:
 *
 *   1,000 codes × 50 at once: one success each · 1,000,000 virtual requests in 30 days: no cap passed · 200 answers to known and to
 *   unknown accounts: medians alike.
 */
import { buildApp } from '../../src/app.ts'
import { connect } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import { routes } from '../../src/user/routes.ts'
import { openFigures } from '../fixtures/figures.ts'
import { ownPostgres } from '../fixtures/postgres.ts'
import { virtualCodes } from '../fixtures/virtual-codes.ts'
import { testWorld } from '../fixtures/world.ts'
import { spendAtOnce, timeCodes } from './code-drills.ts'
import { readDrillOptions } from './drill-options.ts'

const given = readDrillOptions({
  rounds: { whole: 1_000, quick: 60 },
  'at-once': { whole: 50, quick: 50 },
  requests: { whole: 1_000_000, quick: 100_000 },
  samples: { whole: 200, quick: 60 },
})

const postgres = await ownPostgres()
const figures = openFigures()
try {
  const url = postgres.url()
  const store = connect(url)
  await migrate(store.db)
  const { context } = testWorld({ ...store, url, drop: store.close })
  const app = await buildApp(context, [routes])

  for (const { path, known, unknown, differ, allowed } of await timeCodes(context, app, given.samples)) {
    figures.fact(path, `median ${known.toFixed(2)} ms to known, ${unknown.toFixed(2)} ms to unknown accounts`)
    figures.atMost('  apart for certain by', differ, Number(allowed.toFixed(2)), 'ms')
  }
  await store.db.deleteFrom('code_send').execute()
  const spent = await spendAtOnce(context, given.rounds, given['at-once'])
  const rate = Math.round((spent.rounds * given['at-once']) / spent.seconds)
  figures.fact(`${spent.rounds} codes × ${given['at-once']} at once`, `${spent.successes} successes, ${rate} checks/s`)
  figures.none('codes with other than one success', spent.wrong)

  const virtual = virtualCodes({ requests: given.requests, days: 30, seed: 1 })
  figures.fact(`${virtual.requests} virtual requests in 30 days`, `${virtual.sent} sent, refused ${JSON.stringify(virtual.refused)}`)
  for (const [cap, { seen, allowed }] of Object.entries(virtual.most)) figures.atMost(`  ${cap}, at most`, seen, allowed)

  await app.close()
  await store.close()
} finally {
  await postgres.stop()
}
process.exit(figures.end())
