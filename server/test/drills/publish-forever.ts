/** A process to be killed: publishes one table after the other until it is. Arguments: connection string, data directory. */
import { connect } from '../../src/db/connect.ts'
import type { Quality } from '../../src/db/tables/quality.ts'
import { publish } from '../../src/market/snapshot.ts'
import { smallTable } from '../fixtures/market/small-table.ts'

const [url, dataDir] = process.argv.slice(2)
const { db } = connect(url!, { max: 2 })
const quality: Quality = {
  rows: 0,
  listedRows: 0,
  securities: 3,
  firstDate: '',
  lastDate: '',
  adjust: 'raw',
  preset: 'test',
  source: [],
  quarantined: 0,
  findings: [],
  notes: [],
}
process.send?.('ready')
for (let shift = process.pid; ; shift++) {
  await publish({
    db,
    dataDir: dataDir!,
    table: smallTable('cb', { shift }),
    mode: 'imported',
    adjust: 'raw',
    source: { preset: 'test', files: [] },
    quality,
  })
}
