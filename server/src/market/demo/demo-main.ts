import { marketIds } from '@convexa/contract/enums/market'
import { connect } from '../../db/connect.ts'
import { readCalendar } from '../calendar-years.ts'
import { type DemoSize, makeDemo } from '../demo.ts'
import { lastExpectedDay } from '../expected-days.ts'
import type { DemoProgress } from './demo-market.ts'

// The process that makes the demo markets (demo-market.ts). Killed at any point it leaves no half-published snapshot (market/snapshot.ts).

process.once('disconnect', () => process.exit(1))
const [dataDir = '', size, ...kindNames] = process.argv.slice(2)
const { db, close } = connect(process.env['DATABASE_URL'] ?? '', { name: 'convexa-demo', max: 2, statementTimeoutMs: 600_000 })
const onProgress = (progress: DemoProgress) => process.send?.(progress)
await readCalendar(db)
const made = await makeDemo({
  dataDir,
  db,
  through: lastExpectedDay(new Date()),
  size: size as DemoSize,
  kinds: ['index', ...marketIds.filter((kind) => kindNames.includes(kind))],
  onProgress,
})
await close()
await new Promise((resolve) => process.send?.({ made }, resolve))
process.disconnect?.()
process.exit(0)
