import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../scripts/free-port.mjs'
import { runningEmbedded } from '../../src/db/embedded.ts'
import { clusterOf } from '../../src/db/postgres.ts'
import { testCode } from '../fixtures/code.ts'
import { childrenOf, isAlive, until } from '../fixtures/processes.ts'

const main = fileURLToPath(new URL('../../bin/start.mjs', import.meta.url))

/** A site as its operator starts it, on a data directory of its own. */
export interface BackedUpSite {
  readonly address: string
  /** Of its database. */
  url(): Promise<string>
  /** kill -9 of all its processes, the database included. */
  destroy(): Promise<void>
  stop(): Promise<void>
}

/** Resolves when it is ready. `env`: DATA_DIR and what else differs. */
export async function startSite(env: Record<string, string> & { readonly DATA_DIR: string }): Promise<BackedUpSite> {
  const port = await freePort()
  const { DATABASE_URL: _none, ...inherited } = process.env
  const all = { ...inherited, ...testCode, NODE_ENV: '', LIMIT_REQUESTS: '0', LOG_LEVEL: 'error', ...env, PORT: String(port) }
  const child: ChildProcess = spawn(process.execPath, [main], { env: all, detached: true, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const address = `http://127.0.0.1:${port}`
  await until(
    async () => (await fetch(`${address}/readyz`).catch(() => null))?.status === 200 || child.exitCode !== null,
    'the site is ready',
  )
  if (child.exitCode !== null) throw new Error(`the site has ended: ${child.exitCode}`)
  const postmaster = () => Number(readFileSync(join(env.DATA_DIR, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  const socketFolder = clusterOf(env.DATA_DIR).privateFolder
  return {
    address,
    url: async () => (await runningEmbedded(env.DATA_DIR)) ?? Promise.reject(new Error('the database of the site does not run')),
    async destroy() {
      const below = (pid: number): number[] => childrenOf(pid).flatMap((one) => [one, ...below(one)])
      const database = postmaster()
      const pids = [child.pid!, ...below(child.pid!), database, ...below(database)]
      for (const pid of pids) {
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // It ended with its parent.
        }
      }
      await until(async () => !pids.some(isAlive), 'all processes of the site have ended')
      rmSync(socketFolder, { recursive: true, force: true })
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      await ended
      if (existsSync(socketFolder)) rmSync(socketFolder, { recursive: true, force: true })
    },
  }
}
