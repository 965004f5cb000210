/**
 * `npm run drill:imports [-- --markets 5000 --seed 1]`: small random markets, written in random shapes by a writer that says beforehand what
 * must come of each, imported whole and as an import with updates (`fixtures/random-markets/`). Prints figures; the seed of each fault tries it
 * alone: `-- --markets 1 --seed 17`.
 */
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../../src/db/connect.ts'
import { openEmbedded } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { testCode } from '../fixtures/code.ts'
import { openFigures } from '../fixtures/figures.ts'
import type { Outcome } from '../fixtures/random-markets/try-import.ts'
import { readDrillOptions } from './drill-options.ts'

const { markets, seed } = readDrillOptions({ markets: { whole: 5_000, quick: 300 }, seed: { whole: 1, quick: 1 } })
const lanes = Math.min(markets, Math.max(2, availableParallelism()))
const figures = openFigures()
const dataDir = mkdtempSync(join(tmpdir(), 'convexa-drill-imports-'))
const postgres = await openEmbedded(dataDir, 'command')
const since = performance.now()
const outcomes: Outcome[] = []
try {
  await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane)))
} finally {
  await postgres.close()
  rmSync(dataDir, { recursive: true, force: true })
}

const seconds = (performance.now() - since) / 1_000
const count = (is: (outcome: Outcome) => boolean) => outcomes.filter(is).length
const faulty = outcomes.filter(({ faults }) => faults.length > 0)
const told = (list: readonly Outcome[]) => list.map(({ seed: own, text, faults }) => `${own}: ${faults.join(' | ')}\n          ${text}`)
figures.fact(
  'markets that must be read',
  count(({ verdict }) => verdict === 'read'),
)
figures.fact(
  'markets that must be refused',
  count(({ verdict }) => verdict === 'refused'),
)
figures.fact(
  'markets tried as an import and updates too',
  count(({ isCut }) => isCut),
)
figures.none('stack traces', told(faulty.filter(({ hasStack }) => hasStack)))
figures.none('markets that are refused, read otherwise, or another after updates', told(faulty.filter(({ hasStack }) => !hasStack)))
figures.goal('markets tried', String(outcomes.length), String(markets), outcomes.length === markets)
figures.atMost('took', seconds / 60, 30, 'minutes')
process.exit(figures.end())

/** A process and a database of its own: every `lanes`-th seed. */
async function runLane(lane: number): Promise<void> {
  const admin = connect(postgres.connectionString, { max: 1 })
  await admin.pool.query(`create database random_markets_${lane}`)
  await admin.close()
  const url = postgres.connectionString.replace(/\/[^/?]+(\?|$)/, `/random_markets_${lane}$1`)
  const store = connect(url, { max: 1 })
  await migrate(store.db)
  await store.close()
  const seeds = Array.from({ length: markets }, (_, k) => seed + k).filter((_, k) => k % lanes === lane)
  const child = fork(new URL('../fixtures/random-markets/lane.ts', import.meta.url), [url, join(dataDir, `lane${lane}`)], {
    execArgv: [],
    env: { ...process.env, ...testCode },
  })
  await new Promise<void>((resolve, reject) => {
    child.on('message', (outcome: Outcome) => {
      outcomes.push(outcome)
      if (outcomes.length % 250 === 0) console.log(`${outcomes.length} markets`)
    })
    child.once('exit', (status) => (status === 0 ? resolve() : reject(new Error(`a lane ended with status ${status}`))))
    child.send(seeds)
  })
}
