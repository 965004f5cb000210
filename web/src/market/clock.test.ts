import { describe, expect, it } from 'vitest'
import { marketClock } from './clock.ts'

const at = (text: string) => Date.parse(`${text}+08:00`)
const closed = new Set(['2026-10-01', '2026-11-21', '2026-11-22'])

describe('the market clock', () => {
  it.each([
    ['2026-11-20T09:00', '盘前'],
    ['2026-11-20T09:15', '集合竞价'],
    ['2026-11-20T09:30', '交易中'],
    ['2026-11-20T11:30', '午间休市'],
    ['2026-11-20T13:00', '交易中'],
    ['2026-11-20T15:00', '已收盘'],
    ['2026-11-21T10:00', '休市'],
    ['2026-10-01T10:00', '休市'],
  ])('at %s it is %s', (time, phase) => expect(marketClock(at(time), closed).phase).toBe(phase))

  it('knows weekends without a calendar', () => {
    expect(marketClock(at('2026-11-22T10:00'), null).phase).toBe('休市')
    expect(marketClock(at('2026-10-01T10:00'), null).phase).toBe('交易中')
  })

  it('shows the day of Shanghai, whatever the machine thinks', () => {
    expect(marketClock(Date.parse('2026-11-20T17:00Z'), closed)).toMatchObject({ time: '01:00', day: '11-21 周六', year: 2026 })
  })
})
