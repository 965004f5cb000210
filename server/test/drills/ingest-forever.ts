/** A process to be killed: says `ready`, and once it is spoken to ingests the days that a script has. Arguments: connection string, data directory. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../src/db/connect.ts'
import { IngestBusy, ingest } from '../../src/feeds/ingest/ingest.ts'
import { chainOf, readScript } from './ingest-drills.ts'

const [url, dataDir] = process.argv.slice(2)
const { db } = connect(url!, { max: 3 })
process.send?.('ready')
await once(process, 'message')
const script = await readScript(dataDir!)
const deps = { db, dataDir: dataDir!, chain: chainOf(script), signal: new AbortController().signal }
for (;;) {
  // The lock of the one before goes with its session, which PostgreSQL may see a moment later.
  await ingest(deps, { through: script.stk.dates.at(-1)!, kinds: ['stk', 'cb'] }).catch((error: unknown) => {
    if (!(error instanceof IngestBusy)) throw error
  })
  await sleep(5)
}
