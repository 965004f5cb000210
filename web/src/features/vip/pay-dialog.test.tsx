import { calls } from '@convexa/contract/calls'
import { orderStatus } from '@convexa/contract/enums/order-status'
import type { Order, VipOrderStatus } from '@convexa/contract/order'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { App } from '../../../test/components/app.tsx'
import { axeFaults } from '../../../test/components/axe.ts'
import { expectInsideWindow, lowButtons } from '../../../test/components/places.ts'
import { type ScriptedApi, scriptedApi } from '../../../test/components/scripted-api.ts'
import { PayDialog } from './pay-dialog.tsx'

const id = '20261012-1'
const order: Order = {
  order_id: id,
  plan_id: 'month',
  plan_name: '月度会员',
  days: 30,
  amount_fen: 2_900,
  status: orderStatus.waitPaying,
  created_at: '2026-10-12T10:00:00+08:00',
  expire_at: '2026-10-12T10:15:00+08:00',
  expire_in: 900,
  pay_type: null,
}
const benefit = { key: 'backtest', label: '每日回测', value: '200 次', free: '20 次' }

let api: ScriptedApi
/** What the server says of the order from now on. */
function stands(status: VipOrderStatus, more: Partial<Order> = {}) {
  // The server counts the seconds by the same clock, however often it is asked.
  const left = () => Math.max(0, (Date.parse(order.expire_at) - Date.now()) / 1_000)
  api.says(calls.order.detail, () => ({ ...order, status, expire_in: left(), ...more }))
  api.says(calls.order.status, { order_id: id, status })
}
beforeEach(() => {
  api = scriptedApi()
  stands(orderStatus.waitPaying)
  api.says(calls.payment.nativeProcess, { code_url: 'weixin://wxpay/bizpayurl?pr=made', expire_at: order.expire_at })
  api.says(calls.payment.nativeClose, {} as never)
  api.says(calls.vip.plans, [
    { plan_id: 'month', plan_name: '月度会员', days: 30, price_fen: 2_900, benefits: [benefit], recommended: false },
  ])
  api.says(calls.system.website, { contact: 'help@example.com', features: { ios_virtual_pay: false } } as never)
})

const closed = vi.fn()
const show = async () => {
  closed.mockClear()
  await render(
    <App>
      <PayDialog id={id} onClose={closed} />
    </App>,
  )
}
const dialog = (name: string | RegExp = '开通「月度会员」') => page.getByRole('dialog', { name })
const code = () => page.getByRole('img', { name: '微信支付二维码' })
const button = (name: string) => page.getByRole('button', { name, exact: true })
/** The step of 支付进度 that is said to be the present one. */
const step = () => document.querySelector('[aria-current="step"]')?.textContent

it('shows the code, the amount, what it brings and how long it may be paid, counted down by the clock', async () => {
  await show()
  await expect.element(code()).toBeVisible()
  for (const words of ['¥29.00', '30 天', '20 次 →', '200 次', '15:00', '请用手机微信扫码支付'])
    await expect.element(dialog().getByText(words, { exact: false }).first()).toBeVisible()
  await expect.element(dialog().getByText('help@example.com', { exact: false })).toBeVisible()
  expect(step()).toContain('等待支付')
  await expect.element(button('我已支付，检查状态')).toHaveFocus()
  vi.setSystemTime(Date.now() + 61_000)
  await expect.element(dialog().getByText(/^13:\d\d$/)).toBeVisible()
  vi.setSystemTime(Date.now() + 900_000)
  await expect.element(dialog().getByText('已到期')).toBeVisible()
})

describe.each<[string, VipOrderStatus, Partial<Order>, string[], string | null]>([
  ['paid', orderStatus.payFinished, {}, ['支付成功', '已收到付款，正在开通，通常几秒完成。'], '支付成功，开通中'],
  ['finished', orderStatus.finished, { ends_at: '2026-11-11T10:00:00+08:00' }, ['支付成功', '会员已开通，有效期至 2026-11-11。'], null],
  ['given up', orderStatus.quit, { closed_by: 'user' }, ['订单已关闭', '订单已关闭，请重新下单。若已付款，款项会原路退回。'], null],
  ['over', orderStatus.quit, { closed_by: 'timeout' }, ['订单已关闭', '订单已过期，请重新下单。若已付款，款项会原路退回。'], null],
  [
    'over, with money on its way back',
    orderStatus.quit,
    { closed_by: 'timeout', refund_status: 'PROCESSING', refund_fen: 2_900 },
    ['¥29.00 · 退款处理中', '订单已过期，付款正在原路退回。'],
    null,
  ],
  [
    'over, with its money back',
    orderStatus.quit,
    { closed_by: 'timeout', refund_status: 'SUCCESS', refund_fen: 2_900 },
    ['¥29.00 · 已退款', '订单已过期，付款已原路退回。'],
    null,
  ],
])('an order that is %s', (_, status, more, says, now) => {
  it('says so in the place of the code, and axe finds nothing', async () => {
    stands(status, more)
    await show()
    for (const words of says) await expect.element(dialog().getByText(words, { exact: true })).toBeVisible()
    await expect.element(code()).not.toBeInTheDocument()
    await expect.element(button('完成')).toHaveFocus()
    if (now) expect(step()).toContain(now)
    expect(await axeFaults()).toEqual([])
    await userEvent.keyboard('{Enter}')
    expect(closed).toHaveBeenCalledTimes(1)
    expect(api.asked(calls.payment.nativeClose)).toEqual([])
  })
})

it('a payment is seen by a press, and the focus is where one goes on', async () => {
  await show()
  await expect.element(button('我已支付，检查状态')).toHaveFocus()
  stands(orderStatus.finished, { ends_at: '2026-11-11T10:00:00+08:00' })
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog().getByText('会员已开通，有效期至 2026-11-11。')).toBeVisible()
  await expect.element(button('完成')).toHaveFocus()
})

it.each([
  [orderStatus.payFailed, '支付失败'],
  [orderStatus.payQuit, '已取消支付'],
])('after a try that ended with %i the code is gone until one asks for another', async (status, words) => {
  stands(status)
  await show()
  await expect.element(dialog().getByRole('alert').getByText(words)).toBeVisible()
  await expect.element(code()).not.toBeInTheDocument()
  stands(orderStatus.waitPaying)
  await button('重新支付').click()
  await vi.waitFor(() => expect(api.asked(calls.payment.nativeProcess)).toHaveLength(2))
})

it('closing it by Esc ends the attempt, so that nobody pays by a code that is no longer shown', async () => {
  await show()
  await expect.element(code()).toBeVisible()
  await userEvent.keyboard('{Escape}')
  expect(closed).toHaveBeenCalledTimes(1)
  await vi.waitFor(() => expect(api.asked(calls.payment.nativeClose).map(({ body }) => body)).toEqual([{ order_id: id }]))
})

it('the order is given up by its button; a refusal is said and the dialog stays', async () => {
  api.refuses(calls.order.remove, 24008, '订单正在支付，暂时不能取消')
  await show()
  await button('取消订单').click()
  await expect.element(dialog().getByText('订单正在支付，暂时不能取消')).toBeVisible()
  expect(closed).not.toHaveBeenCalled()
  api.says(calls.order.remove, { status: orderStatus.quit })
  await button('取消订单').click()
  await expect.element(page.getByText('订单已取消')).toBeVisible()
  expect(closed).toHaveBeenCalledTimes(1)
})

it('what cannot be read is said with what is true all the same, and can be read again', async () => {
  api.refuses(calls.order.detail, 50000, '读取数据异常')
  await show()
  await expect.element(dialog('支付订单').getByText('订单没有受影响。')).toBeVisible()
  stands(orderStatus.waitPaying)
  await button('重试').click()
  await expect.element(code()).toBeVisible()
})

it('a code that does not come is said in its place, beside the order', async () => {
  api.refuses(calls.payment.nativeProcess, 24001, '微信支付暂时不可用')
  await show()
  await expect.element(dialog().getByRole('alert').getByText('微信支付暂时不可用')).toBeVisible()
  await expect.element(dialog().getByText('¥29.00')).toBeVisible()
  api.says(calls.payment.nativeProcess, { code_url: 'weixin://wxpay/bizpayurl?pr=made', expire_at: order.expire_at })
  await button('重试').click()
  await expect.element(code()).toBeVisible()
})

it('stands inside a narrow window, its buttons as high as a finger needs, and axe finds nothing beside the code', async () => {
  await page.viewport(360, 640)
  await show()
  await expect.element(code()).toBeVisible()
  await expectInsideWindow(dialog())
  expect(lowButtons(dialog())).toEqual([])
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  expect(await axeFaults()).toEqual([])
})
