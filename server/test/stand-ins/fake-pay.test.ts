import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { claimDataDir } from '../../src/base/data-dir.ts'

test('started first, in a data directory that is not there yet, it leaves one that a site takes', async () => {
  const place = mkdtempSync(join(tmpdir(), 'convexa-fake-pay-'))
  const dataDir = join(place, 'data')
  const program = fileURLToPath(new URL('./fake-pay.ts', import.meta.url))
  const fake = spawn(process.execPath, [program, '0'], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  try {
    const [said] = await once(fake.stdout!, 'data')
    expect(String(said)).toMatch(/WECHAT_PAY_URL=http:\/\/127\.0\.0\.1:\d+ /)
    expect(() => claimDataDir(dataDir)).not.toThrow()
    // It ends with the process that started it, even when that was killed.
    fake.disconnect()
    expect((await once(fake, 'exit'))[0]).toBe(0)
  } finally {
    fake.kill()
    rmSync(place, { recursive: true, force: true })
  }
})
