import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { freePort } from '../../../scripts/free-port.mjs'
import { claimedRunning, clusterOf } from '../../src/db/postgres.ts'
import type { Database } from '../../src/db/tables.ts'
import { testCode } from '../fixtures/code.ts'
import { generator } from '../fixtures/generator.ts'
import { insertPlan } from '../fixtures/orders.ts'
import { call, isAlive, newUser, type TestUser, until } from '../fixtures/processes.ts'
import { parameters } from '../fixtures/requests.ts'
import type { PayStandIn } from '../stand-ins/pay-stand-in.ts'
import type { Booked } from '../stand-ins/pay-stand-in-book.ts'
import { type Acknowledged, comeToTheEnd, compare, type Sums, steadily } from './pay-drill-book.ts'
import { seller } from './pay-seller.ts'

/**
 * Victims and their ends. `told`: SIGTERM, which lets what is under way end (G22); a restart of PostgreSQL is its "fast" one (G11). A disk
 * that is full ends PostgreSQL, which does not come back before there is space (G13).
 */
const deaths = {
  api: { of: 'api', signal: 'SIGKILL' },
  worker: { of: 'worker', signal: 'SIGKILL' },
  postgres: { of: 'postgres', signal: 'SIGKILL' },
  'postgres restarted': { of: 'postgres', signal: 'SIGINT' },
  'api told': { of: 'api', signal: 'SIGTERM' },
  'worker told': { of: 'worker', signal: 'SIGTERM' },
  'disk full': { of: 'disk', signal: null },
} as const
export type Death = keyof typeof deaths

/** What a drill saw; `lost` must be empty and `wrong` none. */
export interface PayDrill extends Sums {
  readonly orders: number
  readonly strategies: number
  /** Milliseconds until it is as it was: of an api and PostgreSQL until somebody is answered, of a worker until it works. */
  readonly readyMs: Map<Death, number[]>
  /** Milliseconds from a SIGTERM to the end. */
  readonly endMs: number[]
  /** `status code` of the answers to clients, and how often each came. */
  readonly answers: Map<string, number>
  /** Answers that no client may get, and requests that were never answered although who had them was not killed. */
  readonly wrong: string[]
  readonly lost: string[]
  readonly seconds: number
}

interface Given {
  readonly db: Kysely<Database>
  readonly databaseUrl: string
  readonly standIn: PayStandIn
  readonly deaths: readonly Death[]
  /** Directory of the PostgreSQL that dies; its owner starts it again. */
  readonly dataDir?: string
  readonly seed?: number
  /** What must have happened before it ends, however little the machine manages between two deaths. */
  readonly isEnough?: () => Promise<boolean>
  /** Between two deaths, at most. */
  readonly pauseMs?: number
  readonly say?: (line: string) => void
}

const clients = 16
/** Of one user. Twenty a day are allowed. */
const ordersOfOne = 6

/**
 * Sixteen clients save, order, open, pay, leave and cancel while an api, a worker and their PostgreSQL die again and again. One notice in
 * ten is lost, the others come one to three times; one payer in six pays while the order is being ended, one in six by two codes. At the end,
 * without another notice, what the stand-in's book says must be what our rows say: every acknowledged write is there, every payment has one
 * effect, every user the days that were paid.
 */
export async function payDrill(given: Given): Promise<PayDrill> {
  const { db, databaseUrl, standIn, dataDir = '', seed = 1, isEnough = async () => true, pauseMs = 150, say = () => {} } = given
  const began = performance.now()
  const random = generator(seed)
  const port = await freePort()
  const api = { address: `http://127.0.0.1:${port}` }
  const settings = JSON.stringify(standIn.settings({ notifyUrl: `${api.address}/v1/payment/wechat/notify` }))
  const own = { DATABASE_URL: databaseUrl, PORT: String(port), SECRET_KEY: 'only for drills '.repeat(3), PAY_SETTINGS: settings }
  const env = { ...process.env, ...testCode, ...own }
  const plans = [await insertPlan(db, { days: 7, price_fen: 700 }), await insertPlan(db, { days: 31, price_fen: 2_900 })]
  const acked = { users: new Set<string>(), strategies: new Set<string>(), orders: new Set<string>() }
  const ends = { finished: new Set<string>(), cancelled: new Set<string>() }
  const seen = {
    readyMs: new Map<Death, number[]>(),
    endMs: [] as number[],
    answers: new Map<string, number>(),
    wrong: [] as string[],
    lost: [] as string[],
  }
  // Notices of payments are sent by the drill, which looks what an answer was worth; those of refunds by the stand-in.
  standIn.courier = ({ body }) => (body.includes('"REFUND.') && random() < 0.9 ? 'send' : 'lose')

  const sellers = { api: seller('api', env), worker: seller('worker', env) }
  await Promise.all([sellers.api.start(), sellers.worker.start()])
  let stop = false
  let apiIsThere = true
  let apisKilled = 0

  /** null: nobody answered. */
  const ask = async <T>(user: TestUser, method: string, path: string, body?: object) => {
    const [wasThere, killed] = [apiIsThere, apisKilled]
    const answer = await call<T>(api, user, method, path, body).catch(() => null)
    const what = answer ? `${answer.status} ${answer.code}` : 'none'
    seen.answers.set(what, (seen.answers.get(what) ?? 0) + 1)
    // Told to end, an api answers all that it was asked before; while only others die it answers all.
    const isWrong = answer ? [401, 403, 404, 500].includes(answer.status) : wasThere && killed === apisKilled
    if (isWrong) seen.wrong.push(`${method} ${path.replace(/[0-9a-f-]{36}/, '…')}: ${what}`)
    return answer
  }
  const telling = new Set<Promise<void>>()
  /** Sent again until it is heard, as WeChat does; what is said to be heard must have had its effect. */
  const tell = async ({ otn, transactionId }: Booked) => {
    await sleep(random() * 300)
    for (const wait of [300, 1_000, 3_000]) {
      const status = await standIn.deliver(standIn.noticeOf(otn))
      if (status !== 0 && status !== 204 && status !== 503) seen.wrong.push(`notice: ${status}`)
      if (status === 204) {
        const rows = await steadily(() => db.selectFrom('payment').select('otn').where('transaction_id', '=', transactionId).execute())
        if (rows.length === 0) seen.lost.push(`money that was said to be heard: ${otn}`)
      }
      if (status === 204 || stop) return
      await sleep(wait)
    }
  }
  const pay = (trade: Booked) => {
    if (!standIn.pay(trade.otn) || random() < 0.1) return
    for (let copies = 1 + Math.floor(random() * 3); copies > 0; copies--) {
      const told = tell(trade).finally(() => telling.delete(told))
      telling.add(told)
    }
  }
  /** As if WeChat had taken the money although it had said that nobody could pay any more. */
  const payLate = (trade: Booked) => {
    if (trade.state === 'CLOSED') trade.state = 'NOTPAY'
    pay(trade)
  }
  const scan = async (user: TestUser, order_id: string) => {
    const opened = await ask<{ code_url: string }>(user, 'POST', '/v1/payment/wechat/native/process', { order_id })
    return opened?.code === 0 ? standIn.find(opened.data.code_url) : undefined
  }
  const leave = (user: TestUser, order_id: string) => ask(user, 'POST', '/v1/payment/wechat/native/close', { order_id })

  const buy = async (user: TestUser) => {
    const plan_id = plans[random() < 0.5 ? 0 : 1]
    const made = await ask<{ order_id: string }>(user, 'POST', '/v1/vip/subscription/order', { plan_id })
    // Nobody is there, or an order of the plan is still being closed.
    if (made?.code !== 0) return sleep(made ? 20 : 100)
    const { order_id } = made.data
    acked.orders.add(order_id)
    const trade = await scan(user, order_id)
    if (!trade) return
    const way = random()
    if (way < 1 / 6) {
      const remove = () => ask<{ status: number }>(user, 'DELETE', `/v1/order/${order_id}`)
      const [ended] = await Promise.all([remove(), sleep(random() * 20).then(() => pay(trade))])
      if (ended?.code === 0 && ended.data.status === 5) ends.cancelled.add(order_id)
      if (random() < 0.5) payLate(trade)
    } else if (way < 2 / 6) {
      await leave(user, order_id)
      payLate(trade)
      const second = await scan(user, order_id)
      if (second) pay(second)
    } else if (way < 0.9) {
      pay(trade)
      const status = await ask<{ status: number }>(user, 'GET', `/v1/order/${order_id}/status`)
      if (status?.data?.status === 6) ends.finished.add(order_id)
    } else await leave(user, order_id)
  }
  const client = async () => {
    while (!stop) {
      const user = await steadily(() => newUser(db))
      acked.users.add(user.id)
      const rule = { strategy_name: '双低', detail: parameters('cb', 'close', 5, 1) }
      const saved = await ask<{ id: string }>(user, 'POST', '/v1/quant/convertible-bond/strategy', rule)
      if (!saved) await sleep(100)
      if (saved?.code === 0) acked.strategies.add(saved.data.id)
      for (let i = 0; i < ordersOfOne && !stop; i++) await buy(user)
    }
  }
  // Of a newcomer each time: a drill may take longer than a login lasts.
  const isSelling = async () => {
    const answer = await newUser(db)
      .then((probe) => call(api, probe, 'GET', '/v1/order/pending/orders'))
      .catch(() => null)
    return answer?.code === 0
  }

  const die = async (death: Death) => {
    const { of, signal } = deaths[death]
    const begun = performance.now()
    if (of === 'disk') {
      const spaceAt = await fillDisk(db, dataDir)
      const before = acked.orders.size
      await until(async () => acked.orders.size > before, 'orders come again', 60_000)
      return performance.now() - spaceAt
    }
    if (of === 'postgres') {
      const { pid } = claimedRunning(clusterOf(dataDir))!
      process.kill(pid, signal)
      await until(async () => !isAlive(pid) && (await isSelling()), 'PostgreSQL is back', 60_000)
      return performance.now() - begun
    }
    if (of === 'api') {
      apiIsThere = false
      if (signal === 'SIGKILL') apisKilled++
    }
    await sellers[of].die(signal)
    if (signal === 'SIGTERM') seen.endMs.push(performance.now() - begun)
    await sellers[of].start()
    if (of === 'api') {
      apiIsThere = true
      await until(isSelling, 'the api sells again', 60_000)
    }
    return performance.now() - begun
  }

  const working = Array.from({ length: clients }, client)
  try {
    for (const [i, death] of given.deaths.entries()) {
      const before = acked.orders.size
      // Workers come back while others sell.
      if (deaths[death].of !== 'worker') await until(async () => acked.orders.size > before, 'orders come', 120_000)
      await sleep(random() * pauseMs)
      seen.readyMs.set(death, [...(seen.readyMs.get(death) ?? []), await die(death)])
      if ((i + 1) % 50 === 0) say(`${i + 1}/${given.deaths.length} deaths, ${acked.orders.size} orders, ${secondsSince(began)} s`)
    }
    await until(() => steadily(isEnough), 'enough has happened', 240_000)
    stop = true
    await Promise.all(working)
    await Promise.all(telling)
    standIn.courier = () => 'lose'
    const standing = await comeToTheEnd(db, standIn)
    if (standing > 0) seen.lost.push(`${standing} orders, attempts and refunds that do not come to their end`)
  } finally {
    stop = true
    await Promise.all([sellers.api.end(), sellers.worker.end()])
  }
  const all: Acknowledged = { ...acked, ...ends }
  const sums = await compare(db, standIn, all, seen.lost)
  return { orders: acked.orders.size, strategies: acked.strategies.size, ...sums, ...seen, seconds: secondsSince(began) }
}

/**
 * No byte of space is left while the log of PostgreSQL wants more, until it has ended, and three seconds longer: it starts in vain meanwhile.
 * @returns when there is space again
 */
async function fillDisk(db: Kysely<Database>, dataDir: string): Promise<number> {
  const filler = join(dataDir, 'filler')
  const { pid } = claimedRunning(clusterOf(dataDir))!
  const giveUpAt = performance.now() + 60_000
  let fullUntil = Number.POSITIVE_INFINITY
  while (performance.now() < fullUntil) {
    if (performance.now() > giveUpAt) throw new Error('PostgreSQL goes on without space')
    if (fullUntil === Number.POSITIVE_INFINITY && !isAlive(pid)) fullUntil = performance.now() + 3_000
    for (let bytes = 1 << 20; bytes >= 1_024; bytes >>= 1) {
      try {
        for (;;) appendFileSync(filler, Buffer.alloc(bytes))
      } catch (error) {
        if ((error as { code?: string }).code !== 'ENOSPC') throw error
      }
    }
    await sql`select pg_switch_wal()`.execute(db).catch(() => sleep(50))
  }
  rmSync(filler)
  return performance.now()
}

const secondsSince = (began: number): number => Math.round((performance.now() - began) / 1_000)

/** Of each as many, in an order that the seed chooses. */
export function shuffled(counts: Partial<Record<Death, number>>, seed: number): Death[] {
  const random = generator(seed)
  const all = Object.entries(counts).flatMap(([death, count]) => Array<Death>(count).fill(death as Death))
  return all
    .map((death) => ({ death, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ death }) => death)
}

export function drillWords({ readyMs, endMs, answers, wrong, lost, seconds, ...seen }: PayDrill): string {
  const words = (ms: readonly number[]) => {
    const sorted = [...ms].sort((a, b) => a - b)
    const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
    return `median ${at(0.5)} ms, most ${at(1)} ms`
  }
  const { orders, strategies, paid, granted, refunded, wrongDays } = seen
  return [
    `acknowledged   ${orders} orders, ${strategies} strategies`,
    `paid           ${paid} = ${granted} granted + ${refunded} given back; ${wrongDays} users with wrong days`,
    ...[...readyMs].map(([death, ms]) => `ready again    ${ms.length} × ${death}: ${words(ms)}`),
    ...(endMs.length > 0 ? [`ended          ${endMs.length} × SIGTERM: ${words(endMs)}`] : []),
    `answers        ${[...answers].map(([what, times]) => `${times} × ${what}`).join(', ')}`,
    wrong.length === 0 ? 'wrong          none' : `WRONG          ${wrong.length}: ${wrong.slice(0, 5).join('; ')}`,
    lost.length === 0 ? 'lost           nothing' : `LOST           ${lost.length}: ${lost.slice(0, 5).join('; ')}`,
    `took           ${seconds} s`,
  ].join('\n')
}
