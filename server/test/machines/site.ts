import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { freePort } from '../../../scripts/free-port.mjs'
import { hopelessExit } from '../../src/base/supervise.ts'
import type { StoreSettings } from '../../src/config/config.ts'
import { liveWorkers } from '../../src/db/process-registry.ts'
import type { Database } from '../../src/db/tables.ts'
import { childrenOf, type Process, startProcess } from '../fixtures/processes.ts'
import { fakeS3 } from '../stand-ins/fake-s3.ts'

/** An object store that several machines use, which may be killed. */
export interface SharedStore {
  /** Which server it is, as figures say it. */
  readonly name: string
  readonly environment: Readonly<Record<string, string>>
  readonly settings: StoreSettings
  kill(): Promise<void>
  restart(): Promise<void>
  close(): Promise<void>
}

/** Our stand-in in memory, where there is no real server. */
export async function standInStore(): Promise<SharedStore> {
  const fake = await fakeS3()
  const { accessKeyId, secretAccessKey } = fake.settings.keys!
  return {
    name: '自带的替身，不是真实的 S3 服务器',
    environment: { STORE_URL: fake.url, STORE_ACCESS_KEY_ID: accessKeyId, STORE_SECRET_ACCESS_KEY: secretAccessKey },
    ...{ settings: fake.settings, kill: fake.kill, restart: fake.restart, close: fake.close },
  }
}

/** A process that is started again whenever it ends, as by systemd, on a data directory of its own. */
export interface Machine {
  readonly name: string
  readonly role: 'api' | 'worker'
  readonly dataDir: string
  /** Of an api; '' of a worker. */
  readonly address: string
  pid(): number
  /** kill -9; it is started again. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export interface Site {
  readonly apis: readonly Machine[]
  readonly workers: readonly Machine[]
  /** Ends that nobody caused and no start was refused by: crashes. */
  readonly crashes: readonly string[]
  /** Starts that were refused in a sentence, while something that they need was away. */
  refusals(): number
  /** Every api and every worker takes work. */
  isReady(): Promise<boolean>
  stop(): Promise<void>
}

interface SiteGiven {
  readonly root: string
  readonly db: Kysely<Database>
  readonly databaseUrl: string
  readonly environment: Readonly<Record<string, string>>
  /** Processes of each api. */
  readonly processes: number
}

const againAfterMs = 100

/** Two apis and two workers, each with a folder of its own; they share a database and an object store, and nothing else. */
export async function openSite({ root, db, databaseUrl, environment, processes }: SiteGiven): Promise<Site> {
  const crashes: string[] = []
  let refusals = 0
  const keep = async (role: Machine['role'], letter: string): Promise<Machine & { readiness: string }> => {
    const name = `${role} ${letter}`
    const dataDir = join(root, `${role}-${letter}`)
    mkdirSync(dataDir)
    const [port, pages] = [await freePort(), await freePort()]
    const address = `http://127.0.0.1:${port}`
    const env = {
      ...{ ...environment, DATABASE_URL: databaseUrl, DATA_DIR: dataDir, LOG_LEVEL: 'fatal', TRUST_PROXY: '127.0.0.1' },
      ...(role === 'api' && { PORT: String(port), HOST: '127.0.0.1', API_PROCESSES: String(processes) }),
      // Of several processes the page of all of them says whether each is ready.
      ...(role === 'api' && processes > 1 && { METRICS_PORT: String(pages) }),
    }
    const errors = join(root, `${name.replace(' ', '-')}.log`)
    let isStopping = false
    const begin = (): Process => {
      const file = openSync(errors, 'a')
      const begun = startProcess(role, env, file)
      closeSync(file)
      begun.exited.then(async () => {
        const { code, signal } = begun.end()
        if (isStopping) return
        if (code === hopelessExit) refusals++
        else if (signal !== 'SIGKILL') crashes.push(`${name}: ${signal ?? code}: ${readFileSync(errors, 'utf8').slice(-500)}`)
        await sleep(againAfterMs)
        if (!isStopping) current = begin()
      })
      return begun
    }
    let current = begin()
    return {
      ...{ name, role, dataDir, address: role === 'api' ? address : '' },
      readiness: processes > 1 ? `http://127.0.0.1:${pages}/readyz` : `${address}/readyz`,
      pid: () => current.pid,
      kill: () => current.kill(),
      async stop() {
        isStopping = true
        await current.stop()
      },
    }
  }
  const apis = [await keep('api', 'a'), await keep('api', 'b')]
  const workers = [await keep('worker', 'a'), await keep('worker', 'b')]
  const answers = async (url: string) => (await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null))?.status === 200
  return {
    ...{ apis, workers, crashes, refusals: () => refusals },
    async isReady() {
      // While the database is away nobody knows.
      const ready = (await liveWorkers(db).catch(() => [])).filter((worker) => worker.ready)
      if (ready.length < workers.length) return false
      return (await Promise.all(apis.map(({ readiness }) => answers(readiness)))).every(Boolean)
    },
    stop: async () => void (await Promise.all([...apis, ...workers].map((machine) => machine.stop()))),
  }
}

/** One child of a machine: a process of an api, the compute child of a worker; null: it has none at this moment. */
export function childOf(machine: Machine, random: () => number): number | null {
  const children = childrenOf(machine.pid())
  return children[Math.floor(random() * children.length)] ?? null
}
