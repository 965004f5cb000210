import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Asking, accountAt } from './asking.ts'
import { endLater } from './closing.ts'
import { password } from './log-in.ts'

export interface UserDesk {
  url: string
  stop(): Promise<void>
}

/** Starts the process that makes accounts in the product's data directory. */
export async function startUserDesk(dataDir: string): Promise<UserDesk> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../server/test/fixtures/user-desk.ts', import.meta.url))], {
    env: { ...process.env, NODE_ENV: '', DATA_DIR: dataDir },
    // The channel closes with this process, however it ends, and the child exits with it.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const stop = endLater(() => child.kill())
  for await (const text of child.stdout!) return { url: String(text).trim(), stop }
  await stop()
  throw new Error('the desk that makes accounts did not open')
}

/** Makes an account there. One that is there already stays as it is. */
export async function accountOn(deskUrl: string, account: { address: string; nickname: string; password: string }): Promise<void> {
  const answer = await fetch(deskUrl, { method: 'POST', body: JSON.stringify(account) })
  if (!answer.ok && answer.status !== 409) throw new Error(`no account for ${account.address}: ${answer.status}`)
}

/** Somebody with pages of their own, for pictures: visitors of the demo have no account at a broker. */
export const reader = 'reader@example.com'

/** Makes the reader's account in a product. @returns what asks as them */
export async function newReader({ url, dataDir }: { url: string; dataDir: string }): Promise<Asking> {
  const desk = await startUserDesk(dataDir)
  await accountOn(desk.url, { address: reader, nickname: '读者', password })
  await desk.stop()
  return accountAt(url, reader, password)
}

/** As if so much time had passed for all that an account has ordered. */
export async function ageOrdersOn(deskUrl: string, address: string, seconds: number): Promise<void> {
  const answer = await fetch(new URL('/later', deskUrl), { method: 'POST', body: JSON.stringify({ address, seconds }) })
  if (!answer.ok) throw new Error(`no orders of ${address} grew older: ${answer.status}`)
}
