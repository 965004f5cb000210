/**
 * `npm run drill:codes`: verification codes on a PostgreSQL that flushes, as in production. Prints what was seen; exit 1 when anything is wrong:
 *
 *   1,000 codes × 50 at once: one success each · 1,000,000 virtual requests in 30 days: no cap passed · 200 answers to known and to
 *   unknown accounts: medians alike.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connect } from '../src/db/connect.ts'
import { migrate } from '../src/db/migrate.ts'
import { clusterOf, connectionStringOf, ensureCluster, startPostgres, stopPostgres } from '../src/db/postgres.ts'
import { buildApp } from '../src/http/app.ts'
import { routes } from '../src/user/routes.ts'
import { spendAtOnce, timeCodes } from './code-drills.ts'
import { virtualCodes } from './virtual-codes.ts'
import { testWorld } from './world.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    'at-once': { type: 'string', default: '50' },
    requests: { type: 'string', default: '1000000' },
    samples: { type: 'string', default: '200' },
  },
})

const dataDir = mkdtempSync(join(tmpdir(), 'convexa-drill-'))
const cluster = clusterOf(dataDir)
await ensureCluster(cluster)
const running = await startPostgres(cluster)
if (!running) throw new Error('the drill could not start its PostgreSQL')
let wrong = 0
try {
  const url = connectionStringOf(running, 'postgres')
  const store = connect(url)
  await migrate(store.db)
  const { world } = testWorld({ ...store, url, drop: store.close })
  const app = await buildApp(world, [routes])

  for (const { path, known, unknown, differ, allowed } of await timeCodes(world, app, Number(values.samples))) {
    say(
      differ <= allowed,
      `${path}: median ${known.toFixed(2)} ms known, ${unknown.toFixed(2)} ms unknown, apart by ${differ.toFixed(2)} ms at least`,
    )
  }
  await store.db.deleteFrom('code_send').execute()
  const spent = await spendAtOnce(world, Number(values.rounds), Number(values['at-once']))
  const rate = Math.round((spent.rounds * Number(values['at-once'])) / spent.seconds)
  say(
    spent.wrong === 0,
    `${spent.rounds} codes × ${values['at-once']} at once: ${spent.successes} successes, ${spent.wrong} wrong rounds, ${rate} checks/s`,
  )

  const virtual = virtualCodes({ requests: Number(values.requests), days: 30, seed: 1 })
  say(true, `${virtual.requests} virtual requests in 30 days: ${virtual.sent} sent, refused ${JSON.stringify(virtual.refused)}`)
  for (const [cap, { seen, allowed }] of Object.entries(virtual.most)) say(seen <= allowed, `  ${cap}: at most ${seen} of ${allowed}`)

  await app.close()
  await store.close()
} finally {
  await stopPostgres(running)
  rmSync(cluster.privateFolder, { recursive: true, force: true })
  rmSync(dataDir, { recursive: true, force: true })
}
process.exit(wrong > 0 ? 1 : 0)

function say(right: boolean, line: string): void {
  if (!right) wrong++
  console.log(`${right ? '✓' : '✗'} ${line}`)
}
