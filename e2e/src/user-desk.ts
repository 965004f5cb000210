import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface UserDesk {
  url: string
  stop(): void
}

/** Starts the process that makes accounts in the product's data directory. */
export async function startUserDesk(dataDir: string): Promise<UserDesk> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../server/test/user-desk.ts', import.meta.url))], {
    env: { ...process.env, NODE_ENV: '', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const text of child.stdout) return { url: String(text).trim(), stop: () => void child.kill() }
  throw new Error('the desk that makes accounts did not open')
}
