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
import { call, isAlive, newUser, until } from '../fixtures/processes.ts'
import type { PayStandIn } from '../stand-ins/pay-stand-in.ts'
import { seller } from './pay-seller.ts'
import { comeToTheEnd, compare, type Sums, steadily } from './paying/book.ts'
import { letBuyersIn } from './paying/buyers.ts'

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
  readonly answers: ReadonlyMap<string, number>
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
  const seen = { readyMs: new Map<Death, number[]>(), endMs: [] as number[] }
  const sellers = { api: seller('api', env), worker: seller('worker', env) }
  await Promise.all([sellers.api.start(), sellers.worker.start()])
  let apiIsThere = true
  let apisKilled = 0
  const buyers = letBuyersIn({
    ...{ db, standIn, plans, random, count: clients, api: () => api },
    // Told to end, an api answers all that it was asked before; while only others die it answers all.
    mustAnswer: () => {
      const [wasThere, killed] = [apiIsThere, apisKilled]
      return () => wasThere && killed === apisKilled
    },
  })
  const { acked } = buyers
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
    await buyers.leave()
    const standing = await comeToTheEnd(db, standIn)
    if (standing > 0) buyers.lost.push(`${standing} orders, attempts and refunds that do not come to their end`)
  } finally {
    buyers.tell()
    await Promise.all([sellers.api.end(), sellers.worker.end()])
  }
  const { answers, wrong, lost } = buyers
  const sums = await compare(db, standIn, acked, lost)
  return {
    orders: acked.orders.size,
    strategies: acked.strategies.size,
    ...sums,
    ...seen,
    answers,
    wrong,
    lost,
    seconds: secondsSince(began),
  }
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
