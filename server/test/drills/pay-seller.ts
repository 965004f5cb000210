import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const host = fileURLToPath(new URL('./pay-host.ts', import.meta.url))

/** One process of a role, and the next one loaded beside it. */
export interface Seller {
  start(): Promise<void>
  /** Resolves when it has ended. */
  die(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** Of both. */
  end(): Promise<void>
}

export function seller(role: 'api' | 'worker', env: NodeJS.ProcessEnv): Seller {
  const load = () => {
    const child = fork(host, [role], { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    const loaded = told(child)
    // A failure is thrown where the spare is used; a spare that is never used is ended.
    loaded.catch(() => {})
    return { child, loaded }
  }
  let spare = load()
  let child: ChildProcess | null = null
  const die = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (!child) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
    child = null
  }
  return {
    async start() {
      const next = spare
      spare = load()
      await next.loaded
      const ready = told(next.child)
      next.child.send('go')
      await ready
      child = next.child
    },
    die,
    async end() {
      const gone = once(spare.child, 'exit')
      spare.child.kill('SIGKILL')
      await Promise.all([die('SIGTERM'), gone])
    },
  }
}

const told = (child: ChildProcess): Promise<unknown> =>
  Promise.race([once(child, 'message'), once(child, 'exit').then(() => Promise.reject(new Error('a host has ended')))])
