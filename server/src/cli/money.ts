import { shown, type VipOrderStatus } from '@convexa/contract'
import { orderStatuses } from '@convexa/contract/enums/order-status'
import { isIn, labelOf } from '@convexa/contract/enums/table'
import { openLog } from '../base/log.ts'
import { shanghaiTime } from '../base/time.ts'
import { audit } from '../db/audit.ts'
import * as money from '../payment/administration.ts'
import type { PaymentAnomaly } from '../payment/anomalies.ts'
import { paymentDeps } from '../payment/payment-deps.ts'
import { type Compared, reconcile as compare, dueDays, isBillWhole, reconcileDue } from '../payment/reconcile.ts'
import { findUser, idShape } from '../user/administration.ts'
import { withCommandContext } from './command-context.ts'
import { exits, Stop } from './exits.ts'
import { answer, print } from './output.ts'
import { table } from './text.ts'

const yuan = (fen: number | null): string => (fen === null ? '—' : `${Math.floor(fen / 100)}.${String(fen % 100).padStart(2, '0')}`)
const moment = (at: Date | null): string => (at ? shanghaiTime(at).slice(0, 19).replace('T', ' ') : '—')

interface Terms {
  readonly days?: number
  readonly price?: number
  readonly origin?: number
  readonly place?: number
  readonly recommended?: boolean
}

export const listPlans = (): Promise<void> =>
  withCommandContext('database', async ({ db }) => {
    const plans = await money.allPlans(db)
    const heading = ['编号', '名称', '天数', '价格（元）', '划线价', '状态', '首选']
    const rows = plans.map((one) => [
      one.id,
      one.name,
      String(one.days),
      yuan(one.price_fen),
      yuan(one.origin_price_fen),
      one.on_sale ? '在售' : '已下架',
      one.recommended ? '是' : '',
    ])
    answer({ list_items: plans }, () => table([heading, ...rows], [2, 3, 4]))
  })

export const addPlan = (name: string, { days, price, origin, place, recommended }: Terms): Promise<void> =>
  withCommandContext('database', async ({ db, stay }) => {
    stay()
    const id = await money.addPlan(db, {
      name: nameOf(name),
      days: days!,
      price_fen: price!,
      origin_price_fen: origin ?? null,
      place: place ?? 0,
      recommended: recommended ?? false,
    })
    answer({ plan_id: id }, () => `已新增方案 ${id}，并已上架`)
  })

export const offerPlan = (id: string): Promise<void> => changePlan(id, { onSale: true })

export const withdrawPlan = (id: string): Promise<void> => changePlan(id, { onSale: false })

export const changePlan = (id: string, given: Terms & { name?: string; onSale?: boolean }): Promise<void> =>
  withCommandContext('database', async ({ db, stay }) => {
    const change = {
      ...(given.name !== undefined && { name: nameOf(given.name) }),
      ...(given.days !== undefined && { days: given.days }),
      ...(given.price !== undefined && { price_fen: given.price }),
      ...(given.origin !== undefined && { origin_price_fen: given.origin }),
      ...(given.place !== undefined && { place: given.place }),
      ...(given.recommended !== undefined && { recommended: given.recommended }),
      ...(given.onSale !== undefined && { on_sale: given.onSale }),
    }
    if (Object.keys(change).length === 0) throw new Stop(exits.usage, '没有说要修改什么')
    stay()
    if (!(await money.changePlan(db, id, change))) throw new Stop(exits.refused, `没有方案 ${id}`)
    print('已修改；已有的订单保持下单时的名称、天数与价格')
  })

export const listOrders = (given: { user?: string; status?: number; limit?: number }): Promise<void> =>
  withCommandContext('database', async (deps) => {
    // The orders of a deleted user are still found by its id.
    const userId = given.user === undefined ? undefined : ((await findUser(deps, given.user)) ?? given.user)
    if (userId !== undefined && !idShape.test(userId)) throw new Stop(exits.refused, `没有用户“${given.user}”`)
    const status = given.status as VipOrderStatus | undefined
    const orders = await money.findOrders(deps.db, { userId, status, limit: given.limit ?? 20 })
    const heading = ['编号', '用户', '方案', '金额（元）', '状态', '下单', '支付']
    const rows = orders.map((one) => [
      one.id,
      one.user_id,
      one.plan_name,
      yuan(one.amount_fen),
      labelOf(orderStatuses, one.status),
      moment(one.created_at),
      moment(one.paid_at),
    ])
    answer({ list_items: orders }, () => table([heading, ...rows], [3]))
  })

export const showOrder = (id: string): Promise<void> =>
  withCommandContext('database', async ({ db }) => {
    const whole = await money.wholeOrder(db, id)
    if (!whole) throw new Stop(exits.refused, `没有订单 ${id}`)
    const { order, events, attempts, payments, refunds, grant } = whole
    const unused = await money.unusedOf(db, id)
    const parts = [
      table([
        ['订单', order.id],
        ['用户', order.user_id],
        ['方案', `${order.plan_name}，${order.days} 天，${yuan(order.amount_fen)} 元`],
        ['状态', labelOf(orderStatuses, order.status)],
        ['会员', grant ? `${moment(grant.starts_at)} 至 ${moment(grant.ends_at)}${grant.revoked_at ? '，已收回' : ''}` : '—'],
        ['未用', unused ? `${unused.days} 天，合 ${yuan(unused.fen)} 元` : '—'],
      ]),
    ]
    const part = (title: string, heading: string[], rows: string[][]) => {
      if (rows.length > 0) parts.push(`${title}\n${table([heading, ...rows])}`)
    }
    const word = (status: number | null) => (isIn(orderStatuses, status) ? labelOf(orderStatuses, status) : '')
    part(
      '经过',
      ['时间', '从', '到', '由'],
      events.map((one) => [moment(one.at), word(one.from_status), word(one.to_status), one.cause]),
    )
    part(
      '支付尝试',
      ['商户订单号', '方式', '状态', '下次查询'],
      attempts.map((one) => [one.otn, one.type, one.state, moment(one.next_query_at)]),
    )
    part(
      '到账',
      ['微信订单号', '金额（元）', '时间', '得知自', '效果'],
      payments.map((one) => [one.transaction_id, yuan(one.total_fen), moment(one.paid_at), one.source, one.effect]),
    )
    part(
      '退款',
      ['退款单号', '金额（元）', '状态', '缘由', '申请'],
      refunds.map((one) => [one.out_refund_no, yuan(one.amount_fen), one.state, one.reason, moment(one.created_at)]),
    )
    answer(whole, () => parts.join('\n\n'))
  })

export const reconcile = (day: string | undefined): Promise<void> =>
  withCommandContext('database', async ({ db, config, signal, stay }) => {
    const deps = paymentDeps(db, { config, log: openLog({ logLevel: 'silent' }, 'worker'), now: () => new Date() })
    if (!deps) throw new Stop(exits.refused, '没有配置微信支付，无账可对')
    if (day !== undefined && !(await isBillWhole(db, day))) throw new Stop(exits.refused, `${day} 的账单次日十点后才完整，请那时再对账`)
    // The comparison of a day is stored for good, so it is printed and audited however the command ends.
    stay()
    const one = day === undefined ? null : await compare(deps, day)
    if (day !== undefined && !one) throw new Stop(exits.failed, `没有取到 ${day} 的账单，请稍后再试`)
    const compared: Compared[] = one ? [one] : day === undefined ? await reconcileDue(deps, signal) : []
    if (compared.length > 0) await audit(db, { actor: 'operator', action: 'bill.compare', after: { compared } })
    const anomalies = await money.openAnomalies(db)
    const due = day === undefined ? await dueDays(db) : []
    const isCutShort = signal.aborted && due.length > 0
    const parts: string[] = []
    if (!isCutShort && due.length > 0) parts.push(`没有取到或无法读取账单的日子：${due.join('、')}，稍后会自动再试`)
    if (due.length === 0 && compared.length === 0) parts.push('没有应对而未对的日子')
    if (compared.length > 0) parts.push(comparedTable(compared))
    if (anomalies.length > 0) parts.push(`\n待处理的异常\n${anomalyTable(anomalies)}`)
    answer({ compared, due, anomalies }, () => parts.join('\n'))
    if (isCutShort) throw new Stop(exits.interrupted, `已中断，还没有对账的日子：${due.join('、')}`)
  })

function comparedTable(compared: readonly Compared[]): string {
  const rows = compared.map((each) => [each.day, ...[each.payments, each.refunds, each.found, each.unexplained].map(String)])
  return table([['日期', '支付', '退款', '补记', '不符'], ...rows], [1, 2, 3, 4])
}

/** In the words of an operator. */
const anomalyWords: Readonly<Record<PaymentAnomaly, string>> = {
  'unknown order': '款项不属于任何订单',
  mismatch: '款项与订单不符',
  'transaction of another order': '同一款项对应两个订单号',
  'payment not on the bill': '本站有而账单没有的支付',
  'refund unknown to us': '账单有而本站没有的退款',
  'refund closed': '退款被微信关闭，款项未退，请重新退款',
  'refund stuck': '退款异常，请到商户平台处理',
  'given back elsewhere': '款项在本站得知前已被退回',
}

const anomalyTable = (anomalies: Awaited<ReturnType<typeof money.openAnomalies>>): string => {
  const rows = anomalies.map((each) => [
    String(each.id),
    moment(each.at),
    anomalyWords[each.what as PaymentAnomaly] ?? each.what,
    each.otn,
    each.transaction_id,
  ])
  return table([['编号', '时间', '异常', '商户订单号', '微信订单号'], ...rows], [0])
}

export const listAnomalies = (): Promise<void> =>
  withCommandContext('database', async ({ db }) => {
    const anomalies = await money.openAnomalies(db)
    answer({ list_items: anomalies }, () => (anomalies.length === 0 ? '没有待处理的异常' : anomalyTable(anomalies)))
  })

export const resolveAnomaly = (id: number, given: { note: string }): Promise<void> =>
  withCommandContext('database', async ({ db, stay }) => {
    const note = shown(given.note.normalize('NFC').trim(), 200)
    if (note === '') throw new Stop(exits.usage, '需要说明如何处理')
    stay()
    const done = await money.resolveAnomaly(db, id, note)
    if (done === 'none') throw new Stop(exits.refused, `没有异常 ${id}`)
    print(done === 'resolved' ? `异常 ${id} 已标为处理完毕` : `异常 ${id} 先前已处理完毕`)
  })

export const refund = (id: string, { amount, keepDays }: { amount?: number; keepDays?: boolean }): Promise<void> =>
  withCommandContext('database', async ({ db, stay }) => {
    stay()
    const done = await money.refundOrder(db, id, { amountFen: amount ?? null, keepDays: keepDays ?? false })
    switch (done.is) {
      case 'begun':
        return print(
          `已登记退款 ${yuan(done.amountFen)} 元（${done.outRefundNo}），由后台进程办理${done.revokes ? '，退成后收回会员天数' : ''}`,
        )
      case 'second needed':
        return print(
          `已登记申请 ${yuan(done.amountFen)} 元：超过 ${yuan(money.oneOperatorLimitFen)} 元，需由另一位操作者在 24 小时内执行同一命令`,
        )
      case 'no order':
        throw new Stop(exits.refused, `没有订单 ${id}`)
      case 'not paid':
        throw new Stop(exits.refused, '该订单没有支付，或款项已自动退回')
      case 'too much':
        throw new Stop(exits.refused, '超过了尚未退还的金额')
    }
  })

function nameOf(given: string): string {
  const name = shown(given.normalize('NFC').trim(), 30)
  if (name === '') throw new Stop(exits.usage, '方案需要名称')
  return name
}
