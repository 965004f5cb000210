import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TransactionPooler {
  /** The connection string through it. */
  readonly url: string
  close(): void
}

interface Backend {
  readonly socket: Socket
  client: Socket | null
  rest: Buffer
}

/**
 * Stands before PostgreSQL as a pooler by transaction does: each client has a session to log in with, and then each of its transactions goes
 * to whichever session is idle, another one where there is one.
 */
export async function transactionPooler(databaseUrl: string): Promise<TransactionPooler> {
  const address = new URL(databaseUrl)
  const backends: Backend[] = []
  const sockets: Socket[] = []
  const server = createServer((client) => {
    const first: Backend = { socket: connect(`${address.searchParams.get('host')}/.s.PGSQL.5432`), client, rest: Buffer.alloc(0) }
    backends.push(first)
    sockets.push(client, first.socket)
    let last = first
    client.on('data', (bytes: Buffer) => {
      // X: the client says goodbye. Its session stays for others.
      if (bytes.length === 5 && bytes[0] === 'X'.charCodeAt(0)) return void client.end()
      const idle = backends.filter((one) => one.client === null)
      const at: Backend = backends.find((one) => one.client === client) ?? idle.find((one) => one !== last) ?? last
      at.client = client
      last = at
      at.socket.write(bytes)
    })
    first.socket.on('data', (bytes: Buffer) => {
      first.client?.write(bytes)
      first.rest = Buffer.concat([first.rest, bytes])
      // Messages: a letter, then the length of what follows, itself included. Z: ready for the next statement; I: in no transaction.
      for (; first.rest.length >= 5; ) {
        const length = 1 + first.rest.readInt32BE(1)
        if (first.rest.length < length) break
        if (first.rest[0] === 'Z'.charCodeAt(0) && first.rest[5] === 'I'.charCodeAt(0)) first.client = null
        first.rest = first.rest.subarray(length)
      }
    })
    for (const socket of [client, first.socket]) socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `postgres://${address.username}@127.0.0.1:${port}${address.pathname}`,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
