/**
 * A publisher, to be killed: publishes the day that follows the newest one, or the first days where there are none, and ends. Argument: JSON of
 * `PublishDay`.
 */
import { connect } from '../../src/db/connect.ts'
import { appendDay } from '../../src/market/append-day.ts'
import { newestSnapshot } from '../../src/market/snapshot.ts'
import { openSnapshotStore } from '../../src/store/open-snapshot-store.ts'
import { dayOf, tableBefore } from '../fixtures/market/day-of.ts'
import { publishTable } from '../fixtures/market/publish-table.ts'
import { smallMarket } from '../fixtures/market/small-market.ts'
import type { PublishDay } from './publisher.ts'

const { databaseUrl, dataDir, store, firstDays, market } = JSON.parse(process.argv[2]!) as PublishDay
const { db, close } = connect(databaseUrl, { max: 3 })
const opened = await openSnapshotStore({ store, dataDir, cache: { folder: `${dataDir}/cache`, megabytes: 2_048 } }, db)
const table = smallMarket({ kind: 'cb', ...market })
const at = { db, dataDir }
process.send?.('ready')
const newest = await newestSnapshot(db, 'cb')
if (newest === null) await publishTable(at, tableBefore(table, firstDays))
else {
  const t = table.dates.indexOf(newest.lastDate) + 1
  const outcome = t < table.dates.length ? await appendDay(at, 'cb', dayOf(table, t)) : { ok: false, refused: 'there is no further day' }
  if (!outcome.ok) throw new Error('refused' in outcome ? outcome.refused : '')
}
opened?.close()
await close()
process.exit(0)
