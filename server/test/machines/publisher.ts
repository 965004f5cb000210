import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StoreSettings } from '../../src/config/config.ts'
import { testCode } from '../fixtures/code.ts'

/** Argument of the program `publish-day.ts`. */
export interface PublishDay {
  readonly databaseUrl: string
  readonly dataDir: string
  readonly store: StoreSettings
  /** Days of the first publication; each further one has a day more. */
  readonly firstDays: number
  readonly market: { readonly from: string; readonly to: string; readonly securities: number }
}

/** Publishes the next day in a process of its own. `killAfterMs`: kill -9 so long after it has begun. @returns whether it came to its end */
export async function publishDay(given: PublishDay, killAfterMs: number | null = null): Promise<boolean> {
  const child = fork(join(import.meta.dirname, 'publish-day.ts'), [JSON.stringify(given)], {
    env: { ...process.env, ...testCode, ENV_FILE: 'off' },
    // What a publication says that met a dead database is expected.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const exit = once(child, 'exit')
  if (killAfterMs !== null) {
    await Promise.race([once(child, 'message'), exit])
    await Promise.race([sleep(killAfterMs), exit])
    child.kill('SIGKILL')
  }
  const [code] = (await exit) as [number | null]
  return code === 0
}

/** Publishes until a day is there, as an operator would after a try that failed. @throws after ten tries */
export async function publishSurely(given: PublishDay): Promise<void> {
  for (let tries = 1; !(await publishDay(given)); tries++) {
    if (tries === 10) throw new Error('no day could be published')
    await sleep(1_000)
  }
}
