import type { TradingConfig } from '@convexa/contract/qmt'
import { describe, expect, it } from 'vitest'
import { mistakesOf } from '../../../ui/form/form-state.ts'
import { bodyOf, closingTemplate, type TradeValues, tradeRules, valuesOf } from './trade-config.ts'

const wrong = (over: Partial<TradeValues>) => mistakesOf({ ...closingTemplate, ...over }, tradeRules).map(([field]) => field)

describe('a trading config', () => {
  it.each<[name: string, over: Partial<TradeValues>, wrong: string[]]>([
    ['of the template is right', {}, []],
    ['may trade in the morning', { start_time: '9:30', end_time: '9:40' }, []],
    ['has to end after it starts', { end_time: '14:50:00' }, ['end_time', 'duration']],
    ['has to end before the closing auction', { end_time: '14:58:00' }, ['end_time']],
    ['is no faster than 3 seconds', { interval: 2, wait: 2 }, ['interval']],
    ['has slices within its total time', { interval: 400 }, ['interval']],
    ['waits no longer than to the next slice', { wait: 31 }, ['wait']],
    ['has an offset where its price needs one', { price_mode: 3, price_offset: 0 }, ['price_offset']],
    ['needs none otherwise', { price_mode: 1, price_offset: 0 }, []],
    ['is guarded', { price_guard: null }, ['price_guard']],
    ['has a largest order above its smallest', { order_min: 30_000 }, ['order_max']],
    ['has no order above 50,000 yuan', { order_max: 50_001 }, ['order_max']],
    ['needs numbers that can be read', { day_max: Number.NaN, hold_rank: Number.NaN }, ['day_max', 'hold_rank']],
    ['holds at least what it buys', { buy_rank: 10, hold_rank: 8 }, ['hold_rank']],
    ['takes profit by numbers', { takes_profit: true, deal: null }, ['deal']],
    ['does not ask for them otherwise', { deal: null }, []],
    ['ignores securities, not words', { ignored: '127056.sz，北方' }, ['ignored']],
    ['ignores a security once', { ignored: '127056.SZ\n127056.sz' }, ['ignored']],
  ])('%s', (_, over, fields) => expect(wrong(over)).toEqual(fields))

  it('is sent as the contract has it', () => {
    const body = bodyOf({
      ...closingTemplate,
      start_time: '9:30',
      end_time: '０９：４０',
      ignored: '127056.sz, 113050.SH',
      heartbeat: ' 9：15',
    })
    expect(body).toMatchObject({
      start_time: '09:30:00',
      end_time: '09:40:00',
      take_profit: null,
      heartbeat: '09:15',
      ignore_codes: ['127056.SZ', '113050.SH'],
    })
    expect(body).not.toHaveProperty('ignored')
  })

  it('comes back as it was sent', () => {
    const body = bodyOf({ ...closingTemplate, takes_profit: true, ignored: '127056.SZ' })
    const stored: TradingConfig = { ...body, id: '1', updated_at: '2026-11-20T14:00:00+08:00' }
    expect(bodyOf(valuesOf(stored))).toEqual(body)
  })
})
