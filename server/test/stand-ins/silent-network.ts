import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A network between us and PostgreSQL that can swallow what is sent, as one does whose other side is gone. */
export interface SilentNetwork {
  /** The connection string through it. */
  readonly url: string
  swallows: boolean
  close(): void
}

export async function silentNetwork(databaseUrl: string): Promise<SilentNetwork> {
  const address = new URL(databaseUrl)
  const between: Socket[] = []
  const server = createServer((client) => {
    const database = connect(`${address.searchParams.get('host')}/.s.PGSQL.5432`)
    between.push(client, database)
    client.on('data', (bytes) => network.swallows || database.write(bytes))
    database.on('data', (bytes) => client.write(bytes))
    for (const socket of [client, database]) socket.on('error', () => {})
    client.on('close', () => database.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const network: SilentNetwork = {
    url: `postgres://${address.username}@127.0.0.1:${port}${address.pathname}`,
    swallows: false,
    close: () => {
      for (const socket of between) socket.destroy()
      server.close()
    },
  }
  return network
}
