import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

type Manner = 'answers' | 'refuses' | 'hangs' | 'page' | 'cut' | 'frozen'

export interface LiveDesk {
  /** Sets the market's clock and how its two sources behave; resolves when what they have is there, or nobody answered. */
  at(time: Date, sources: { tencent: Manner; sina: Manner }): Promise<void>
  stop(): void
}

/** Starts the process that gives a running product the quotes of a day of one's own. */
export async function startLiveDesk(dataDir: string): Promise<LiveDesk> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../server/test/stand-ins/live-desk.ts', import.meta.url))], {
    env: { ...process.env, NODE_ENV: '', DATA_DIR: dataDir },
    // The channel closes with this process, however it ends, and the child exits with it.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  for await (const text of child.stdout!) {
    const url = String(text).trim()
    return {
      async at(time, sources) {
        const answer = await fetch(url, { method: 'POST', body: JSON.stringify({ at: time.getTime(), ...sources }) })
        if (!answer.ok) throw new Error(`the desk of quotes answered ${answer.status}`)
      },
      stop: () => void child.kill(),
    }
  }
  throw new Error('the desk of quotes did not open')
}
