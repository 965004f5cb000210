import pg from 'pg'
import { sqlStates } from '../base/sql-states.ts'

/** The server is stopping, crashed or starting (57P01 to 57P03), or is no primary. */
const goneStates = new Set<unknown>(['57P01', '57P02', '57P03', sqlStates.readOnlyTransaction])

/**
 * Ends a client that is of no more use, so that its pool makes another. node-postgres gives up an answer after `query_timeout`, but its client
 * goes on waiting for it, and back in the pool it would block its next user. After a failover a connection may lead to the old primary, which
 * takes no writes any more.
 *
 * A commit that no standby has confirmed fails. PostgreSQL answers one that somebody cancels in the wait for its synchronous standby with a
 * warning and success: what was written is here, and gone when the standby takes over (patroni/patroni#1412).
 */
export function dropUselessClient(client: pg.ClientBase): void {
  let isUnconfirmed = false
  client.on('notice', ({ routine }) => {
    if (routine === waitForStandby) isUnconfirmed = true
  })
  const confirmed = (): Error | null => {
    if (!isUnconfirmed) return null
    isUnconfirmed = false
    return Object.assign(new Error('no standby has confirmed the commit'), { code: sqlStates.transactionResolutionUnknown })
  }
  client.query = new Proxy(client.query, {
    apply(query, self, args) {
      const last: unknown = args.at(-1)
      if (typeof last === 'function')
        return Reflect.apply(query, self, [...args.slice(0, -1), (error: unknown, result: unknown) => last(error ?? confirmed(), result)])
      const answer: unknown = Reflect.apply(query, self, args)
      if (!(answer instanceof Promise)) return answer
      return answer.then(
        (result) => {
          const error = confirmed()
          if (error) throw error
          return result
        },
        (error: unknown) => {
          if (isUseless(error) && client instanceof pg.Client) void client.end()
          throw error
        },
      )
    },
  })
}

/** Where in PostgreSQL the warning comes from; its words are in the server's language. */
const waitForStandby = 'SyncRepWaitForLSN'

const isUseless = (error: unknown): boolean =>
  error instanceof Error && (error.message === 'Query read timeout' || ('code' in error && goneStates.has(error.code)))

/** @throws an error as PostgreSQL answers a write on a standby: the address may lead to the primary at the next try */
export async function requirePrimary(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
  if (rows[0]?.standby) throw Object.assign(new Error('the server is a standby'), { code: sqlStates.readOnlyTransaction })
}
