import { describe, expect, it } from 'vitest'
import { marketClock } from '../../market/clock.ts'
import { type BannerFacts, bannerOf } from './banners.ts'

const at = (time: string) => marketClock(Date.parse(`${time}+08:00`), null)
const friday = at('2026-11-20T10:00')
const saturday = at('2026-11-21T10:00')
const facts = (given: Partial<BannerFacts>): BannerFacts => ({
  modes: { cb: 'imported', stk: 'imported' },
  clock: friday,
  kind: null,
  deletionAt: null,
  waiting: null,
  ...given,
})
const waiting = { id: 'o1', words: '你有一笔待支付订单（年度会员 ¥298.00' }
const demo = { cb: 'demo', stk: 'demo' } as const

describe('one banner at a time', () => {
  it.each<[string, Partial<BannerFacts>, Record<string, string>, RegExp | null]>([
    ['nothing to say', {}, {}, null],
    ['demo data come first', { modes: demo, clock: saturday }, {}, /^当前是演示数据/],
    ['closed for the day, the next one speaks', { modes: demo, clock: saturday }, { demo: '2026-11-21' }, /^今日休市（周末）/],
    ['both closed', { modes: demo, clock: saturday }, { demo: '2026-11-21', closed: '2026-11-21' }, null],
    ['closed yesterday, it is back', { modes: demo }, { demo: '2026-11-19' }, /演示数据/],
    ['on a page of a market with real data', { modes: { cb: 'imported', stk: 'demo' }, kind: 'cb' }, {}, null],
    ['on no market’s page it says which one', { modes: { cb: 'imported', stk: 'demo' } }, {}, /^股票是演示数据/],
    [
      'an account that ends goes before all',
      { modes: demo, deletionAt: '2026-11-28T17:40:12+08:00' },
      {},
      /^账号将于 2026-11-28 17:40 注销/,
    ],
    ['an order that waits to be paid goes before what lasts', { modes: demo, waiting }, {}, /^你有一笔待支付订单（年度会员 ¥298.00$/],
    ['closed for one order', { modes: demo, waiting }, { 'order o1': '2026-11-20' }, /演示数据/],
    ['not for the next', { waiting: { ...waiting, id: 'o2' } }, { 'order o1': '2026-11-20' }, /待支付订单/],
    ['a holiday by its name', { clock: at('2027-01-01T10:00') }, {}, /^今日休市（元旦），没有新的行情。$/],
  ])('%s', (_, given, dismissed, text) => {
    const banner = bannerOf(facts(given), dismissed)
    if (text === null) expect(banner).toBeNull()
    else expect(banner?.text).toMatch(text)
  })
})
