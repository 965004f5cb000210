import { describe, expect, it } from 'vitest'
import { chance } from '../../test/fixtures/chance.ts'
import { markets } from '../market/index.ts'
import { rowMarker } from './rules.ts'
import { universeRules } from './universe.ts'

describe('rules on rows of a mask', () => {
  it('mark four at a time whom they mark one by one, wherever rows begin', () => {
    const luck = chance(7)
    for (const stride of [8, 12, 13, 30]) {
      for (const [count, id, shift] of [
        [8, 1, 0],
        [7, 3, 0],
        [6, 127, 0],
        [8, 200, 0],
        [5, 9, 1],
      ] as const) {
        const mask = Uint8Array.from({ length: 5 * stride }, () => luck.below(2))
        const mark = rowMarker(mask)
        for (let day = 0; day < 5; day++) {
          const fail = new Uint8Array(count + shift).subarray(shift)
          for (let i = 0; i < count; i++) fail[i] = luck.pick([0, 0, 1, id - 1])
          const expected = fail.map((failed, i) => (failed === 0 && mask[day * stride + i] === 0 ? id : failed))
          mark(fail, id, day * stride, count)
          expect([...fail], `${stride} ${count} ${id} ${day}`).toEqual([...expected])
        }
      }
    }
  })

  it('say who leaves, in whatever order days are asked for', () => {
    const luck = chance(8)
    const count = 23
    const leaveFrom = Int32Array.from({ length: count }, () => luck.pick([-1, 0, 2, 5, 5, 9, 0x7fffffff]))
    const securities = Array.from(leaveFrom, (_, i) => ({ code: `${i}`, board: 'SSE_MAIN' as const, listed: null, attributes: {} }))
    const whole = new Uint8Array(12 * count).fill(1)
    const input = { dates: Array(12).fill('2024-01-02'), stride: count, listed: whole, traded: whole, securities, columns: new Map() }
    const parameters = {
      universe: { markets: [], exclude_codes: [] },
      exclude: { st: false, list_days: 0, suspended: true, org_types: [], areas: [], industries: [] },
    }
    const rule = universeRules(input, markets.stk, parameters, leaveFrom).rules.find(({ key }) => key === 'exclude.last_day')
    for (const day of [3, 4, 4, 9, 11, 0, 1, 5, 2, 10]) {
      const fail = new Uint8Array(count)
      rule?.apply(fail, 5, { day, count, universe: whole, values: () => ({ column: new Float64Array(), offset: 0 }) })
      expect([...fail], `day ${day}`).toEqual(Array.from(leaveFrom, (from) => (day >= from ? 5 : 0)))
    }
  })
})
