import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { sqlStates } from '../base/sql-states.ts'
import type { Config } from '../config/config.ts'
import { type DirectSession, directSession } from './direct-session.ts'
import { dropUselessClient, requirePrimary } from './dropped-client.ts'
import { recordStatements } from './record.ts'
import { checkSession, connectTimeoutMs, idleInTransactionMs, keptAlive, parsers, refusedSession, withSession } from './session.ts'
import type { Database } from './tables.ts'

export interface Store {
  db: Kysely<Database>
  pool: pg.Pool
  /** Opened at its first use. */
  session: DirectSession
  close(): Promise<void>
}

export interface ConnectOptions {
  /** Address of the same database past a pooler, for the session: then the pool's connections keep no state. Default: the pool's. */
  directUrl?: string
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

/**
 * A pool on PostgreSQL, typed queries over it, and the session beside it. Connects at the first query, not here. Where the pool leads through a
 * pooler, a session takes its parameters from the role (`setRoleParameters`): a pooler refuses them in the first packet.
 */
export function connect(connectionString: string, options: ConnectOptions = {}): Store {
  const { name = 'convexa', statementTimeoutMs = 30_000, answerTimeoutMs, directUrl = connectionString } = options
  const isPooled = directUrl !== connectionString
  const timeouts = isPooled
    ? { query_timeout: Math.min(statementTimeoutMs, answerTimeoutMs ?? statementTimeoutMs) }
    : {
        statement_timeout: statementTimeoutMs,
        idle_in_transaction_session_timeout: idleInTransactionMs,
        ...(answerTimeoutMs !== undefined && { query_timeout: answerTimeoutMs }),
      }
  // Once a pool: what a server keeps of the first session it keeps of all.
  let checked: Promise<void> | null = null
  // A hook of pg-pool that its types do not know yet.
  const settings: pg.PoolConfig & { readonly onConnect: (client: pg.ClientBase) => Promise<void> } = {
    connectionString: isPooled ? connectionString : withSession(connectionString),
    onConnect: async (client) => {
      checked ??= checkSession(client, connectionString, isPooled).catch((error: unknown) => {
        checked = null
        throw error
      })
      await checked
      await requirePrimary(client)
    },
    types: parsers,
    application_name: name,
    max: options.max ?? 10,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: connectTimeoutMs,
    ...timeouts,
    ...keptAlive,
  }
  const pool = new pg.Pool(settings)
  const onError = options.onError ?? (() => {})
  pool.on('error', onError)
  // The pool listens to idle connections only: one that breaks between two statements of a transaction would end the process.
  pool.on('connect', (client) => {
    client.on('error', onError)
    dropUselessClient(client)
    recordStatements(client, options.directUrl !== undefined)
  })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  const session = directSession(directUrl, `${name}-session`)
  pools.set(db, pool)
  sessions.set(db, session)
  return { db, pool, session, close: () => Promise.all([db.destroy(), session.close()]).then(() => {}) }
}

/** As `connect`, with the pool and the direct address of the settings: the store of an api or a worker. */
export const connectRole = (
  { databaseDirectUrl, databasePool }: Pick<Config, 'databaseDirectUrl' | 'databasePool'>,
  connectionString: string,
  options: Pick<ConnectOptions, 'name' | 'statementTimeoutMs' | 'answerTimeoutMs' | 'onError'>,
): Store => connect(connectionString, { ...options, directUrl: databaseDirectUrl ?? connectionString, max: databasePool })

const pools = new WeakMap<object, pg.Pool>()

/** The pool below typed queries, for what they cannot say. */
export function poolOf(db: Kysely<Database>): pg.Pool {
  const pool = pools.get(db)
  if (!pool) throw new Error('no database of connect(), or a transaction')
  return pool
}

const sessions = new WeakMap<object, DirectSession>()

/** The session beside typed queries. */
export function sessionOf(db: Kysely<Database>): DirectSession {
  const session = sessions.get(db)
  if (!session) throw new Error('no database of connect(), or a transaction')
  return session
}

/** The database cannot be reached, or is starting or stopping: it may come. */
export function isUnreachable(error: unknown): boolean {
  const code = codeOf(error)
  const away = /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT|EAI_AGAIN|08|57P|25006)/
  return (code !== undefined && away.test(code)) || (error instanceof Error && /timeout/.test(error.message))
}

/** What a first connection failed on, as a sentence for the operator; null for any other error. */
export function connectProblem(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const refused = refusedSession(error)
  if (refused !== null) return refused
  const code = codeOf(error)
  if (code === sqlStates.readOnlyTransaction) return '数据库地址连到了只读的备用服务器：请让环境变量 DATABASE_URL 指向主库'
  if (isUnreachable(error)) return `连不上数据库（${code ?? '超时'}）：请检查环境变量 DATABASE_URL 和数据库是否已启动`
  if (code === sqlStates.invalidPassword || code === sqlStates.invalidAuthorization)
    return '数据库拒绝了用户名或密码：请检查环境变量 DATABASE_URL'
  if (isUntrusted(code)) return `数据库的证书没有通过验证（${code}）：请检查数据库地址中的主机名与 sslrootcert，或 NODE_EXTRA_CA_CERTS`
  if (code === sqlStates.invalidCatalogName) return '环境变量 DATABASE_URL 里的数据库不存在：请先建立它'
  return null
}

/** What Node says of a certificate under another name, of another authority, or out of date. */
const isUntrusted = (code: string | undefined): boolean =>
  code !== undefined && /^ERR_TLS_|^CERT_|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/.test(code)

/** Of several addresses of one host the first failure counts. */
function codeOf(error: unknown): string | undefined {
  const [first = error] = error instanceof AggregateError ? error.errors : []
  return (first as { code?: string }).code
}
