import type { Parameters } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { wrongStops } from '../screen/rule-checks.ts'
import { type Bar, type StopRule, stopOf, stopRuleOf, trailingStopOf } from './stops.ts'

const rule = (method: Parameters['stop_method']) => stopRuleOf(method) as StopRule
const bar = (open: number, high: number, low: number, close: number): Bar => ({ open, high, low, close })
const told = (stop: ReturnType<typeof stopOf>) =>
  stop ? `${stop.reason} ${Number(stop.price.toFixed(6))} ${stop.moment}${stop.both ? ' both' : ''}` : null

describe('a day of a position against its levels, from a base of 100', () => {
  const both = rule({ stop_type: 3, take_profit: 0.06, stop_loss: 0.04 })
  it.each([
    ['opens above the take-profit: sold at the open', both, bar(108, 109, 95, 100), 'take_profit 108 open'],
    ['reaches it during the day: sold at the level', both, bar(101, 106, 100, 103), 'take_profit 106 touch'],
    ['just misses it', both, bar(101, 105.999, 100, 103), null],
    ['opens below the stop-loss: sold at the open', both, bar(93, 107, 92, 100), 'stop_loss 93 open'],
    ['falls to it during the day', both, bar(100, 101, 96, 99), 'stop_loss 96 touch'],
    ['touches both: the loss first, marked', both, bar(100, 107, 95, 103), 'stop_loss 96 touch both'],
    [
      'a take-profit alone knows no loss',
      rule({ stop_type: 1, take_profit: 0.06, stop_loss: 0.04 }),
      bar(90, 107, 80, 85),
      'take_profit 106 touch',
    ],
    ['a stop-loss alone knows no gain', rule({ stop_type: 2, take_profit: 0.06, stop_loss: 0.04 }), bar(108, 120, 100, 110), null],
    [
      'at the close, what happened before does not count',
      rule({ stop_type: 4, take_profit: 0.06, stop_loss: 0.04 }),
      bar(90, 120, 80, 100),
      null,
    ],
    ['at the close, a gain', rule({ stop_type: 4, take_profit: 0.06, stop_loss: 0.04 }), bar(100, 120, 80, 106), 'take_profit 106 close'],
    ['at the close, a loss', rule({ stop_type: 4, take_profit: 0.06, stop_loss: 0.04 }), bar(100, 120, 80, 96), 'stop_loss 96 close'],
    ['without prices nothing is touched', both, bar(Number.NaN, Number.NaN, Number.NaN, Number.NaN), null],
  ] as const)('%s', (_, method, day, expected) => {
    expect(told(stopOf(method, day, 100))).toBe(expected)
  })

  it('a level that binary numbers overshoot is reached all the same', () => {
    expect(100.65 * 1.06).toBeGreaterThan(106.689)
    expect(told(stopOf(both, bar(100.65, 106.689, 100, 106), 100.65))).toBe('take_profit 106.689 touch')
  })
})

describe('a trailing stop: active from +10 %, sold 5 % below the highest price, base 100', () => {
  const trailing = rule({ stop_type: 5, activate: 0.1, drawdown: 0.05 })
  it.each([
    ['is not active yet', 105, bar(104, 106, 95, 99), null],
    ['opens below the level', 120, bar(110, 115, 109, 112), 'trailing_stop 110 open'],
    ['falls to the level of the highest so far', 120, bar(118, 119, 113, 118), 'trailing_stop 114 touch'],
    ['opens at a new high and falls from there', 108, bar(120, 121, 113, 118), 'trailing_stop 114 touch'],
    ['a new high after which the close is far below: sold on the way', 108, bar(109, 120, 108, 112), 'trailing_stop 114 touch'],
    ['a low that may have come before the high proves nothing', 108, bar(109, 120, 105, 118), null],
  ] as const)('%s', (_, peak, day, expected) => {
    expect(told(trailingStopOf(trailing, day, 100, peak))).toBe(expected)
  })
})

it.each([
  [{ stop_type: 0 }, null],
  [{ stop_type: 1 }, '盘中止盈需要填写止盈比例'],
  [{ stop_type: 2, take_profit: 0.06 }, '盘中止损需要填写止损比例'],
  [{ stop_type: 3, take_profit: 0.06 }, '盘中止盈止损需要填写止损比例'],
  [{ stop_type: 4 }, '收盘止盈止损需要填写止盈比例和止损比例'],
  [{ stop_type: 5, activate: 0.1 }, '移动止盈需要填写回撤比例'],
  [{ stop_type: 5, activate: 0.1, drawdown: 0.05 }, null],
] as const)('what a stop method lacks is said: %o', (method, wrong) => {
  expect(wrongStops(method)).toBe(wrong)
})
