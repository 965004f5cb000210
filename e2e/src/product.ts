import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../scripts/free-port.mjs'
import { endLater } from './closing.ts'
import { convexa } from './command-line.ts'
import { setYearsAhead } from './years-ahead.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Product {
  url: string
  dataDir: string
  process: ChildProcess
  /** All that it printed so far. */
  output(): string
  stop(): Promise<void>
}

/**
 * Starts the product as `npm start` does, on a fresh data directory and a free port, and waits until it is ready.
 * It knows the trading days of now, whatever the date, unless `yearsAhead` is false.
 * `demo`: makes the small demo markets first, for tests of other data; the product itself would make the full ones.
 * @throws with all that it printed, when it is not ready within `seconds`
 */
export async function startProduct(
  seconds = 120,
  given: { dataDir?: string; env?: Record<string, string>; demo?: 'small'; yearsAhead?: boolean } = {},
): Promise<Product> {
  const dataDir = given.dataDir ?? mkdtempSync(join(tmpdir(), 'convexa-e2e-'))
  const remove = endLater(() => {
    if (!given.dataDir) rmSync(dataDir, { recursive: true, force: true })
  })
  if (given.yearsAhead !== false) await setYearsAhead(dataDir)
  if (given.demo) await convexa(dataDir, ['demo', '--size', given.demo])
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['server/bin/start.mjs'], {
    cwd: root,
    // A script presses faster than a person: how often one may ask is tested apart.
    env: {
      ...process.env,
      NODE_ENV: '',
      LIMIT_REQUESTS: '0',
      CONNECTIONS_PER_ADDRESS: '100000',
      ...given.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  child.stderr.on('data', (text) => (output += text))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = endLater(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT')
    await ended
    await remove()
  })
  const until = Date.now() + seconds * 1000
  while (Date.now() < until) {
    if (child.exitCode !== null) break
    const answer = await fetch(`${url}/readyz`).catch(() => null)
    if (answer?.status === 200) return { url, dataDir, process: child, output: () => output, stop }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  await stop()
  throw new Error(`the product was not ready within ${seconds} s:\n${output}`)
}
