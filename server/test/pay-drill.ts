import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../src/db/tables.ts'
import { placeGrants } from '../src/vip/subscription.ts'
import { generator } from './generator.ts'
import { insertPlan } from './orders.ts'
import type { PayStandIn } from './pay-stand-in.ts'
import { call, freePort, newUser, type TestUser, testCode, until } from './processes.ts'

/** What a drill saw; `lost` must be empty. */
export interface PayDrill {
  readonly kills: number
  readonly orders: number
  readonly paid: number
  readonly granted: number
  readonly refunded: number
  /** Milliseconds from a kill to the next answer. */
  readonly readyMs: number[]
  /** HTTP statuses that no client may see, and connections that broke although nobody was killed. */
  readonly wrong: number
  readonly lost: string[]
}

interface Given {
  readonly db: Kysely<Database>
  readonly databaseUrl: string
  readonly standIn: PayStandIn
  readonly kills: number
  readonly seed?: number
  /** SIGTERM lets what is under way end (G22); SIGKILL does not (G1). */
  readonly signal: 'SIGKILL' | 'SIGTERM'
  readonly say?: (line: string) => void
}

const clients = 16
/** Orders between two deaths, at most. */
const between = 40
const host = fileURLToPath(new URL('./pay-host.ts', import.meta.url))

/**
 * Sixteen clients order, open, pay, leave and cancel while the process that sells is killed again and again. One notice in ten is lost, the
 * others come one to three times; one payer in five pays while the order is being closed. At the end, without the lost notices, what the
 * stand-in's book says must be what our rows say: every acknowledged order is there, every payment has one effect, every user their days.
 */
export async function payDrill({ db, databaseUrl, standIn, kills, seed = 1, signal, say = () => {} }: Given): Promise<PayDrill> {
  const random = generator(seed)
  const port = await freePort()
  const notifyUrl = `http://127.0.0.1:${port}/v1/payment/wechat/notify`
  const env = { ...process.env, ...testCode, DATABASE_URL: databaseUrl, PORT: String(port), SECRET_KEY: 'only for drills '.repeat(3) }
  const settings = JSON.stringify(standIn.settings({ notifyUrl }))
  const api = { address: `http://127.0.0.1:${port}` }
  const plans = [await insertPlan(db, { days: 7, price_fen: 700 }), await insertPlan(db, { days: 31, price_fen: 2_900 })]
  const users = await Promise.all(Array.from({ length: clients }, () => newUser(db)))
  const acked = { orders: new Set<string>(), finished: new Set<string>() }
  const seen = { readyMs: [] as number[], wrong: 0, lost: [] as string[] }
  standIn.courier = (notice) => {
    if (random() < 0.1) return 'lose'
    for (let more = Math.floor(random() * 3); more > 0; more--) setTimeout(() => void standIn.deliver(notice), random() * 300)
    return 'send'
  }

  const load = () => {
    const child = fork(host, [], { env: { ...env, PAY_SETTINGS: settings }, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    return { child, loaded: told(child) }
  }
  let spare = load()
  const start = async (): Promise<ChildProcess> => {
    const { child, loaded } = spare
    spare = load()
    await loaded
    const ready = told(child)
    child.send('go')
    await ready
    return child
  }
  let dying = false
  let stop = false
  /** null: nobody answered, as happens to whoever asks while the process dies. */
  const ask = async <T>(user: TestUser, method: string, path: string, body?: object) => {
    const begunDying = dying
    const answer = await call<T>(api, user, method, path, body).catch(() => null)
    if (answer && (answer.status === 500 || answer.status === 403 || answer.status === 401)) seen.wrong++
    // Told to end, it lets end what it has begun.
    if (!answer && signal === 'SIGTERM' && !begunDying && !dying) seen.wrong++
    return answer
  }
  const client = async (user: TestUser) => {
    while (!stop) {
      const made = await ask<{ order_id: string }>(user, 'POST', '/v1/vip/subscription/order', { plan_id: plans[random() < 0.5 ? 0 : 1] })
      if (made?.code !== 0) {
        await sleep(20)
        continue
      }
      const { order_id } = made.data
      acked.orders.add(order_id)
      const opened = await ask<{ code_url: string }>(user, 'POST', '/v1/payment/wechat/native/process', { order_id })
      const trade = opened?.code === 0 ? standIn.find(opened.data.code_url) : undefined
      const choice = random()
      if (trade && choice < 0.2) {
        // Pays while the order is being ended.
        await Promise.all([ask(user, 'DELETE', `/v1/order/${order_id}`), sleep(random() * 20).then(() => standIn.pay(trade.otn))])
        // As if WeChat had taken the money although it had said that nobody could pay any more.
        if (trade.state === 'CLOSED' && random() < 0.5) {
          trade.state = 'NOTPAY'
          standIn.pay(trade.otn)
        }
      } else if (trade && choice < 0.9) {
        standIn.pay(trade.otn)
        const status = await ask<{ status: number }>(user, 'GET', `/v1/order/${order_id}/status`)
        if (status?.data?.status === 6) acked.finished.add(order_id)
      } else await ask(user, 'POST', '/v1/payment/wechat/native/close', { order_id })
      await limitsForgotten(db, user)
    }
  }

  let child = await start()
  const clientsDone = users.map(client)
  for (let kill = 0; kill < kills; kill++) {
    const enough = acked.orders.size + 1 + Math.floor(random() * between)
    await until(async () => acked.orders.size >= enough, 'orders come', 120_000)
    const at = performance.now()
    dying = true
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
    child = await start()
    dying = false
    seen.readyMs.push(performance.now() - at)
    if ((kill + 1) % 50 === 0) say(`${kill + 1}/${kills} ${signal}, ${acked.orders.size} orders`)
  }
  stop = true
  await Promise.all(clientsDone)
  standIn.courier = () => 'lose'
  await comeToTheEnd(db)
  for (const [one, how] of [
    [child, 'SIGTERM'],
    [spare.child, 'SIGKILL'],
  ] as const) {
    const gone = once(one, 'exit')
    one.kill(how)
    await gone
  }
  const sums = await compare(db, standIn, users, acked, seen.lost)
  return { kills, orders: acked.orders.size, ...sums, ...seen }
}

const told = (child: ChildProcess): Promise<unknown> =>
  Promise.race([once(child, 'message'), once(child, 'exit').then(() => Promise.reject(new Error('the host ended')))])

/** Nobody orders so often as a drill. */
const limitsForgotten = (db: Kysely<Database>, user: TestUser) =>
  sql`update vip_order set expires_at = least(expires_at, now()) where user_id = ${user.id} and status in (0, 2, 3) and random() < 0.5`
    .execute(db)
    .then(async () => {
      await sql`set session_replication_role = replica; update vip_order set created_at = created_at - interval '2 days' where user_id = ${user.id}
        and created_at > now() - interval '1 day'; set session_replication_role = origin`
        .execute(db)
        .catch(() => {})
    })

/** Time passes until the worker has asked about everything. */
async function comeToTheEnd(db: Kysely<Database>): Promise<void> {
  await until(
    async () => {
      await sql`update vip_order set expires_at = least(expires_at, now()) where status in (0, 1, 2, 3)`.execute(db)
      await sql`update payment_attempt set next_query_at = now() where next_query_at is not null and state <> 'PAID'`.execute(db)
      await sql`update refund set next_try_at = now() where next_try_at is not null`.execute(db)
      const { rows } = await sql<{ left: number }>`
        select (select count(*) from vip_order where status not in (5, 6))
          + (select count(*) from payment_attempt where next_query_at is not null)
          + (select count(*) from refund where state not in ('SUCCESS', 'CLOSED')) as left`.execute(db)
      await sleep(300)
      return Number(rows[0]!.left) === 0
    },
    'every order has come to its end',
    300_000,
  )
}

/** The book of the stand-in beside our rows. */
async function compare(
  db: Kysely<Database>,
  standIn: PayStandIn,
  users: readonly TestUser[],
  acked: { readonly orders: ReadonlySet<string>; readonly finished: ReadonlySet<string> },
  lost: string[],
): Promise<{ paid: number; granted: number; refunded: number }> {
  const orders = new Map((await db.selectFrom('vip_order').select(['id', 'status']).execute()).map((row) => [row.id, row.status]))
  for (const id of acked.orders) if (!orders.has(id)) lost.push(`an order that was acknowledged: ${id}`)
  for (const id of acked.finished) if (orders.get(id) !== 6) lost.push(`an order that was said to be finished: ${id}`)
  const payments = new Map((await db.selectFrom('payment').selectAll().execute()).map((row) => [row.transaction_id, row]))
  const sums = { paid: 0, granted: 0, refunded: 0 }
  for (const trade of standIn.book.values()) {
    if (!trade.transactionId) continue
    sums.paid++
    const payment = payments.get(trade.transactionId)
    const back = [...standIn.refunds.values()].filter(({ otn }) => otn === trade.otn).reduce((sum, { amount }) => sum + amount, 0)
    if (!payment) lost.push(`money: ${trade.otn}`)
    else if (back !== (payment.effect === 'REFUND' ? trade.total : 0)) lost.push(`${trade.otn}: ${payment.effect} and ${back} fen back`)
    else sums[payment.effect === 'GRANT' ? 'granted' : 'refunded']++
  }
  if (payments.size !== sums.paid) lost.push(`${payments.size} payments known, ${sums.paid} made`)
  for (const { id } of users) {
    const grants = await db
      .selectFrom('subscription_grant')
      .selectAll()
      .where('user_id', '=', id)
      .orderBy('granted_at')
      .orderBy('id')
      .execute()
    const given = grants.map((one) => ({ id: one.id, days: one.days, grantedAt: one.granted_at.getTime(), revokedAt: null }))
    const { vip_until } = await db.selectFrom('app_user').select('vip_until').where('id', '=', id).executeTakeFirstOrThrow()
    if ((vip_until?.getTime() ?? null) !== (placeGrants(given).at(-1)?.endsAt ?? null)) lost.push(`days of user ${id}`)
  }
  return sums
}

export function drillWords({ kills, orders, paid, granted, refunded, readyMs, wrong, lost }: PayDrill, signal: string): string {
  const sorted = [...readyMs].sort((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
  return [
    `orders         ${kills} × ${signal}: ${orders} acknowledged, ${paid} paid = ${granted} granted + ${refunded} given back`,
    `ready again    median ${at(0.5)} ms, most ${at(1)} ms; ${wrong} answers that nobody may get`,
    lost.length === 0 ? 'lost           nothing' : `LOST           ${lost.length}: ${lost.slice(0, 5).join('; ')}`,
  ].join('\n')
}
