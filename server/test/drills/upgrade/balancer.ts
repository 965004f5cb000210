import { setTimeout as sleep } from 'node:timers/promises'

/** Apis behind one address, as a proxy has them: those that say that they are ready. */
export interface Balancer {
  /** Changes in place. */
  readonly apis: readonly { readonly address: string }[]
  add(address: string): void
  /** It is not asked any more. */
  forget(address: string): void
  close(): void
}

const lookEveryMs = 200

export function balancer(): Balancer {
  const known = new Set<string>()
  const apis: { address: string }[] = []
  let isClosed = false
  const look = async (address: string) => {
    while (!isClosed && known.has(address)) {
      const answer = await fetch(`${address}/readyz`, { headers: { connection: 'close' } }).catch(() => null)
      await answer?.arrayBuffer().catch(() => null)
      // Forgotten meanwhile.
      if (!known.has(address)) return
      const at = apis.findIndex((api) => api.address === address)
      if (answer?.status === 200 && at < 0) apis.push({ address })
      if (answer?.status !== 200 && at >= 0) apis.splice(at, 1)
      await sleep(lookEveryMs)
    }
  }
  return {
    apis,
    add(address) {
      known.add(address)
      void look(address)
    },
    forget(address) {
      known.delete(address)
      const at = apis.findIndex((api) => api.address === address)
      if (at >= 0) apis.splice(at, 1)
    },
    close() {
      isClosed = true
    },
  }
}
