import { setTimeout as sleep } from 'node:timers/promises'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { runStatus } from '@convexa/contract/enums/run-status'
import type { Kysely } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { Database } from '../../src/db/tables.ts'
import { newUser, openStream, type Stream, type TestUser, type Told } from '../fixtures/processes.ts'
import { parameters, request } from '../fixtures/requests.ts'

/** What users of a site met, as long as they were there. */
export interface Seen {
  /** Answers by HTTP status, 0: the connection broke. */
  readonly statuses: Map<number, number>
  /** HTTP 500, and everything else that is neither an answer nor 503 with Retry-After. */
  readonly wrong: string[]
  /** Ended runs: `result`, or the code of the error. */
  readonly runs: Map<string, number>
  /** Runs of which nothing more was heard, or that a repeated click did not find again. */
  readonly lostRuns: string[]
  /** Finished runs by id, each with its user. */
  readonly finished: Map<string, TestUser>
  /** Clicks that were made again because their answer broke off. */
  repeated: number
  /** Where a code was sent to, as the api said. */
  readonly codes: string[]
  /** Registered by a code: the token of the new account. */
  readonly registered: TestUser[]
  /** Strategies whose saving was acknowledged. */
  readonly saved: { readonly id: string; readonly user: TestUser }[]
}

export interface Users {
  readonly seen: Seen
  /** So many more actions of all of them together; before the first call they do as many as they can. */
  allow(actions: number): void
  /** They finish what they are about. */
  leave(): Promise<void>
}

interface Given {
  readonly db: Kysely<Database>
  readonly apis: readonly { readonly address: string }[]
  readonly count: number
  readonly random: () => number
  readonly range: { readonly start: string; readonly end: string }
  /** The code that has arrived at an address; null: none yet. */
  readonly codeAt: (target: string) => string | null
}

export const cb = '/v1/quant/convertible-bond'
/** An answer that has not come after so long never comes. */
const silentMs = 60_000
const silentRunMs = 240_000
const mostClicks = 200
const comeAgain: ReadonlySet<number> = new Set([errorCodes.busy, errorCodes.queueFull])
const actionsOfOne = 100
/** The whole site may send 2,000 in an hour before it wants a human check. */
const mostCodes = 1_500

/** Users who screen, backtest, save, and register, each at any of the apis, one thing after the other. */
export function letUsersIn({ db, apis, count, random, range, codeAt }: Given): Users {
  const seen: Seen = {
    ...{ statuses: new Map(), wrong: [], runs: new Map(), lostRuns: [], finished: new Map(), repeated: 0 },
    ...{ codes: [], registered: [], saved: [] },
  }
  const tally = <K>(counts: Map<K, number>, key: K) => counts.set(key, (counts.get(key) ?? 0) + 1)
  const anyApi = () => apis[Math.floor(random() * apis.length)]!
  let isOver = false
  let left = Number.POSITIVE_INFINITY
  let rule = 0

  /** null: the connection broke, or the answer was 503 with Retry-After. */
  async function ask<T>(user: TestUser | null, method: string, path: string, body?: unknown): Promise<T | null> {
    const from = `10.${Math.floor(random() * 256)}.${Math.floor(random() * 256)}.${Math.floor(random() * 256)}`
    const response = await fetch(`${anyApi().address}${path}`, {
      method,
      headers: {
        'x-forwarded-for': from,
        ...(user && { 'access-token': user.token }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(silentMs),
    }).catch((error: Error) => error)
    const text = response instanceof Error ? response : await response.text().catch((error: Error) => error)
    if (response instanceof Error || text instanceof Error) {
      tally(seen.statuses, 0)
      const error = response instanceof Error ? response : (text as Error)
      if (error.name === 'TimeoutError') seen.wrong.push(`${method} ${path}: no answer within ${silentMs / 1_000} s`)
      return null
    }
    tally(seen.statuses, response.status)
    if (response.status === 200) return JSON.parse(text).data as T
    if (response.status !== 503 || response.headers.get('retry-after') === null)
      seen.wrong.push(`${method} ${path}: HTTP ${response.status} ${text.slice(0, 200)}`)
    return null
  }

  /** Another rule each time, so that each is computed. */
  const nextRule = () => {
    const rules = parameters('cb', 'close', 3 + Math.floor(random() * 8), 5)
    const [row] = rules.rank_factors
    return { ...rules, rank_factors: [{ ...row!, weight: 1 + ++rule / 1_000_000 }] }
  }

  const screen = (user: TestUser) => ask(user, 'POST', `${cb}/realtime-screen`, { parameters: nextRule() })

  /** The same click until its run has ended, at whichever api. */
  async function backtest(user: TestUser): Promise<void> {
    const body = { ...request('cb', range), parameters: nextRule(), client_run_id: uuid() }
    let id: string | null = null
    for (let clicks = 1; clicks <= mostClicks; clicks++) {
      const stream = openStream(anyApi(), user, `${cb}/advanced-backtest`, body)
      const last = await Promise.race([stream.ended.catch((error: Error) => error), sleep(silentRunMs, null, { ref: false })])
      if (last === null) {
        stream.close()
        seen.lostRuns.push(`run ${id}: a stream without a word for ${silentRunMs / 1_000} s`)
        return
      }
      const told = idOf(stream)
      if (id !== null && told !== null && told !== id) seen.lostRuns.push(`one click, two runs: ${id}, ${told}`)
      id = told ?? id
      if (await hasEnded(last, user, id)) return
      seen.repeated++
      await sleep(300)
    }
    seen.lostRuns.push(`run ${id}: ${mostClicks} clicks and no end`)
  }

  /** Whether the stream's last word is the end of the run; else the click is made again. */
  async function hasEnded(last: Told | Error, user: TestUser, id: string | null): Promise<boolean> {
    if (last instanceof Error) {
      const [, status = '', text = ''] = /^HTTP (\d+): (.*)$/s.exec(last.message) ?? []
      tally(seen.statuses, Number(status))
      if (status === '503') return false
      seen.wrong.push(`backtest: HTTP ${status} ${text.slice(0, 200)}`)
      return true
    }
    tally(seen.statuses, last.kind === 'cut' ? 0 : 200)
    if (last.kind === 'cut') return false
    if (last.kind === 'event') {
      tally(seen.runs, 'result')
      seen.finished.set(String(last.event['backtest_id']), user)
      return true
    }
    // The database is away, or the queue is full: of a run that has not ended.
    if (comeAgain.has(last.code) && !(await isEnded(id))) return false
    tally(seen.runs, String(last.code))
    return true
  }

  async function isEnded(id: string | null): Promise<boolean> {
    if (id === null) return false
    const row = await db
      .selectFrom('backtest_run')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirst()
      .catch(() => null)
    return row !== undefined && row !== null && row.status !== runStatus.queued && row.status !== runStatus.running
  }

  async function save(user: TestUser): Promise<void> {
    const body = { strategy_name: uuid(), detail: nextRule() }
    const answer = await ask<{ id: string }>(user, 'POST', `${cb}/strategy`, body)
    if (answer) seen.saved.push({ id: answer.id, user })
  }

  async function register(): Promise<void> {
    if (seen.codes.length >= mostCodes) return
    const number = String(Math.floor(random() * 1e8)).padStart(8, '0')
    const target = random() < 0.5 ? `139${number}` : `u${number}@example.cn`
    if (!(await ask(null, 'GET', `/v1/user/${encodeURIComponent(target)}/register-code`))) return
    seen.codes.push(target)
    for (let waited = 0; waited < 20_000 && !isOver; waited += 100) {
      const code = codeAt(target)
      if (code !== null) {
        const body = { target, verification_code: code, password: '一个谁也猜不到的密码', agree: true }
        const answer = await ask<{ access_token: string }>(null, 'POST', '/v1/user/by-register', body)
        if (answer) seen.registered.push({ id: target, token: answer.access_token })
        return
      }
      await sleep(100)
    }
  }

  async function live(): Promise<void> {
    while (!isOver) {
      // The database may be away.
      const user = await newUser(db, 1).catch(() => null)
      for (let done = 0; user && done < actionsOfOne && !isOver; done++) {
        while (left <= 0 && !isOver) await sleep(50)
        left--
        const die = random()
        if (die < 0.45) await screen(user)
        else if (die < 0.75) await backtest(user)
        else if (die < 0.9) await save(user)
        else await register()
        await sleep(50 + random() * 250)
      }
      if (!user) await sleep(500)
    }
  }

  const all = Promise.all(Array.from({ length: count }, live))
  return {
    seen,
    allow(actions) {
      left = Math.max(0, Number.isFinite(left) ? left : 0) + actions
    },
    async leave() {
      isOver = true
      await all
    },
  }
}

function idOf(stream: Stream): string | null {
  const first = stream.told.find((one) => one.kind === 'event')
  return first?.kind === 'event' ? String(first.event['run_id']) : null
}
