import pg from 'pg'

/**
 * node-postgres gives up an answer after `query_timeout`, but its client goes on waiting for it, and back in the pool it would block its next
 * user. Ends such a client: its pool makes another.
 */
export function destroyTimedOutClient(client: pg.PoolClient): void {
  client.query = new Proxy(client.query, {
    apply(query, self, args) {
      const answer: unknown = Reflect.apply(query, self, args)
      if (answer instanceof Promise) {
        answer.catch((error: unknown) => {
          if (error instanceof Error && error.message === 'Query read timeout' && client instanceof pg.Client) void client.end()
        })
      }
      return answer
    },
  })
}
