import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig, type StoreSettings } from '../../src/config/config.ts'

export interface RealS3 {
  /** As `STORE_URL`, with the variables of its keys. */
  readonly environment: Readonly<Record<string, string>>
  readonly settings: StoreSettings
  /** Of the server that we started, for drills that kill it; null: it is somebody else's. */
  readonly folder: string | null
  kill(): Promise<void>
  /** Starts it again on what it had, after `kill`. */
  restart(): Promise<void>
  close(): Promise<void>
}

const root = join(import.meta.dirname, '../../..')
const program = 'versitygw'
export const noRealS3 = '未找到 S3 服务器：请将 versitygw 放入 .cache/bin，或设置 S3_TEST_URL'

/** versitygw in PATH or in `.cache/bin`. */
function findVersitygw(): string | null {
  const folders = [join(root, '.cache/bin'), ...(process.env.PATH ?? '').split(delimiter)]
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? null
}

/** A real S3 server: the one of `S3_TEST_URL` with the keys of STORE_*, else versitygw on a folder of its own; null: there is none. */
export async function realS3(): Promise<RealS3 | null> {
  const given = process.env.S3_TEST_URL
  if (given) {
    const environment = { STORE_URL: given, ...keysOf(process.env) }
    const none = async () => {}
    return { environment, settings: settingsOf(environment), folder: null, kill: none, restart: none, close: none }
  }
  const path = findVersitygw()
  if (path === null) return null
  const folder = await mkdtemp(join(tmpdir(), 'convexa-s3-'))
  await mkdir(join(folder, 'convexa'))
  const keys = { ROOT_ACCESS_KEY: 'convexatest', ROOT_SECRET_KEY: 'convexa-test-secret' }
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  let child: ChildProcess | null = null
  const ended = async () => {
    const running = child
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const gone = new Promise((resolve) => running.once('exit', resolve))
    running.kill('SIGKILL')
    await gone
  }
  const start = async () => {
    child = spawn(path, ['--port', `127.0.0.1:${port}`, 'posix', folder], { env: { ...process.env, ...keys }, stdio: 'ignore' })
    for (let tries = 0; tries < 300; tries++) {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`)
      const isThere = await fetch(endpoint).then(
        () => true,
        () => false,
      )
      if (isThere) return
      await sleep(100)
    }
    throw new Error(`${program} does not answer`)
  }
  await start()
  const environment = {
    STORE_URL: `s3://convexa/site?endpoint=${endpoint}&region=us-east-1&path_style=1`,
    STORE_ACCESS_KEY_ID: keys.ROOT_ACCESS_KEY,
    STORE_SECRET_ACCESS_KEY: keys.ROOT_SECRET_KEY,
  }
  return {
    ...{ environment, settings: settingsOf(environment), folder },
    kill: ended,
    restart: start,
    async close() {
      await ended()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function settingsOf(environment: Record<string, string>): StoreSettings {
  const reading = readConfig(environment)
  if (!reading.ok || !reading.config.store) throw new Error(reading.ok ? 'no store' : reading.problems.join('；'))
  return reading.config.store
}

const keysOf = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(
    ['STORE_ACCESS_KEY_ID', 'STORE_SECRET_ACCESS_KEY', 'STORE_SESSION_TOKEN'].flatMap((name) => (env[name] ? [[name, env[name]]] : [])),
  )

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
