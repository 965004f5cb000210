import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { endLater } from './closing.ts'

export interface FakeWechat {
  url: string
  /** What the product is started with to use it. */
  env: Record<string, string>
  stop(): Promise<void>
}

/** Starts the stand-in for WeChat's login, as `npm run fake:wechat` does, on a free port. */
export async function startFakeWechat(): Promise<FakeWechat> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../server/test/stand-ins/fake-wechat.ts', import.meta.url)), '0'], {
    // The channel closes with this process, however it ends, and the child exits with it.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const stop = endLater(() => child.kill())
  let output = ''
  for await (const text of child.stdout!) {
    output += text
    const line = /^(WECHAT_APP_ID=.*) npm start$/m.exec(output)?.[1]
    if (!line) continue
    const env = Object.fromEntries(line.split(' ').map((pair) => pair.split('=') as [string, string]))
    return { url: env['WECHAT_OPEN_URL'] ?? '', env, stop }
  }
  await stop()
  throw new Error(`the stand-in for WeChat did not start: ${output}`)
}
