import type { ClientBase } from 'pg'
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
 * Reads the parameters back.
 * @throws StartError where something between us and the server does not keep them
 */
export async function checkSession(client: ClientBase, connectionString: string): Promise<void> {
  const given = new URLSearchParams(split(connectionString)[1]).get('options') ?? ''
  const names = Object.keys(parameters).filter((name) => !new RegExp(`\\b${name}\\s*=`, 'i').test(given))
  const { rows } = await client.query<{ name: string; value: string }>(
    `select name, current_setting(name) as value from unnest($1::text[]) as name`,
    [names],
  )
  for (const { name, value } of rows) {
    const wanted = parameters[name as keyof typeof parameters]
    if (value === wanted) continue
    throw new StartError(
      `数据库会话的设置 ${name} 应为 ${wanted}，实际为 ${value}：连接池（如 PgBouncer）没有传递启动参数 options，请直接连接 PostgreSQL，或让连接池传递它`,
    )
  }
}

/** What the server said to a first packet that it does not know, as a sentence; null: another error. */
export const refusedSession = (error: Error): string | null =>
  /unsupported startup parameter/i.test(error.message)
    ? `连接池不接受启动参数（${error.message}）：请直接连接 PostgreSQL，或让连接池传递 options`
    : null

function split(connectionString: string): [address: string, query: string] {
  const at = connectionString.indexOf('?')
  return at < 0 ? [connectionString, ''] : [connectionString.slice(0, at), connectionString.slice(at + 1)]
}
