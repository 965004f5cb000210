import { secondsOf } from '@convexa/contract/rules/trading-config'
import { describe, expect, it } from 'vitest'
import { timelineOf, timelineWords, timeOf } from './timeline.ts'
import { closingTemplate, type TradeValues } from './trade-config.ts'

const at = (over: Partial<TradeValues>) => timelineOf({ ...closingTemplate, ...over })

describe('the timeline', () => {
  it('of the template has ten batches, each waiting 24 s, and ends before its window', () => {
    const { slices, until, to } = at({})!
    expect(slices.map(({ at: when }) => timeOf(when)).slice(0, 3)).toEqual(['14:50:00', '14:50:30', '14:51:00'])
    expect(slices).toHaveLength(10)
    expect(slices[0]!.waitsUntil - slices[0]!.at).toBe(24)
    expect([timeOf(until), timeOf(to)]).toEqual(['14:55:00', '14:56:30'])
  })

  it('cuts the wait of a last batch that the total time does not leave room for', () => {
    const { slices } = at({ duration: 70 })!
    expect(slices.map(({ at: when, waitsUntil }) => waitsUntil - when)).toEqual([24, 24, 10])
  })

  it.each<[name: string, over: Partial<TradeValues>]>([
    ['a time that is none', { start_time: '25:00:00' }],
    ['an end before its start', { end_time: '14:40:00' }],
    ['a window over noon', { start_time: '11:00:00', end_time: '13:30:00' }],
    ['no interval', { interval: null }],
    ['more time than its window', { duration: 900 }],
  ])('is not drawn of %s', (_, over) => expect(at(over)).toBeNull())

  it('is said in a sentence', () => {
    expect(timelineWords(at({})!, closingTemplate)).toBe(
      '14:50:00 起，每 30 秒一批，最多 10 批；等满 24 秒还没成交的撤掉重下；14:55:00 结束并撤掉剩余委托。',
    )
  })

  it('counts seconds of the day and back', () => expect(timeOf(secondsOf('09:05:07'))).toBe('09:05:07'))
})
