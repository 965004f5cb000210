import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { sqlStates } from '../base/sql-states.ts'
import { destroyTimedOutClient } from './client-timeout.ts'
import { recordStatements } from './record.ts'
import { checkSession, refusedSession, withSession } from './session.ts'
import type { Database } from './tables.ts'

export interface Store {
  db: Kysely<Database>
  pool: pg.Pool
  close(): Promise<void>
}

export interface ConnectOptions {
  /** Shown in pg_stat_activity. */
  name?: string
  /** Most connections at once. */
  max?: number
  /** A statement that takes longer is ended by PostgreSQL (57014). */
  statementTimeoutMs?: number
  /**
   * A statement without an answer for so long fails, and its connection is ended: the network swallows what is sent (a failover, a firewall
   * that forgets), which the system would notice after a quarter of an hour. Longer than any statement may take.
   */
  answerTimeoutMs?: number
  /** A connection broke while idle. The pool replaces it by itself; without a listener Node would end the process. */
  onError?: (error: Error) => void
}

/** bigint as number (our counts are below 2^53), date as `YYYY-MM-DD`; numeric stays text. */
const parsers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: string) => {
    if (format !== 'binary' && oid === pg.types.builtins.INT8) return Number
    if (format !== 'binary' && oid === pg.types.builtins.DATE) return (text: string) => text
    return pg.types.getTypeParser(oid, format as 'text')
  },
}

/** Milliseconds until a connection that does not open is given up. */
export const connectTimeoutMs = 3_000

/**
 * TCP keep-alive: a wait for an answer ends within half a minute after the other side is gone; the system's own first probe comes after two
 * hours.
 */
export const keptAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

/** A pool on PostgreSQL and typed queries over it. Connects at the first query, not here. */
export function connect(connectionString: string, options: ConnectOptions = {}): Store {
  // Once a pool: what a server keeps of the first session it keeps of all.
  let checked: Promise<void> | null = null
  // A hook of pg-pool that its types do not know yet.
  const settings: pg.PoolConfig & { readonly onConnect: (client: pg.ClientBase) => Promise<void> } = {
    connectionString: withSession(connectionString),
    onConnect: (client) => {
      checked ??= checkSession(client, connectionString).catch((error: unknown) => {
        checked = null
        throw error
      })
      return checked
    },
    types: parsers,
    application_name: options.name ?? 'convexa',
    max: options.max ?? 10,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    idle_in_transaction_session_timeout: 60_000,
    ...(options.answerTimeoutMs !== undefined && { query_timeout: options.answerTimeoutMs }),
    ...keptAlive,
  }
  const pool = new pg.Pool(settings)
  const onError = options.onError ?? (() => {})
  pool.on('error', onError)
  // The pool listens to idle connections only: one that breaks between two statements of a transaction would end the process.
  pool.on('connect', (client) => {
    client.on('error', onError)
    destroyTimedOutClient(client)
    recordStatements(client)
  })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, pool)
  return { db, pool, close: () => db.destroy() }
}

const pools = new WeakMap<object, pg.Pool>()

/** The pool below typed queries, for what they cannot say. */
export function poolOf(db: Kysely<Database>): pg.Pool {
  const pool = pools.get(db)
  if (!pool) throw new Error('no database of connect(), or a transaction')
  return pool
}

export interface Listening {
  close(): Promise<void>
}

/**
 * LISTENs on `channels` and goes on listening after the connection broke, trying every 0.2 to 2 s.
 * A NOTIFY sent meanwhile is lost: `onReconnect` is the moment to read the rows again.
 * @throws when the first connection fails
 */
export async function listen(
  connectionString: string,
  channels: readonly string[],
  onNotify: (channel: string, payload: string) => void,
  onReconnect: () => void = () => {},
): Promise<Listening> {
  let first = true
  return holdSession(connectionString, 'convexa-listen', async (client) => {
    client.on('notification', (message) => onNotify(message.channel, message.payload ?? ''))
    for (const channel of channels) await client.query(`listen ${client.escapeIdentifier(channel)}`)
    if (!first) onReconnect()
    first = false
  })
}

/**
 * One connection of its own that is made again whenever it breaks; `onConnect` runs on each new one (LISTEN, session locks).
 * @throws when the first connection or its `onConnect` fails, or its parameters are not kept (session.ts)
 */
export async function holdSession(
  connectionString: string,
  name: string,
  onConnect: (client: pg.Client) => Promise<void>,
): Promise<Listening> {
  let closed = false
  let client: pg.Client
  const open = async () => {
    const next = new pg.Client({
      connectionString: withSession(connectionString),
      types: parsers,
      application_name: name,
      connectionTimeoutMillis: connectTimeoutMs,
      ...keptAlive,
    })
    next.on('error', () => {})
    try {
      await next.connect()
      await checkSession(next, connectionString)
      await onConnect(next)
    } catch (error) {
      next.end().catch(() => {})
      throw error
    }
    next.once('end', () => void reopen())
    client = next
    if (closed) await next.end()
  }
  const reopen = async () => {
    for (let wait = 200; !closed; wait = Math.min(2_000, wait * 2)) {
      await new Promise((resolve) => setTimeout(resolve, wait).unref())
      if (closed) return
      try {
        return await open()
      } catch {
        // Tried again after a longer wait.
      }
    }
  }
  await open()
  return {
    close: async () => {
      closed = true
      await client.end().catch(() => {})
    },
  }
}

/** The database cannot be reached, or is starting or stopping: it may come. */
export function isUnreachable(error: unknown): boolean {
  const code = codeOf(error)
  const away = /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT|EAI_AGAIN|08|57P)/
  return (code !== undefined && away.test(code)) || (error instanceof Error && /timeout/.test(error.message))
}

/** What a first connection failed on, as a sentence for the operator; null for any other error. */
export function connectProblem(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const refused = refusedSession(error)
  if (refused !== null) return refused
  const code = codeOf(error)
  if (isUnreachable(error)) return `连不上数据库（${code ?? '超时'}）：请检查环境变量 DATABASE_URL 和数据库是否已启动`
  if (code === sqlStates.invalidPassword || code === sqlStates.invalidAuthorization)
    return '数据库拒绝了用户名或密码：请检查环境变量 DATABASE_URL'
  if (code === sqlStates.invalidCatalogName) return '环境变量 DATABASE_URL 里的数据库不存在：请先建立它'
  return null
}

/** Of several addresses of one host the first failure counts. */
function codeOf(error: unknown): string | undefined {
  const [first = error] = error instanceof AggregateError ? error.errors : []
  return (first as { code?: string }).code
}
