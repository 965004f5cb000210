import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { MarketId } from '@convexa/contract'
import { marketIds } from '@convexa/contract/enums/market'
import { connect } from '../../db/connect.ts'
import { readCalendar } from '../calendar-years.ts'
import { type DemoSize, makeDemo } from '../demo.ts'
import { lastExpectedDay } from '../expected-days.ts'
import type { Snapshot, SnapshotKind } from '../snapshot.ts'

/** Progress of the demo market, as the child process reports it. */
export interface DemoProgress {
  readonly percent: number
  readonly text: string
}

/** What is said of a snapshot once it is made. */
type DemoSnapshots = Record<SnapshotKind, Pick<Snapshot, 'dataVersion' | 'securities' | 'firstDate' | 'lastDate'>>

/** The demo markets that are being made by a process of its own: what it held in memory goes with it, and it can be stopped at once. */
export interface Making {
  readonly made: Promise<DemoSnapshots>
  stop(): Promise<void>
}

export function startDemoMarket(
  dataDir: string,
  connectionString: string,
  wanted: readonly MarketId[],
  onProgress: (progress: DemoProgress) => void,
  size: DemoSize = 'full',
): Making {
  // The address goes by the environment: arguments can be read by every user of the machine, and it may hold a password.
  const env = { ...process.env, DATABASE_URL: connectionString }
  const child = fork(fileURLToPath(import.meta.url), [dataDir, size, ...wanted], { detached: true, env })
  let made: DemoSnapshots | null = null
  child.on('message', (message: DemoProgress | { made: DemoSnapshots }) => {
    if ('made' in message) made = message.made
    else onProgress(message)
  })
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `退出码 ${code}`))
    // Where there is no room for one more process no exit follows.
    child.on('error', ({ message }) => child.pid === undefined && resolve(message))
  })
  return {
    made: ended.then((how) => {
      if (child.exitCode !== 0 || !made) throw new Error(`演示行情没有生成（${how}）`)
      return made
    }),
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

// The child's side. Killed at any point it leaves no half-published snapshot (market/snapshot.ts).
if (import.meta.main) {
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
}
