/**
 * `npm run drill:failover [-- --quick --rounds 20 --clients 16 --seed 1]`: two apis and a worker on a primary with a synchronous standby. The
 * primary is killed, hangs, or is cut off from its standby and killed; the standby takes its place behind the one address; the old one is made
 * anew as standby. Orders, payments, logins, strategies, runs all the while. Prints each figure beside its goal; status 0 only if all hold.
 */
import { openFigures } from '../../fixtures/figures.ts'
import { readDrillOptions } from '../drill-options.ts'
import { drillFailover } from './failover.ts'
import { postgresPair } from './postgres-pair.ts'

const { rounds, clients, seed } = readDrillOptions({
  rounds: { whole: 20, quick: 3 },
  clients: { whole: 16, quick: 16 },
  seed: { whole: 1, quick: 1 },
})
const figures = openFigures()
const pair = await postgresPair()
try {
  await drillFailover({ pair, rounds, clients, seed, progress: (line) => process.stderr.write(`${line}\n`) }, figures)
} finally {
  await pair.stop()
}
process.exit(figures.end())
