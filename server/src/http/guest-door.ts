import type { ServerResponse } from 'node:http'
import type { CallClass } from './admission.ts'
import type { Caller } from './caller.ts'
import { sessionIdOf } from './caller.ts'
import { guestTurns } from './guest-turns.ts'

/** Sessions of guests that this process has met, and the address that each shares limits by. */
const known = new Map<string, string>()
const mostKnown = 10_000

/** Requests of guests that one api has under way, and those that wait for a place: a page asks six at once. */
const inTurn = guestTurns({ inAll: 8, ofAddress: 4 }, { inAll: 120, ofAddress: 40 })

/** Requests of guests that wait for their turn: they cost nothing yet, and take no place of those that are worked on. */
const waiting: Record<CallClass, number> = { short: 0, long: 0, open: 0, free: 0 }
export const guestsWaiting = (kind: CallClass): number => waiting[kind]

/** Remembers the session as a guest's. */
export function meetGuest({ sessionId, guestOf }: Caller): void {
  if (guestOf === null) return
  if (known.size >= mostKnown) known.clear()
  known.set(sessionId, guestOf)
}

/**
 * Lets a guest's request in when there is a place, before the database is asked anything: a crowd of guests waits here, and not in
 * everybody's way. The place is free again with the end of the answer. A token that only claims such a session waits alike.
 * @throws ApiError 40029, 50301 too many wait already
 */
export async function enterAsKnownGuest(
  token: string | string[] | undefined,
  answer: ServerResponse,
  kind: CallClass = 'free',
): Promise<void> {
  const id = known.size > 0 && typeof token === 'string' ? sessionIdOf(token) : null
  const address = id === null ? undefined : known.get(id)
  if (address === undefined) return
  const gone = new AbortController()
  const ended = new Promise<void>((resolve) => {
    answer.once('close', () => {
      gone.abort()
      resolve()
    })
  })
  waiting[kind]++
  await new Promise<void>((enter, refuse) => {
    inTurn(address, gone.signal, () => {
      enter()
      return ended
    }).catch(refuse)
  }).finally(() => waiting[kind]--)
}
