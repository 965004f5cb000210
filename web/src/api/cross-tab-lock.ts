import { atLeast, finite, text } from '../state/shapes.ts'
import { local } from '../state/storage.ts'

/** Mutex over the tabs of this browser: runs `work` while no other tab runs the work of that name; other tabs wait for it. */
export const withCrossTabLock = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  globalThis.navigator?.locks ? (navigator.locks.request(name, work) as Promise<T>) : leased(name, work)

interface Lease {
  by: string
  until: number
}
const shape = atLeast<Lease>({ by: text, until: finite })

/** Longer than the call that it covers; a tab that died with a lease holds the others up no longer. */
const life = 8_000
/** The tab that wrote last within this time holds the lease: storage reaches other tabs with a delay. */
const settle = 60

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** For pages without locks (plain http): a lease in storage. Not proof against every race; the server forgives two renewals within 10 s. */
async function leased<T>(name: string, work: () => Promise<T>): Promise<T> {
  const key = `lease:${name}`
  const by = Array.from(crypto.getRandomValues(new Uint8Array(8))).join('-')
  const free = () => {
    const lease = local.read(key, shape)
    return lease === null || lease.until < Date.now()
  }
  const mine = () => local.read(key, shape)?.by === by
  do {
    while (!free()) await wait(settle)
    local.write(key, { by, until: Date.now() + life })
    // Where nothing can be stored, no other tab shares the login either.
    if (!mine()) return work()
    await wait(settle)
  } while (!mine())
  try {
    return await work()
  } finally {
    if (mine()) local.remove(key)
  }
}
