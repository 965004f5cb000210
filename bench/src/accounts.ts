/**
 * `npm run bench:accounts`: logins, refreshes, token checks and verification checks a second, over real HTTP against one api on a
 * PostgreSQL of its own that syncs every commit. Prints one table and writes it to bench/ACCOUNTS.md. Both processes share the machine.
 */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TokenData } from '@convexa/contract'
import { claimDataDir } from '@convexa/server/base/data-dir'
import { entryFile } from '@convexa/server/base/program-files'
import { readConfig } from '@convexa/server/config/config'
import { connect } from '@convexa/server/db/connect'
import { migrate } from '@convexa/server/db/migrate'
import { clusterOf, connectionStringOf, ensureCluster, startPostgres, stopPostgres } from '@convexa/server/db/postgres'
import { createUser } from '@convexa/server/user/administration'
import { settleSecret } from '@convexa/server/user/secret-check'
import { freePort } from '../../scripts/free-port.mjs'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const secondsEach = 5
const users = 100
const password = 'a password of the bench'

const dataDir = mkdtempSync(join(tmpdir(), 'convexa-bench-'))
claimDataDir(dataDir)
const cluster = clusterOf(dataDir)
await ensureCluster(cluster)
const running = await startPostgres(cluster)
if (!running) throw new Error('no PostgreSQL')
const url = connectionStringOf(running, 'postgres')
const store = connect(url)
await migrate(store.db)
const settings = {
  DATABASE_URL: url,
  DATA_DIR: dataDir,
  SECRET_KEY: 'only for the bench '.repeat(3),
  LOG_LEVEL: 'fatal',
  TRUST_PROXY: '127.0.0.1',
}
const reading = readConfig(settings, 'api')
if (!reading.ok) throw new Error(reading.problems.join())
await settleSecret({ db: store.db, config: reading.config })
const accounts = Array.from({ length: users }, (_, i) => `user${i}@bench.example`)
for (const address of accounts) await createUser({ db: store.db, config: reading.config }, { address, password })

const port = await freePort()
const address = `http://127.0.0.1:${port}`
const api = fork(entryFile('main'), ['api'], {
  env: { ...process.env, LIMIT_REQUESTS: '0', CONNECTIONS_PER_ADDRESS: '100000', ...settings, PORT: String(port) },
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
})
while (!(await fetch(`${address}/healthz`).catch(() => null))) await new Promise((resolve) => setTimeout(resolve, 50))

/** Each from an address of its own, so that no limit is what is measured. */
let visitor = 0
const from = () => `10.${(visitor >> 8) & 255}.${visitor++ & 255}.7`
async function ask(method: string, path: string, body?: object, token?: string) {
  const response = await fetch(address + path, {
    method,
    headers: { 'x-forwarded-for': from(), ...(body && { 'content-type': 'application/json' }), ...(token && { 'access-token': token }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as { code: number; data: TokenData } }
}
const login = (i: number) => ask('POST', '/v1/authorize/access-token/by-password', { account: accounts[i % users], password })

const pairs = await inTurn(users, async (i) => (await login(i)).body.data)

interface Case {
  readonly name: string
  readonly atOnce: number
  readonly right: number
  readonly call: (lane: number, turn: number) => Promise<number>
}
const cases: Case[] = [
  { name: 'logins', atOnce: 8, right: 200, call: async (lane, turn) => (await login(lane + turn * 8)).status },
  {
    name: 'refreshes',
    atOnce: 16,
    right: 200,
    call: async (lane) => {
      const { refresh_token, access_token } = pairs[lane] as TokenData
      const { status, body } = await ask('PUT', '/v1/authorize/access-token', { refresh_token, access_token })
      if (status === 200) pairs[lane] = body.data
      return status
    },
  },
  {
    name: 'token checks (`GET /v1/user/login-records`)',
    atOnce: 16,
    right: 200,
    call: async (lane) => (await ask('GET', '/v1/user/login-records?limit=1', undefined, pairs[lane]?.access_token)).status,
  },
  {
    name: 'verification checks (a code that is not there)',
    atOnce: 16,
    right: 400,
    call: async (lane) =>
      (
        await ask('POST', `/v1/user/user${lane}@bench.example/new-password`, {
          verification_code: '000000',
          new_password: 'another password of the bench',
        })
      ).status,
  },
]
const lines: string[] = []
for (const one of cases) lines.push(await measure(one))
lines.push(await burst())

api.kill('SIGTERM')
await once(api, 'exit')
await store.close()
await stopPostgres(running)
rmSync(dataDir, { recursive: true, force: true })

const page = [
  '# Accounts, timed',
  '',
  `${new Date().toISOString().slice(0, 16)}Z · Node ${process.version} · ${cpus()[0]?.model ?? 'unknown'} × ${cpus().length} · ${Math.round(totalmem() / 2 ** 30)} GB · load ${loadavg()[0]?.toFixed(1)}`,
  '',
  '| case | at once | a second | p50 | p99 | otherwise answered |',
  '|---|---|---|---|---|---|',
  ...lines,
  '',
  `Milliseconds, over HTTP on one machine that also runs the caller and PostgreSQL (fsync on); ${secondsEach} s each after a second of warming. argon2id 46 MiB, two at once, 64 waiting.`,
  'The burst: 500 logins at the same moment; those beyond the queue are told 50302 at once. Its last column is what other calls take meanwhile.',
  '',
].join('\n')
console.log(page)
await writeFile(here('../ACCOUNTS.md'), page)

async function measure({ name, atOnce, right, call }: Case): Promise<string> {
  const ms: number[] = []
  let others = 0
  const warmUntil = performance.now() + 1_000
  const until = warmUntil + secondsEach * 1_000
  await Promise.all(
    Array.from({ length: atOnce }, async (_, lane) => {
      for (let turn = 0; performance.now() < until; turn++) {
        const began = performance.now()
        const status = await call(lane, turn)
        if (began < warmUntil) continue
        if (status === right) ms.push(performance.now() - began)
        else others++
      }
    }),
  )
  return `| ${[name, atOnce, Math.round(ms.length / secondsEach), at(ms, 0.5), at(ms, 0.99), others].join(' | ')} |`
}

async function burst(): Promise<string> {
  const other: number[] = []
  let over = false
  const watching = (async () => {
    while (!over) {
      const began = performance.now()
      await ask('GET', '/v1/user/login-records?limit=1', undefined, pairs[50]?.access_token)
      other.push(performance.now() - began)
    }
  })()
  const began = performance.now()
  const all = await Promise.all(
    Array.from({ length: 500 }, async (_, i) => {
      const { status, body } = await login(i)
      return { status, code: body.code, ms: performance.now() - began }
    }),
  )
  over = true
  await watching
  const done = all.filter(({ status }) => status === 200).map(({ ms }) => ms)
  const refused = all.filter(({ code }) => code === 50302).length
  const rest = all.length - done.length - refused
  const wall = Math.max(...all.map(({ ms }) => ms)) / 1_000
  const told = `${refused} × 50302${rest ? `, ${rest} else` : ''}; other calls p99 ${at(other, 0.99)}`
  return `| ${['burst of 500 logins', 500, Math.round(done.length / wall), at(done, 0.5), at(done, 0.99), told].join(' | ')} |`
}

function at(values: number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b)
  const value = sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
  return value < 10 ? value.toFixed(1) : value.toFixed(0)
}

async function inTurn<T>(count: number, make: (i: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  for (let i = 0; i < count; i++) made.push(await make(i))
  return made
}
