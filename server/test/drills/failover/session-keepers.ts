import { setTimeout as sleep } from 'node:timers/promises'
import type { TokenData } from '@convexa/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../../../src/db/tables.ts'
import { openSession } from '../../../src/user/sessions.ts'
import { insertUser } from '../../fixtures/run-rows.ts'

export interface SessionKeepers {
  /** Renewals that were answered. */
  renewals(): number
  /** Logins that were refused, and tokens of an answer that do not work. */
  readonly refused: string[]
  leave(): Promise<void>
}

/** Users who are logged in and renew the login again and again; without an answer the same is asked again, as a browser does. */
export function letSessionsBeKept(
  db: Kysely<Database>,
  apis: readonly { readonly address: string }[],
  random: () => number,
  count: number,
): SessionKeepers {
  const refused: string[] = []
  let renewals = 0
  let stop = false
  const ask = async (method: string, path: string, given: { token?: string; body?: object }) => {
    const api = apis[Math.floor(random() * apis.length)]!
    const response = await fetch(`${api.address}${path}`, {
      method,
      headers: { ...(given.token && { 'access-token': given.token }), ...(given.body && { 'content-type': 'application/json' }) },
      ...(given.body && { body: JSON.stringify(given.body) }),
    }).catch(() => null)
    return response && { status: response.status, json: (await response.json()) as { data: TokenData } }
  }
  const keep = async () => {
    const id = await insertUser(db)
    let pair: Pick<TokenData, 'access_token' | 'refresh_token'> = await openSession(db, { id, is_demo: false }, null)
    while (!stop) {
      const { access_token, refresh_token } = pair
      const renewed = await ask('PUT', '/v1/authorize/access-token', { body: { access_token, refresh_token } })
      if (renewed?.status === 200) {
        pair = renewed.json.data
        renewals++
        await sleep(50 + random() * 200)
        const seen = await ask('GET', '/v1/user/info', { token: pair.access_token })
        if (seen?.status === 401) refused.push('a token of an answer does not work')
      } else if (renewed?.status === 401) {
        refused.push('a renewal was refused')
        return
      } else await sleep(50)
    }
  }
  const all = Promise.all(Array.from({ length: count }, keep))
  return {
    ...{ refused, renewals: () => renewals },
    async leave() {
      stop = true
      await all
    },
  }
}
