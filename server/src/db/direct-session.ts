import pg from 'pg'
import { requirePrimary } from './dropped-client.ts'
import { checkSession, connectTimeoutMs, keptAlive, parsers, withSession } from './session.ts'

/** LISTEN, a session's lock, or a presence: until closed. */
export interface Listening {
  close(): Promise<void>
}

/**
 * The one session of a process that stays: it LISTENs, holds session locks and the lock of the process's presence. It goes past a pooler, is
 * opened at its first use, and opened again whenever it breaks.
 */
export interface DirectSession {
  readonly connectionString: string
  /**
   * LISTENs on `channel`. A NOTIFY sent while the session is broken is lost: `onReconnect` is the moment to read the rows again.
   * @throws when PostgreSQL cannot be reached
   */
  listen(channel: string, onNotify: (payload: string) => void, onReconnect?: () => void): Promise<Listening>
  /**
   * Runs `enter` on the session, and again on each later one, before all else; `leave` when it is closed.
   * @throws when PostgreSQL cannot be reached, or what `enter` throws
   */
  hold(enter: (client: pg.ClientBase) => Promise<void>, leave: (client: pg.ClientBase) => Promise<unknown>): Promise<Listening>
  /**
   * Does the work under an advisory lock, which is exclusive over all processes and within this one. The signal tells that the session broke:
   * the lock may be another's then, and the work ends as soon as it can. `of` = which one of several works of the kind.
   * @returns false: the lock is held, and nothing was done
   */
  tryLock(lock: number, work: (lost: AbortSignal) => Promise<unknown>, of?: number): Promise<boolean>
  /** A short statement on the session as it is now. @throws where it is broken */
  query(text: string, values: unknown[]): Promise<unknown>
  close(): Promise<void>
}

interface Listener {
  readonly onNotify: (payload: string) => void
  readonly onReconnect: () => void
}

/**
 * Its statements take no time: an answer that does not come in so long never comes, and the session is given up. A busy machine may take some
 * seconds for one, and a presence that is given up interrupts runs.
 */
const usualAnswerMs = 40_000
const firstWaitMs = 200
const longestWaitMs = 2_000

export function directSession(connectionString: string, name: string, answerTimeoutMs = usualAnswerMs): DirectSession {
  let closed = false
  let client: pg.Client | null = null
  let opening: Promise<pg.Client> | null = null
  let turn: Promise<unknown> = Promise.resolve()
  const listeners = new Map<string, Set<Listener>>()
  const entries = new Set<(client: pg.ClientBase) => Promise<void>>()
  const locks = new Map<string, AbortController>()

  /** One statement after the other; where one gets no answer the session ends, and with it its locks. */
  const inTurn = <T>(on: pg.Client, work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work).catch((error: unknown) => {
      if (error instanceof Error && error.message === 'Query read timeout') void on.end()
      throw error
    })
    // A failure is for who waits for this one; the next in turn comes all the same.
    turn = done.catch(() => {})
    return done
  }

  const open = async (): Promise<pg.Client> => {
    const next = new pg.Client({
      connectionString: withSession(connectionString),
      types: parsers,
      application_name: name,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: answerTimeoutMs,
      ...keptAlive,
    })
    // `end` follows, and the session is opened again.
    next.on('error', () => {})
    next.on('notification', ({ channel, payload = '' }) => {
      for (const listener of listeners.get(channel) ?? []) listener.onNotify(payload)
    })
    try {
      await next.connect()
      await checkSession(next, connectionString)
      // A standby grants locks too, each of them beside those of the primary.
      await requirePrimary(next)
      for (const enter of entries) await enter(next)
      for (const channel of listeners.keys()) await next.query(`listen ${next.escapeIdentifier(channel)}`)
      if (closed) throw new Error('the session is closed')
    } catch (error) {
      // What is thrown is why; a connection that was never up has nothing to end.
      next.end().catch(() => {})
      throw error
    }
    next.once('end', () => void reopen())
    client = next
    return next
  }

  const reopen = async () => {
    client = null
    for (const lost of locks.values()) lost.abort()
    for (let wait = firstWaitMs; ; wait = Math.min(longestWaitMs, wait * 2)) {
      await new Promise((resolve) => setTimeout(resolve, wait).unref())
      if (closed) return
      try {
        await ready()
        break
      } catch {
        // Tried again after a longer wait.
      }
    }
    for (const some of listeners.values()) for (const listener of some) listener.onReconnect()
  }

  const ready = async (): Promise<pg.Client> => {
    if (client) return client
    opening ??= open().finally(() => {
      opening = null
    })
    return opening
  }

  return {
    connectionString,
    async listen(channel, onNotify, onReconnect = () => {}) {
      const on = await ready()
      const listener = { onNotify, onReconnect }
      const some = listeners.get(channel) ?? new Set()
      listeners.set(channel, some.add(listener))
      const leave = () => {
        some.delete(listener)
        return some.size === 0 && listeners.get(channel) === some && listeners.delete(channel)
      }
      try {
        await inTurn(on, () => on.query(`listen ${on.escapeIdentifier(channel)}`))
      } catch (error) {
        leave()
        throw error
      }
      return {
        close: async () => {
          const at = client
          // A session that cannot be told is ending, and what it listens to with it.
          if (leave() && at) await inTurn(at, () => at.query(`unlisten ${at.escapeIdentifier(channel)}`)).catch(() => {})
        },
      }
    },
    async hold(enter, leave) {
      const on = await ready()
      entries.add(enter)
      try {
        await inTurn(on, () => enter(on))
      } catch (error) {
        entries.delete(enter)
        throw error
      }
      return {
        close: async () => {
          entries.delete(enter)
          const at = client
          if (at) await inTurn(at, () => leave(at)).catch(() => at.end())
        },
      }
    },
    async tryLock(lock, work, of = 0) {
      const key = `${lock} ${of}`
      // A second lock of one session would be granted.
      if (locks.has(key)) return false
      const lost = new AbortController()
      locks.set(key, lost)
      try {
        const on = await ready()
        const { rows } = await inTurn(on, () => on.query<{ mine: boolean }>('select pg_try_advisory_lock($1, $2) as mine', [lock, of]))
        if (!rows[0]?.mine) return false
        try {
          await work(lost.signal)
          return true
        } finally {
          // A session that cannot give the lock back ends, and the lock with it.
          if (on === client) await inTurn(on, () => on.query('select pg_advisory_unlock($1, $2)', [lock, of])).catch(() => on.end())
        }
      } finally {
        locks.delete(key)
      }
    },
    query: async (text, values) => {
      const on = client
      if (!on) throw new Error('Connection terminated: the session is being opened again')
      return inTurn(on, () => on.query(text, values))
    },
    close: async () => {
      closed = true
      // Its asker has heard why it could not be opened; one that is broken has ended.
      await opening?.catch(() => {})
      await client?.end().catch(() => {})
    },
  }
}
