import { orderStatuses } from '@convexa/contract/enums/order-status'
import { labelOf } from '@convexa/contract/enums/table'
import { describe, expect, it } from 'vitest'
import { clockWords, gainsOf, isOpenOrder, price, receiptWords, savedWords, untilWords, yuan } from './order-text.ts'
import { type PayWay, payWayOf } from './pay-way.ts'
import { orderPollDelay, pollDelay } from './polling.ts'
import { endOf } from './wechat-bridge.ts'

const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148'
const android = 'Mozilla/5.0 (Linux; Android 15; PJF110) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/134.0 Mobile Safari/537.36'
const tablet = 'Mozilla/5.0 (Linux; Android 15; SM-X710) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/134.0 Safari/537.36'
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/134.0 Safari/537.36'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15'
const wechat = ' MicroMessenger/8.0.50'

describe('how one pays', () => {
  it.each<[string, string, number, boolean, PayWay]>([
    ['a desk', windows, 0, false, 'native'],
    ['a desk with a touch screen', windows, 10, false, 'native'],
    ['a Mac', mac, 0, false, 'native'],
    ['an iPad that calls itself a Mac', mac, 5, false, 'elsewhere'],
    ['WeChat at a Mac', `${mac} MicroMessenger/6.8.0 MacWechat/3.8.8`, 0, false, 'elsewhere'],
    ['WeChat at a desk', `${windows} WindowsWechat${wechat}`, 0, false, 'elsewhere'],
    ['a phone outside WeChat', android, 5, false, 'elsewhere'],
    ['a phone inside WeChat', android + wechat, 5, false, 'jsapi'],
    ['a tablet', tablet, 5, false, 'elsewhere'],
    ['a tablet inside WeChat', tablet + wechat, 5, false, 'elsewhere'],
    ['an iPhone outside WeChat', iphone, 5, true, 'elsewhere'],
    ['an iPhone inside WeChat, not sold to', iphone + wechat, 5, false, 'ios'],
    ['an iPhone inside WeChat, sold to', iphone + wechat, 5, true, 'jsapi'],
  ])('%s', (_, userAgent, touchPoints, iosVirtualPay, way) => {
    expect(payWayOf(userAgent, touchPoints > 1, { iosVirtualPay })).toBe(way)
  })
})

describe('WeChat’s sheet is left', () => {
  it.each([
    ['get_brand_wcpay_request:ok', 'ok'],
    ['get_brand_wcpay_request:cancel', 'cancel'],
    ['get_brand_wcpay_request:fail', 'fail'],
    ['get_brand_wcpay_request:fail_no permission to execute', 'fail'],
    ['', 'fail'],
    [undefined, 'fail'],
  ])('%s is %s', (message, end) => expect(endOf(message)).toBe(end))
})

describe('the status is asked', () => {
  it.each([
    ['at once quickly', 1, 1, 2_000],
    ['quickly for three minutes', 89, 1, 2_000],
    ['then slower', 90, 1, 5_000],
    ['for ten minutes more', 209, 1, 5_000],
    ['then no more by itself', 210, 1, false],
    ['before the first answer', 0, undefined, 2_000],
    ['while days are being given', 3, 4, 2_000],
    ['no more once it is done', 3, 6, false],
    ['no more once it is closed', 3, 5, false],
  ] as const)('%s', (_, answers, status, delay) => expect(pollDelay(answers, status)).toBe(delay))
})

describe('an order is asked for again', () => {
  const end = '2026-11-22T19:00:00+08:00'
  const minutesAfter = (minutes: number) => Date.parse(end) + minutes * 60_000
  it.each([
    ['soon while it is being paid', { status: 1 }, -10, 5_000],
    ['soon while days are being given', { status: 4 }, -10, 5_000],
    ['seldom while it may be paid', { status: 0 }, -10, 15_000],
    ['for money that comes late', { status: 5 }, 30, 10_000],
    ['for money that comes a second time', { status: 6 }, 30, 10_000],
    ['no more an hour after its end', { status: 5 }, 61, false],
    ['never where nothing was begun to be paid', { status: 5, pay_type: null }, 1, false],
    ['soon while money goes back, however late', { status: 5, refund_status: 'PROCESSING' }, 900, 5_000],
    ['no more once it is back', { status: 5, refund_status: 'SUCCESS' }, 1, false],
  ] as const)('%s', (_, order, minutes, delay) => {
    expect(orderPollDelay({ pay_type: 'NATIVE', expire_at: end, ...order }, minutesAfter(minutes))).toBe(delay)
  })
})

describe('words', () => {
  it.each([
    [1, '¥0.01'],
    [2_900, '¥29.00'],
    [29_805, '¥298.05'],
  ])('%i fen are %s', (fen, words) => expect(yuan(fen)).toBe(words))

  it('leave out fen that are none on a plan', () => expect([price(2_900), price(2_990)]).toEqual(['¥29', '¥29.90']))

  it.each([
    [29_800, 34_800, '省 14%'],
    [29_800, 29_800, null],
    [29_800, 29_801, null],
    [29_800, undefined, null],
  ])('a price of %i instead of %j: %j', (price_fen, origin_price_fen, words) => {
    expect(savedWords({ price_fen, ...(origin_price_fen !== undefined && { origin_price_fen }) })).toBe(words)
  })

  it('name seven statuses, four of them open', () => {
    const all = [0, 1, 2, 3, 4, 5, 6] as const
    expect(new Set(all.map((status) => labelOf(orderStatuses, status))).size).toBe(7)
    expect(all.filter(isOpenOrder)).toEqual([0, 1, 2, 3])
  })

  it.each([
    [{ status: 5, closed_by: 'user' }, '已关闭'],
    [{ status: 5, closed_by: 'timeout' }, '已关闭（超时未付）'],
    [{ status: 5, closed_by: 'timeout', refund_status: 'SUCCESS' }, '已关闭（付款到账时已过期）'],
    [{ status: 6 }, '已完成'],
  ] as const)('%j is on the receipt %s', (order, words) => expect(receiptWords(order)).toBe(words))

  it('tell until when and how long', () => {
    expect(untilWords('2026-12-22T10:00:00+08:00', Date.parse('2026-11-20T14:00:00+08:00'))).toBe('2026-12-22 到期（还有 32 天）')
    expect(untilWords('2026-12-22T10:00:00+08:00', Date.parse('2026-12-22T10:00:00+08:00'))).toBe('2026-12-22 已到期')
    expect(clockWords(751)).toBe('12:31')
  })
})

describe('what an order brings', () => {
  const benefits = [{ key: 'backtest', label: '每日回测', free: '20 次', value: '200 次' }]
  const now = Date.parse('2026-11-21T10:00:00+08:00')
  const said = (vip: { level: number; expire_at: string | null } | null) =>
    gainsOf({ days: 365 }, benefits as never, vip, now).map(({ label, before, after }) => `${label} ${before ?? ''}→${after}`)

  it.each([
    ['a free user gains limits', { level: 0, expire_at: null }, ['会员时长 →365 天', '每日回测 20 次→200 次']],
    ['so does a former member', { level: 1, expire_at: '2026-11-20T10:00:00+08:00' }, ['会员时长 →365 天', '每日回测 20 次→200 次']],
    [
      'a member who renews gains days over what he has, and no limits',
      { level: 1, expire_at: '2026-12-22T10:00:00+08:00' },
      ['会员时长 →365 天', '会员有效期 2026-12-22→2027-12-22', '用量上限 →与现在相同'],
    ],
  ])('%s', (_, vip, words) => expect(said(vip)).toEqual(words))
})
