import { fork } from 'node:child_process'
import type { MarketId } from '@convexa/contract'
import { entryFile } from '../../base/program-files.ts'
import type { DemoSize } from '../demo.ts'
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
  const child = fork(entryFile('demo-main'), [dataDir, size, ...wanted], { detached: true, env })
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
