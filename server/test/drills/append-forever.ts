/** A process to be killed: appends one day after the other until it is. Arguments: connection string, data directory. */

import { connect } from '../../src/db/connect.ts'
import { appendDay } from '../../src/market/append-day.ts'
import { tradingDays } from '../../src/market/calendar.ts'
import { newestSnapshot } from '../../src/market/snapshot.ts'
import { dayOf, tableBefore } from '../fixtures/market/day-of.ts'
import { publishTable } from '../fixtures/market/publish-table.ts'
import { smallTable } from '../fixtures/market/small-table.ts'

const [url, dataDir] = process.argv.slice(2)
const { db } = connect(url!, { max: 2 })
const table = smallTable('cb', { dates: tradingDays('2023-12-01', '2025-12-31') })

const begin = () => publishTable({ db, dataDir: dataDir! }, tableBefore(table, 5))

if ((await newestSnapshot(db, 'cb')) === null) await begin()
process.send?.('ready')
for (;;) {
  const newest = await newestSnapshot(db, 'cb')
  const t = table.dates.indexOf(newest!.lastDate) + 1
  if (t === table.dates.length) await begin()
  else await appendDay({ db, dataDir: dataDir! }, 'cb', dayOf(table, t))
}
