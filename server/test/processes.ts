import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { readLine } from '@convexa/contract'
import type { Kysely } from 'kysely'
import { v7 as uuid } from 'uuid'
import { freePort } from '../../scripts/free-port.mjs'
import { liveWorkers } from '../src/db/process-registry.ts'
import type { Database } from '../src/db/tables.ts'
import { openSession } from '../src/user/sessions.ts'
import { testCode } from './code.ts'

// Real apis and workers as processes of their own, and what a user does with them.

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

export interface Process {
  readonly pid: number
  readonly exited: Promise<void>
  /** kill -9. */
  kill(): Promise<void>
  /** SIGTERM, and waits for the end. */
  stop(): Promise<void>
}

export interface Api extends Process {
  readonly address: string
}

/** One api on a free port of its own; resolves when it answers. */
export async function startApiProcess(env: Record<string, string>): Promise<Api> {
  const port = await freePort()
  const started = start('api', { ...env, PORT: String(port), HOST: '127.0.0.1' })
  const address = `http://127.0.0.1:${port}`
  await untilUp(started, async () => (await fetch(`${address}/healthz`).catch(() => null))?.ok === true, 'the api answers')
  return { ...started, address }
}

export interface WorkerProcess extends Process {
  /** Its row in the table `process`. */
  readonly processId: string
}

/** One worker; resolves when the database knows it. Not two at once: the new row is taken for this one's. */
export async function startWorkerProcess(env: Record<string, string>, db: Kysely<Database>): Promise<WorkerProcess> {
  const known = new Set((await liveWorkers(db)).map(({ id }) => id))
  const started = start('worker', env)
  let processId = ''
  await untilUp(
    started,
    async () => {
      processId = (await liveWorkers(db)).find(({ id }) => !known.has(id))?.id ?? ''
      return processId !== ''
    },
    'the worker is announced',
  )
  return { ...started, processId }
}

function start(role: string, env: Record<string, string>): Process {
  const child: ChildProcess = fork(main, [role], {
    env: {
      ...process.env,
      ...testCode,
      LOG_LEVEL: 'error',
      CHECK_ANSWERS: '1',
      CALL_PATIENCE: '5',
      STREAM_GRACE_SECONDS: '0',
      LIMIT_REQUESTS: '0',
      CONNECTIONS_PER_ADDRESS: '100000',
      PREPARE_LISTS: '0',
      ...env,
    },
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit').then(() => {})
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await exited
  }
  return { pid: child.pid!, exited, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}

/** Resolves when it is up, however long a busy machine takes for that; rejects when it has ended instead. */
async function untilUp({ exited }: Process, isUp: () => Promise<boolean>, what: string): Promise<void> {
  let ended = false
  exited.then(() => {
    ended = true
  })
  await until(async () => ended || (await isUp()), what, 60_000)
  if (ended) throw new Error(`the process has ended: ${what}`)
}

/** Waits for a fact, as long as a machine that is asked for ten times what it can do may need for it. */
export async function until(true_: () => Promise<boolean>, what: string, ms = 120_000): Promise<void> {
  const end = performance.now() + ms
  while (!(await true_())) {
    if (performance.now() > end) throw new Error(`waited in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

export interface TestUser {
  readonly id: string
  readonly token: string
}

/** A logged-in user; `level` 1 is VIP. */
export async function newUser(db: Kysely<Database>, level = 0): Promise<TestUser> {
  const id = uuid()
  await db
    .insertInto('app_user')
    .values({ id, account: `${id}@test.example`, nickname: '测试', password_hash: null, vip_level: level })
    .execute()
  const { access_token } = await openSession(db, { id, is_demo: false }, null)
  return { id, token: access_token }
}

export interface Answer<T = unknown> {
  readonly status: number
  readonly code: number
  readonly msg: string
  readonly data: T
}

/** One call with its envelope. */
export async function call<T>(api: { address: string }, user: TestUser, method: string, path: string, body?: unknown): Promise<Answer<T>> {
  const response = await fetch(`${api.address}${path}`, {
    method,
    headers: { 'access-token': user.token, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, ...((await response.json()) as Omit<Answer<T>, 'status'>) }
}

/** An answer as it travels, and its text; `headers` may say what is taken, `body` makes it a POST. */
export async function rawCall(api: { address: string }, user: TestUser, path: string, { body, ...headers }: Record<string, string>) {
  const { hostname, port } = new URL(api.address)
  const method = body === undefined ? 'GET' : 'POST'
  const all = { 'access-token': user.token, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers }
  const sent = request({ hostname, port, path, method, headers: all })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const bytes = await buffer(response)
  const text = (response.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()
  return { status: response.statusCode, headers: response.headers, bytes, text }
}

/** An event of a stream, or its error line, or its end without either. */
export type Told =
  | { kind: 'event'; at: number; event: Record<string, unknown> & { type: string } }
  | { kind: 'error'; at: number; code: number; message: string }
  | { kind: 'cut'; at: number }

export interface Stream {
  readonly told: Told[]
  /** Resolves with the last thing told. */
  readonly ended: Promise<Told>
  /** Resolves with the first event of a type; rejects when the stream ends without one. */
  first(type: string): Promise<Record<string, unknown>>
  close(): void
}

/** Opens a backtest stream and reads it to its end. */
export function openStream(api: { address: string }, user: TestUser, path: string, body: unknown): Stream {
  const abort = new AbortController()
  const told: Told[] = []
  const waiting = new Set<() => void>()
  const tell = (one: Told) => {
    told.push(one)
    for (const wake of waiting) wake()
  }
  const ended = (async (): Promise<Told> => {
    try {
      const response = await fetch(`${api.address}${path}`, {
        method: 'POST',
        headers: { 'access-token': user.token, 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify(body),
        signal: abort.signal,
      })
      if (response.status !== 200) throw new Error(`HTTP ${response.status}: ${await response.text()}`)
      let text = ''
      const decoder = new TextDecoder()
      for await (const part of response.body!) {
        text += decoder.decode(part, { stream: true })
        const lines = text.split('\n\n')
        text = lines.pop()!
        for (const line of lines) if (line.startsWith('data:')) tell(parsed(line))
      }
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('HTTP')) throw error
    }
    const last = told.at(-1)
    if (last?.kind === 'error' || (last?.kind === 'event' && last.event.type === 'result')) return last
    tell({ kind: 'cut', at: performance.now() })
    return told.at(-1)!
  })()
  ended.catch(() => {})
  return {
    told,
    ended,
    first: (type) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = told.find((one) => one.kind === 'event' && one.event.type === type)
          const last = told.at(-1)
          if (found?.kind === 'event') resolve(found.event)
          else if (last?.kind === 'error' || last?.kind === 'cut') reject(new Error(`no ${type}: ${JSON.stringify(last)}`))
          else return
          waiting.delete(look)
        }
        waiting.add(look)
        look()
        ended.catch(reject)
      }),
    close: () => abort.abort(),
  }
}

function parsed(line: string): Told {
  const at = performance.now()
  const read = readLine(line.slice('data:'.length))
  if (read?.kind === 'success') return { kind: 'event', at, event: JSON.parse(read.payload) }
  if (read?.kind === 'error') return { kind: 'error', at, code: read.code, message: read.message }
  throw new Error(`an unparsable line: ${line}`)
}

/** Children of a process, as the system knows them. */
export function childrenOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  return stdout.split(/\s+/).filter(Boolean).map(Number)
}

export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  // A zombie has ended; its parent has not reaped it yet.
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z')
}
