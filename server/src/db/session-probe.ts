import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { StartError } from '../base/start-error.ts'
import { connectTimeoutMs, withSession } from './session.ts'

const reads = 8

/**
 * A direct address keeps a session: a setting of it stays, on the same server process, while other sessions work beside it. A pooler that shares
 * connections by transaction does not keep it; LISTEN and session locks would be lost without an error.
 * @throws StartError, else the connection's own error
 */
export async function requireSessions(connectionString: string): Promise<void> {
  const connectionOf = (name: string) =>
    new pg.Client({ connectionString: withSession(connectionString), application_name: name, connectionTimeoutMillis: connectTimeoutMs })
  const clients = ['convexa-probe', 'convexa-probe-beside', 'convexa-probe-beside'].map(connectionOf)
  for (const client of clients) client.on('error', () => {})
  const [probe, ...beside] = clients
  try {
    await Promise.all(clients.map((client) => client.connect()))
    const nonce = randomUUID()
    await probe!.query(`select set_config('convexa.probe', $1, false)`, [nonce])
    const found = new Set<string>()
    for (let read = 0; read < reads; read++) {
      const [{ rows }] = await Promise.all([
        probe!.query<{ state: string }>(`select concat(current_setting('convexa.probe', true), ' ', pg_backend_pid()) as state`),
        ...beside.map((client) => client.query('select pg_backend_pid()')),
      ])
      found.add(rows[0]!.state)
    }
    const [state = ''] = found
    if (found.size !== 1 || !state.startsWith(`${nonce} `))
      throw new StartError('数据库地址经过了事务级连接池，无法保持会话：请把 DATABASE_DIRECT_URL 设为直连数据库的地址')
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})))
  }
}
