import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { freePort } from '../../../../scripts/free-port.mjs'
import { connect } from '../../../src/db/connect.ts'
import type { Database } from '../../../src/db/tables.ts'
import { type Figures, quantile } from '../../fixtures/figures.ts'
import { generator } from '../../fixtures/generator.ts'
import { makeTables } from '../../fixtures/make-tables.ts'
import { publishSmallMarket } from '../../fixtures/market/small-market.ts'
import { insertPlan } from '../../fixtures/orders.ts'
import { call, newUser, startApiProcess, startWorkerProcess, type TestUser, until } from '../../fixtures/processes.ts'
import { parameters } from '../../fixtures/requests.ts'
import { codePost } from '../../machines/code-post.ts'
import { cb, letUsersIn } from '../../machines/users.ts'
import { payStandIn } from '../../stand-ins/pay-stand-in.ts'
import { comeToTheEnd, compare, steadily } from '../paying/book.ts'
import { letBuyersIn } from '../paying/buyers.ts'
import type { Failure, PostgresPair } from './postgres-pair.ts'
import { letSessionsBeKept } from './session-keepers.ts'

export interface FailoverGiven {
  readonly pair: PostgresPair
  readonly rounds: number
  readonly seed: number
  /** Of them half buy, two keep their logins, the others backtest, screen, save and register. */
  readonly clients: number
  readonly progress?: (line: string) => void
}

const range = { start: '2022-01-04', end: '2022-12-30' }
const market = { kind: 'cb', from: range.start, to: range.end, securities: 24 } as const
const failures: readonly Failure[] = ['killed', 'hung', 'cut off']
/** Longer than a statement of an api may take: what hangs for the standby then is neither acknowledged nor answered before. */
const cutMs = { least: 3_000, more: 4_000 }
const mostGapSeconds = 10
const endMs = 180_000

/**
 * Two apis and a worker on a primary that fails again and again, its standby in its place each time; clients who write all the while. Adds what
 * was seen to the figures. At the end one failure without synchronous replication, which must lose writes: else nothing could be seen.
 */
export async function drillFailover({ pair, rounds, seed, clients, progress = () => {} }: FailoverGiven, figures: Figures): Promise<void> {
  const random = generator(seed)
  const dataDir = mkdtempSync(join(tmpdir(), 'convexa-failover-'))
  const { db, close } = connect(pair.url(), { max: 8, onError: () => {} })
  const [post, port] = [await codePost(), String(await freePort())]
  const standIn = await payStandIn({ notifyUrl: `http://127.0.0.1:${port}/v1/payment/wechat/notify` })
  const ends: (() => Promise<void>)[] = []
  const crashes: string[] = []
  try {
    await makeTables(db)
    await publishSmallMarket(db, dataDir, market)
    const plans = [await insertPlan(db, { days: 7, price_fen: 700 }), await insertPlan(db, { days: 31, price_fen: 2_900 })]
    const { mchId, appId, serial } = standIn.settings()
    const env = {
      ...{ ...post.environment, DATABASE_URL: pair.url(), DATA_DIR: dataDir, LOG_LEVEL: 'fatal', TRUST_PROXY: '127.0.0.1' },
      ...{ WECHAT_PAY_URL: standIn.url, WECHAT_PAY_MCH_ID: mchId, WECHAT_PAY_APP_ID: appId, WECHAT_PAY_SERIAL: serial },
      ...{ WECHAT_PAY_V3_KEY: standIn.keys.v3Key, WECHAT_PAY_PRIVATE_KEY: standIn.keys.merchant.privateKey },
      ...{ WECHAT_PAY_PUBLIC_KEY_ID: standIn.keys.platform.id, WECHAT_PAY_PUBLIC_KEY: standIn.keys.platform.publicKey },
      WECHAT_PAY_NOTIFY_URL: `http://127.0.0.1:${port}/v1/payment/wechat/notify`,
    }
    const apis = await Promise.all([startApiProcess({ ...env, PORT: port }), startApiProcess(env)])
    const worker = await startWorkerProcess(env, db)
    let isOver = false
    for (const [name, one] of [['api a', apis[0]] as const, ['api b', apis[1]] as const, ['worker', worker] as const]) {
      ends.push(one.stop)
      one.exited.then(() => isOver || crashes.push(`${name}: ${JSON.stringify(one.end())}`))
    }
    const isReady = async () =>
      (await Promise.all(apis.map(({ address }) => fetch(`${address}/readyz`).catch(() => null)))).every((answer) => answer?.status === 200)
    await until(isReady, 'both apis are ready')

    const anyApi = () => apis[Math.floor(random() * apis.length)]!
    const buying = Math.floor(clients / 2)
    const buyers = letBuyersIn({ ...{ db, standIn, plans, random, count: buying, api: anyApi }, mustAnswer: () => () => true })
    const users = letUsersIn({ ...{ db, apis, count: clients - buying - 2, random, range }, codeAt: post.codeAt })
    const keepers = letSessionsBeKept(db, apis, random, 2)

    const gapsMs = new Map<Failure, number[]>(failures.map((how) => [how, []]))
    const readyMs: number[] = []
    const writers: Writer[] = []
    for (let round = 0; round < rounds; round++) {
      const how = failures[round % failures.length]!
      await sleep(random() * 1_500)
      const writer = await writeOn(db, anyApi)
      writers.push(writer)
      const failedAt = await pair.fail(how, cutMs.least + random() * cutMs.more)
      await pair.failOver()
      await until(async () => writer.firstAfter(failedAt) !== null, 'a write is acknowledged again')
      gapsMs.get(how)!.push(writer.firstAfter(failedAt)!)
      await until(isReady, 'both apis are ready again')
      readyMs.push(performance.now() - failedAt)
      await writer.leave()
      await pair.rejoin()
      progress(`${round + 1}/${rounds}: ${how}, first write after ${Math.round(gapsMs.get(how)!.at(-1)!)} ms`)
    }
    await Promise.all([users.leave(), buyers.leave(), keepers.leave()])

    const standing = await comeToTheEnd(db, standIn)
    if (standing > 0) buyers.lost.push(`${standing} orders, attempts and refunds that do not come to their end`)
    await until(async () => (await openRuns(db)) === 0, 'every run has ended', endMs).catch((error: Error) => crashes.push(error.message))
    const sums = await compare(db, standIn, buyers.acked, buyers.lost)
    const lost = [...buyers.lost, ...(await missing(db, writers, users.seen.saved))]
    for (const [id, user] of [...users.seen.finished].map(([id, user]) => [id, user] as const)) {
      const { status } = await call(apis[0], user, 'GET', `${cb}/backtest/${id}/detail/report?parts=core`)
      if (status !== 200) lost.push(`run ${id}: HTTP ${status}`)
    }
    for (const user of users.seen.registered)
      if ((await call(apis[1], user, 'GET', '/v1/user/info')).status !== 200) lost.push(`account ${user.id}`)
    const { rows: reused } = await sql`select from session where revoke_reason = 'reuse'`.execute(db)

    const gaps = [...gapsMs.values()].flat()
    const written = writers.reduce((sum, { acked }) => sum + acked.length, 0)
    const { acked } = buyers
    figures.fact('acknowledged', `${acked.orders.size} orders, ${acked.strategies.size + users.seen.saved.length + written} strategies`)
    figures.fact('runs', [...users.seen.runs].map(([end, count]) => `${end}: ${count}`).join(', '))
    figures.fact('logins renewed, accounts made', `${keepers.renewals()}, ${users.seen.registered.length}`)
    figures.fact('payments', `${sums.paid} = ${sums.granted} granted + ${sums.refunded} given back`)
    figures.fact('answers', [...buyers.answers].map(([what, count]) => `${what}: ${count}`).join(', '))
    for (const [how, ms] of gapsMs)
      figures.fact(`first write after the failure, ${how}`, ms.map((one) => `${(one / 1_000).toFixed(1)} s`).join(', '))
    figures.fact('both apis ready again', `p50 ${seconds(quantile(readyMs, 0.5))} s, most ${seconds(Math.max(...readyMs))} s`)
    figures.goal('failures of the primary', String(gaps.length), String(rounds), gaps.length === rounds)
    figures.atMost('p50 of the first write after the failure', quantile(gaps, 0.5) / 1_000, mostGapSeconds, 's')
    figures.atMost('the longest', Math.max(...gaps) / 1_000, mostGapSeconds, 's')
    figures.none('acknowledged writes that were lost', lost)
    figures.none('HTTP 500, and other answers that no client may get', [...buyers.wrong, ...users.seen.wrong])
    figures.none('one click and two runs, or none', users.seen.lostRuns)
    figures.goal(
      'payments without exactly one effect',
      String(sums.paid - sums.granted - sums.refunded),
      '0',
      sums.paid === sums.granted + sums.refunded && sums.paid > 0,
    )
    figures.none('users with wrong days', sums.wrongDays)
    figures.none('logins that were refused or taken for stolen', [...keepers.refused, ...reused.map(() => 'reuse')])

    await pair.dropSynchrony()
    const writer = await writeOn(db, anyApi)
    await sleep(500)
    await pair.fail('cut off', 1_500)
    await pair.failOver()
    await writer.leave()
    const gone = await missing(db, [writer], [])
    figures.goal('lost without a synchronous standby, where the drill must see it', String(gone.length), '> 0', gone.length > 0)
    isOver = true
    await Promise.all(ends.splice(0).map((end) => end()))
    figures.none('processes that ended by themselves', crashes)
  } catch (error) {
    // Clients are still about, and what they meet from here on would hide it.
    progress(error instanceof Error ? `${error.stack}` : String(error))
    throw error
  } finally {
    await Promise.all(ends.map((end) => end()))
    await close()
    await Promise.all([standIn.close(), post.close()])
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1)

interface Writer {
  readonly acked: { readonly id: string; readonly askedAt: number; readonly at: number }[]
  /** Milliseconds from then to the answer of the first acknowledged write that was asked for later; null: none yet. */
  firstAfter(at: number): number | null
  leave(): Promise<void>
}

/** Somebody who saves one strategy after the other: what is acknowledged shows when writing is possible. */
async function writeOn(db: Kysely<Database>, api: () => { readonly address: string }): Promise<Writer> {
  const acked: { id: string; askedAt: number; at: number }[] = []
  let stop = false
  const work = async () => {
    let user: TestUser = await steadily(() => newUser(db, 1))
    for (let saved = 0; !stop; ) {
      const askedAt = performance.now()
      const body = { strategy_name: uuid(), detail: parameters('cb', 'close', 5, 1) }
      const answer = await call<{ id: string }>(api(), user, 'POST', `${cb}/strategy`, body).catch(() => null)
      if (answer?.status === 200) {
        acked.push({ id: answer.data.id, askedAt, at: performance.now() })
        if (++saved % 40 === 0) user = await steadily(() => newUser(db, 1))
      }
      await sleep(25)
    }
  }
  // More than one: what waits for a statement of before holds up only who asked for it.
  const all = Promise.all([work(), work(), work()])
  return {
    acked,
    firstAfter: (at) =>
      acked.reduce<number | null>(
        (least, one) => (one.askedAt > at && (least === null || one.at - at < least) ? one.at - at : least),
        null,
      ),
    async leave() {
      stop = true
      await all
    },
  }
}

/** Saved strategies that are not there. */
async function missing(db: Kysely<Database>, writers: readonly Writer[], saved: readonly { readonly id: string }[]): Promise<string[]> {
  const there = new Set((await steadily(() => db.selectFrom('strategy').select('id').execute())).map(({ id }) => id))
  return [...writers.flatMap(({ acked }) => acked), ...saved].filter(({ id }) => !there.has(id)).map(({ id }) => `strategy ${id}`)
}

async function openRuns(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ open: number }>`select count(*)::int as open from backtest_run where status in (0, 1)`.execute(db)
  return rows[0]!.open
}
