import { expect, it } from 'vitest'
import { heldOn } from './held-on.ts'

it('a bond that waits for its payment is told apart among what was held', () => {
  const holdings = {
    codes: ['110001.SH', '110002.SH'],
    names: ['甲转债', '乙转债'],
    days: [
      { date: '2026-11-16', code_index: [1, 0], weight: [0.4, 0.5] },
      { date: '2026-11-18', code_index: [0, 1], weight: [0.3, 0.4], claims: [0], unpaid: [1] },
    ],
  }
  const told = (date: string) => heldOn(holdings, date).map(({ name, claim }) => `${name}${claim ? ` ${claim}` : ''}`)
  expect(told('2026-11-13')).toEqual([])
  expect(told('2026-11-17')).toEqual(['甲转债', '乙转债'])
  expect(told('2026-11-18')).toEqual(['乙转债 未兑付', '甲转债 待兑付'])
})
