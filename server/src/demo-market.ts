import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Kind, kinds } from '@convexa/contract'
import { connect } from './db/connect.ts'
import { lastClosedDay } from './market/calendar.ts'
import { makeDemo } from './market/demo.ts'

/** How far the making is, as it is told from the child. */
export interface DemoProgress {
  readonly percent: number
  readonly text: string
}

/** The demo markets that are being made by a process of its own: what it held in memory goes with it, and it can be stopped at once. */
export interface Making {
  readonly made: Promise<void>
  stop(): Promise<void>
}

export function startDemoMarket(
  dataDir: string,
  connectionString: string,
  wanted: readonly Kind[],
  onProgress: (progress: DemoProgress) => void,
): Making {
  // The address goes by the environment: arguments can be read by every user of the machine, and it may hold a password.
  const env = { ...process.env, DATABASE_URL: connectionString }
  const child = fork(fileURLToPath(import.meta.url), [dataDir, ...wanted], { detached: true, env })
  child.on('message', (progress) => onProgress(progress as DemoProgress))
  const ended = new Promise<string>((resolve) => child.once('exit', (code, signal) => resolve(signal ?? `退出码 ${code}`)))
  return {
    made: ended.then((how) => {
      if (child.exitCode !== 0) throw new Error(`演示行情没有生成（${how}）`)
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
  const [dataDir = '', ...asked] = process.argv.slice(2)
  const { db, close } = connect(process.env['DATABASE_URL'] ?? '', { name: 'convexa-demo', max: 2, statementTimeoutMs: 600_000 })
  const onProgress = (progress: DemoProgress) => process.send?.(progress)
  await makeDemo({
    dataDir,
    db,
    through: lastClosedDay(new Date()),
    kinds: ['index', ...kinds.filter((kind) => asked.includes(kind))],
    onProgress,
  })
  await close()
  process.disconnect?.()
  process.exit(0)
}
