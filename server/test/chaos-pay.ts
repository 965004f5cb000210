import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connect } from '../src/db/connect.ts'
import { migrate } from '../src/db/migrate.ts'
import { clusterOf, connectionStringOf, ensureCluster, startPostgres, stopPostgres } from '../src/db/postgres.ts'
import { drillWords, payDrill } from './pay-drill.ts'
import { payStandIn } from './pay-stand-in.ts'

// `npm run chaos:pay -- --kills 1000`: orders and payments under kill -9 and SIGTERM (G1, G22), on a PostgreSQL that syncs. Prints what was
// seen; exit 1 when anything was lost.

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    terms: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
})
const dataDir = mkdtempSync(join(tmpdir(), 'convexa-chaos-pay-'))
const cluster = clusterOf(dataDir)
await ensureCluster(cluster)
const running = await startPostgres(cluster, [])
if (!running) throw new Error('PostgreSQL did not start')
let lost = 0
try {
  for (const [signal, given] of [
    ['SIGKILL', values.kills],
    ['SIGTERM', values.terms],
  ] as const) {
    const name = `drill_${signal.toLowerCase()}`
    const admin = connect(connectionStringOf(running, 'postgres'), { max: 1 })
    await admin.pool.query(`create database ${name}`)
    await admin.close()
    const databaseUrl = connectionStringOf(running, name)
    const { db, close } = connect(databaseUrl)
    await migrate(db)
    const standIn = await payStandIn()
    const say = (line: string) => void process.stderr.write(`${line}\n`)
    const seen = await payDrill({ db, databaseUrl, standIn, kills: Number(given), seed: Number(values.seed), signal, say })
    console.log(drillWords(seen, signal))
    lost += seen.lost.length + seen.wrong
    await standIn.close()
    await close()
  }
} finally {
  await stopPostgres(running)
  rmSync(cluster.privateFolder, { recursive: true, force: true })
  rmSync(dataDir, { recursive: true, force: true })
}
process.exit(lost > 0 ? 1 : 0)
