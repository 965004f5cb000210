import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** One address before several servers, as HAProxy or a `-rw` service gives it. */
export interface Forwarder {
  readonly port: number
  /** What is sent either way is swallowed, as on a line that is cut and does not say so. */
  swallows: boolean
  /** New connections lead to this socket; all that led elsewhere are closed. */
  pointAt(socket: string): void
  close(): Promise<void>
}

export async function forwarder(target: string): Promise<Forwarder> {
  const open = new Set<Socket>()
  let to = target
  const closeAll = () => {
    for (const socket of open) socket.destroy()
  }
  const server = createServer((near) => {
    const far = connect(to)
    const ends = [near, far]
    for (const socket of ends) {
      open.add(socket)
      socket.setNoDelay()
      const other = socket === near ? far : near
      socket.on('data', (bytes) => {
        if (!it.swallows) other.write(bytes)
      })
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const it: Forwarder = {
    port: (server.address() as AddressInfo).port,
    swallows: false,
    pointAt(socket) {
      to = socket
      closeAll()
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      closeAll()
      await closed
    },
  }
  return it
}
