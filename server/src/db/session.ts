import pg from 'pg'
import { StartError } from '../base/start-error.ts'

/**
 * What a session is read and written by. A server, a database or a role may have other values of its own, so each session sets them in its
 * first packet.
 */
const parameters = {
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  standard_conforming_strings: 'on',
  bytea_output: 'hex',
  // The shortest text that is the same number.
  extra_float_digits: '1',
  default_transaction_isolation: 'read committed',
  // Where `DATABASE_URL` names another one in `options`, that one holds.
  search_path: 'public',
} as const

/** bigint as number (our counts are below 2^53), date as `YYYY-MM-DD`; numeric stays text. */
export const parsers: pg.CustomTypesConfig = {
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

/** A transaction whose program died, or forgot it, gives its locks back after so long. */
export const idleInTransactionMs = 60_000

/** The connection string with the parameters of a session in its `options`; what it has there already holds and is not asked about. */
export function withSession(connectionString: string): string {
  const [address = '', query = ''] = split(connectionString)
  const search = new URLSearchParams(query)
  const given = search.get('options') ?? ''
  const ours = Object.entries(parameters).map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
  // Of two settings of one name the later holds.
  search.set('options', [...ours, ...(given ? [given] : [])].join(' '))
  return `${address}?${search}`
}

/**
 * Makes the parameters those of the role in this database, for sessions that a pooler opens: it refuses them in a first packet. They hold for
 * connections that the pooler opens from now on.
 */
export async function setRoleParameters(client: pg.ClientBase | pg.Pool, statementTimeoutMs = 30_000): Promise<void> {
  const all = {
    ...parameters,
    statement_timeout: `${statementTimeoutMs}ms`,
    idle_in_transaction_session_timeout: `${idleInTransactionMs}ms`,
  }
  const { rows } = await client.query<{ database: string }>('select current_database() as database')
  const database = pg.escapeIdentifier(rows[0]!.database)
  for (const [name, value] of Object.entries(all)) {
    await client.query(`alter role current_user in database ${database} set ${name} to ${listed(value)}`)
  }
}

/** A list of names, as DateStyle's, is one literal each. */
const listed = (value: string): string =>
  value
    .split(', ')
    .map((one) => pg.escapeLiteral(one))
    .join(', ')

/**
 * Reads the parameters back.
 * @throws StartError where something between us and the server does not keep them
 */
export async function checkSession(client: pg.ClientBase, connectionString: string, isPooled = false): Promise<void> {
  const given = new URLSearchParams(split(connectionString)[1]).get('options') ?? ''
  const names = Object.keys(parameters).filter((name) => !new RegExp(`\\b${name}\\s*=`, 'i').test(given))
  const { rows } = await client.query<{ name: string; value: string }>(
    `select name, current_setting(name) as value from unnest($1::text[]) as name`,
    [names],
  )
  for (const { name, value } of rows) {
    const wanted = parameters[name as keyof typeof parameters]
    if (value === wanted) continue
    if (isPooled)
      throw new StartError(
        `经连接池的数据库会话的设置 ${name} 应为 ${wanted}，实际为 ${value}：请先运行 ./convexa migrate，它为该角色写入这些设置，再让连接池重新连接数据库`,
      )
    throw new StartError(
      `数据库会话的设置 ${name} 应为 ${wanted}，实际为 ${value}：连接池（如 PgBouncer）没有传递启动参数 options，请直接连接 PostgreSQL，或让连接池传递它`,
    )
  }
}

/** What the server said to a first packet that it does not know, as a sentence; null: another error. */
export const refusedSession = (error: Error): string | null =>
  /unsupported startup parameter/i.test(error.message)
    ? `连接池不接受启动参数（${error.message}）：请把 DATABASE_DIRECT_URL 设为直连数据库的地址`
    : null

function split(connectionString: string): [address: string, query: string] {
  const at = connectionString.indexOf('?')
  return at < 0 ? [connectionString, ''] : [connectionString.slice(0, at), connectionString.slice(at + 1)]
}
