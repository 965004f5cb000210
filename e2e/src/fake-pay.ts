import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endLater } from './closing.ts'

export interface FakePay {
  url: string
  /** What the product is started with to sell for its test money. */
  env: Record<string, string>
  stop(): Promise<void>
}

/** Starts the stand-in for WeChat Pay, as `npm run fake:pay` does, on a free port, with keys of its own. */
export async function startFakePay(): Promise<FakePay> {
  const keys = mkdtempSync(join(tmpdir(), 'convexa-pay-'))
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../server/test/stand-ins/fake-pay.ts', import.meta.url)), '0'], {
    env: { ...process.env, DATA_DIR: keys },
    // The channel closes with this process, however it ends, and the child exits with it.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const stop = endLater(() => {
    child.kill()
    rmSync(keys, { recursive: true, force: true })
  })
  let output = ''
  for await (const text of child.stdout!) {
    output += text
    const given = /^(WECHAT_PAY_URL=[\s\S]*) npm start$/m.exec(output)?.[1]
    if (!given) continue
    const pairs = given.split(/[\s\\]+/).map((pair): [string, string] => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at), pair.slice(at + 1)]
    })
    const env = Object.fromEntries(pairs)
    return { url: env['WECHAT_PAY_URL'] ?? '', env, stop }
  }
  await stop()
  throw new Error(`the stand-in for WeChat Pay did not start: ${output}`)
}
