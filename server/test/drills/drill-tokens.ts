/**
 * `npm run drill:tokens -- --families 1000 --kills 20`: each login is refreshed by 2–50 at once with the same token, over real
 * HTTP against two apis, while one of them is killed by -9 every now and then; a client without an answer asks again. Afterwards every family
 * must have exactly one successor: everybody who was answered holds the same pair, it works, nobody was logged out. Exit 1 otherwise.
 */
import type { TokenData } from '@convexa/contract'
import { sql } from 'kysely'
import { connect } from '../../src/db/connect.ts'
import { openSession } from '../../src/user/sessions.ts'
import { openFigures, quantile } from '../fixtures/figures.ts'
import { makeTables } from '../fixtures/make-tables.ts'
import { ownPostgres } from '../fixtures/postgres.ts'
import { type Api, startApiProcess } from '../fixtures/processes.ts'
import { insertUser } from '../fixtures/run-rows.ts'
import { readDrillOptions } from './drill-options.ts'

const { families, kills } = readDrillOptions({ families: { whole: 1_000, quick: 100 }, kills: { whole: 20, quick: 4 } })
/** Families in the air at once. */
const atOnce = 4

const postgres = await ownPostgres()
const { dataDir } = postgres
const url = postgres.url()
const { db, close } = connect(url)
await makeTables(db)

const env = { DATABASE_URL: url, DATA_DIR: dataDir, LOG_LEVEL: 'fatal', CHECK_ANSWERS: '0', CALL_PATIENCE: '1' }
const apis: Api[] = await Promise.all([startApiProcess(env), startApiProcess(env)])
const seen = { refreshes: 0, answered: 0, askedAgain: 0, forks: 0, falseLogouts: 0, dead: 0, killed: 0, ms: [] as number[] }

const users = await Promise.all(Array.from({ length: 20 }, () => insertUser(db)))
let next = 0
let done = 0
const since = performance.now()

await Promise.all([...Array.from({ length: atOnce }, familyAfterFamily), killNowAndThen()])
const seconds = (performance.now() - since) / 1_000
const forked = await sql<{ count: number }>`select count(*) as count from session where revoke_reason = 'reuse'`.execute(db)
const revoked = Number(forked.rows[0]?.count)

await Promise.all(apis.map((api) => api.stop()))
await close()
await postgres.stop()

const figures = openFigures()
figures.fact(
  'families',
  `${families} in ${seconds.toFixed(1)} s, ${seen.refreshes} parallel refreshes, ${Math.round(seen.answered / seconds)}/s answered`,
)
figures.fact('kill -9', `${seen.killed} of an api; ${seen.askedAgain} refreshes that heard nothing asked again`)
figures.fact('answer', `p50 ${Math.round(quantile(seen.ms, 0.5))} ms, p99 ${Math.round(quantile(seen.ms, 0.99))} ms`)
figures.none('families with other than one successor', seen.forks)
figures.none('refreshes that were refused', seen.falseLogouts)
figures.none('logins ended as reuse', revoked)
figures.none('successors that do not work', seen.dead)
process.exit(figures.end())

async function familyAfterFamily(): Promise<void> {
  while (next < families) {
    const family = next++
    // A user keeps ten logins: twenty users in turn never lose one that is still looked at.
    const first = await openSession(db, { id: users[family % users.length] as string, is_demo: false }, null)
    const parallel = 2 + ((family * 7919) % 49)
    seen.refreshes += parallel
    const pairs = await Promise.all(Array.from({ length: parallel }, (_, i) => refresh(first, i)))
    const successors = new Set(
      pairs.filter((pair) => pair !== null).map(({ refresh_token, access_token }) => `${refresh_token} ${access_token}`),
    )
    if (successors.size !== 1) seen.forks++
    const [pair] = pairs
    if (pair && !(await works(pair.access_token))) seen.dead++
    done++
  }
}

/** Asks until an answer comes, as a client does within the 10 s grace. */
async function refresh(tokens: { refresh_token: string; access_token: string }, i: number): Promise<TokenData | null> {
  const body = JSON.stringify({ refresh_token: tokens.refresh_token, access_token: tokens.access_token })
  for (let attempt = 0; attempt < 200; attempt++) {
    const began = performance.now()
    const answer = await fetch(`${apis[(i + attempt) % apis.length]?.address}/v1/authorize/access-token`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body,
    })
      .then(async (response) => ({ status: response.status, json: (await response.json()) as { data: TokenData } }))
      .catch(() => null)
    if (answer?.status === 200) {
      seen.answered++
      seen.ms.push(performance.now() - began)
      return answer.json.data
    }
    if (answer?.status === 401) {
      seen.falseLogouts++
      return null
    }
    seen.askedAgain++
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return null
}

async function works(token: string): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const address = apis[attempt % apis.length]?.address
    const answer = await fetch(`${address}/v1/user/info`, { headers: { 'access-token': token } }).catch(() => null)
    if (answer?.status === 200 || answer?.status === 401) return answer.status === 200
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return false
}

async function killNowAndThen(): Promise<void> {
  for (let kill = 0; kill < kills; kill++) {
    const wanted = ((kill + 1) * families) / (kills + 1)
    while (done < wanted) await new Promise((resolve) => setTimeout(resolve, 5))
    const which = kill % apis.length
    await apis[which]?.kill()
    seen.killed++
    apis[which] = await startApiProcess(env)
  }
}
