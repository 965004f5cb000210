import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Database } from '../../../src/db/tables.ts'
import { call, newUser, type TestUser } from '../../fixtures/processes.ts'
import { parameters } from '../../fixtures/requests.ts'
import type { PayStandIn } from '../../stand-ins/pay-stand-in.ts'
import type { Booked } from '../../stand-ins/pay-stand-in-book.ts'
import { type Acknowledged, steadily } from './book.ts'

interface Given {
  readonly db: Kysely<Database>
  readonly standIn: PayStandIn
  /** Ids of plans on sale. */
  readonly plans: readonly string[]
  readonly random: () => number
  readonly count: number
  /** The api of the next request. */
  readonly api: () => { readonly address: string }
  /** Called before a request; what it gives back tells after it whether an answer had to come. */
  readonly mustAnswer: () => () => boolean
}

export interface Buyers {
  readonly acked: Acknowledged
  /** `status code` of the answers, and how often each came. */
  readonly answers: ReadonlyMap<string, number>
  /** Answers that no client may get, and requests that were not answered although they had to be. */
  readonly wrong: string[]
  /** Money that was said to be heard and was not written down; later comparisons add to it. */
  readonly lost: string[]
  /** Tells them to leave. */
  tell(): void
  /** They have left, and all notices have come; of what they paid no further notice will come. */
  leave(): Promise<void>
}

/** Of one user. Twenty a day are allowed. */
const ordersOfOne = 6

/**
 * Clients who save, order, open, pay, leave and cancel. One notice in ten is lost, the others come one to three times; one payer in six pays
 * while the order is being ended, one in six by two codes.
 */
export function letBuyersIn({ db, standIn, plans, random, count, api, mustAnswer }: Given): Buyers {
  const acked = {
    ...{ users: new Set<string>(), strategies: new Set<string>(), orders: new Set<string>() },
    ...{ finished: new Set<string>(), cancelled: new Set<string>() },
  }
  const answers = new Map<string, number>()
  const wrong: string[] = []
  const lost: string[] = []
  let stop = false
  // Notices of payments are sent from here, where it is known what an answer was worth; those of refunds by the stand-in.
  standIn.courier = ({ body }) => (body.includes('"REFUND.') && random() < 0.9 ? 'send' : 'lose')

  /** null: nobody answered. */
  const ask = async <T>(user: TestUser, method: string, path: string, body?: object) => {
    const hadTo = mustAnswer()
    const answer = await call<T>(api(), user, method, path, body).catch(() => null)
    const what = answer ? `${answer.status} ${answer.code}` : 'none'
    answers.set(what, (answers.get(what) ?? 0) + 1)
    const isWrong = answer ? [401, 403, 404, 500].includes(answer.status) : hadTo()
    if (isWrong) wrong.push(`${method} ${path.replace(/[0-9a-f-]{36}/, '…')}: ${what}`)
    return answer
  }
  const telling = new Set<Promise<void>>()
  /** Sent again until it is heard, as WeChat does; what is said to be heard must have had its effect. */
  const tell = async ({ otn, transactionId }: Booked) => {
    await sleep(random() * 300)
    for (const wait of [300, 1_000, 3_000]) {
      const status = await standIn.deliver(standIn.noticeOf(otn))
      if (status !== 0 && status !== 204 && status !== 503) wrong.push(`notice: ${status}`)
      if (status === 204) {
        const rows = await steadily(() => db.selectFrom('payment').select('otn').where('transaction_id', '=', transactionId).execute())
        if (rows.length === 0) lost.push(`money that was said to be heard: ${otn}`)
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
    const plan_id = plans[Math.floor(random() * plans.length)]
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
      if (ended?.code === 0 && ended.data.status === 5) acked.cancelled.add(order_id)
      if (random() < 0.5) payLate(trade)
    } else if (way < 2 / 6) {
      await leave(user, order_id)
      payLate(trade)
      const second = await scan(user, order_id)
      if (second) pay(second)
    } else if (way < 0.9) {
      pay(trade)
      const status = await ask<{ status: number }>(user, 'GET', `/v1/order/${order_id}/status`)
      if (status?.data?.status === 6) acked.finished.add(order_id)
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
  const working = Array.from({ length: count }, client)
  return {
    ...{ acked, answers, wrong, lost },
    tell() {
      stop = true
    },
    async leave() {
      stop = true
      await Promise.all(working)
      await Promise.all(telling)
      standIn.courier = () => 'lose'
    },
  }
}
