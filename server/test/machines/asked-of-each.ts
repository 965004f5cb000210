import type { Kysely } from 'kysely'
import type { Database } from '../../src/db/tables.ts'
import { call, newUser, type TestUser, until } from '../fixtures/processes.ts'
import { parameters } from '../fixtures/requests.ts'
import { cb, type Seen } from './users.ts'

interface Given {
  readonly apis: readonly { readonly address: string }[]
  readonly db: Kysely<Database>
  readonly seen: Seen
  /** Last day of the newest snapshot. */
  readonly newest: string
}

export interface Compared {
  readonly asked: number
  /** Requests to which the apis gave different answers. */
  readonly different: readonly string[]
  readonly writes: number
  /** Acknowledged writes that are not there. */
  readonly lostWrites: readonly string[]
}

interface Question {
  readonly user: TestUser
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

const mostReports = 6
/** What may differ between two answers to one request. */
const ofTheAnswer = new Set(['request_id', 'elapsed_ms'])

/** Asks a fixed list of requests of every api, and looks for all writes that were acknowledged. */
export async function askedOfEach({ apis, db, seen, newest }: Given): Promise<Compared> {
  const user = await newUser(db, 1)
  const screen = (weight: number) => {
    const rules = parameters('cb', 'close', 5, 5)
    return { ...rules, rank_factors: [{ ...rules.rank_factors[0]!, weight }] }
  }
  // Every api has taken up the newest day; the answer says of which one it is.
  for (const api of apis)
    await until(async () => {
      const { status, data } = await call(api, user, 'POST', `${cb}/realtime-screen`, { parameters: screen(1) })
      return status === 200 && JSON.stringify(data).includes(newest)
    }, `an api answers from ${newest}`)

  const days = ['2022-03-01', '2022-06-01', '2022-09-01', '2022-12-01']
  const questions: Question[] = [
    ...[1, 2, 3].map((weight) => ({ user, method: 'POST', path: `${cb}/realtime-screen`, body: { parameters: screen(weight) } })),
    ...days.map((trade_date) => ({ user, method: 'POST', path: `${cb}/history-screen`, body: { parameters: screen(1), trade_date } })),
    ...[...seen.finished].slice(0, mostReports).flatMap(([id, owner]) =>
      ['report', 'report?parts=core', '2022-06-01'].map((part) => ({
        user: owner,
        method: 'GET',
        path: `${cb}/backtest/${id}/detail/${part}`,
      })),
    ),
  ]
  const different: string[] = []
  for (const question of questions) {
    const { user: asker, method, path, body } = question
    const answers: string[] = []
    for (const api of apis) {
      const answer = await call(api, asker, method, path, body)
      answers.push(JSON.stringify(answer, (name, value) => (ofTheAnswer.has(name) ? undefined : value)))
    }
    const [first] = answers
    const other = answers.find((each) => each !== first)
    if (other !== undefined) different.push(`${method} ${path}: ${firstDifference(first!, other)}`)
    else if (!first!.startsWith('{"status":200')) different.push(`${method} ${path}: ${first!.slice(0, 200)}`)
  }

  const lostWrites: string[] = []
  for (const [k, { id, user: owner }] of seen.saved.entries()) {
    const { status } = await call(apis[k % apis.length]!, owner, 'GET', `${cb}/strategy/detail/${id}`)
    if (status !== 200) lostWrites.push(`strategy ${id}: HTTP ${status}`)
  }
  for (const [k, registered] of seen.registered.entries()) {
    const { status } = await call(apis[k % apis.length]!, registered, 'GET', '/v1/user/info')
    if (status !== 200) lostWrites.push(`account ${registered.id}: HTTP ${status}`)
  }
  for (const [id, owner] of [...seen.finished].slice(mostReports)) {
    const { status } = await call(apis[0]!, owner, 'GET', `${cb}/backtest/${id}/detail/report?parts=core`)
    if (status !== 200) lostWrites.push(`run ${id}: HTTP ${status}`)
  }
  return { asked: questions.length, different, writes: seen.saved.length + seen.registered.length + seen.finished.size, lostWrites }
}

function firstDifference(a: string, b: string): string {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return `…${a.slice(Math.max(0, at - 60), at + 60)}… / …${b.slice(at, at + 60)}…`
}
