import { describe, expect, it } from 'vitest'
import { worstYear } from './worst-year.ts'

const days = (count: number) => Array.from({ length: count }, (_, day) => `d${day}`)
const flat = (count: number) => Array.from({ length: count }, () => 1)

describe('the worst twelve months', () => {
  it('begin where most was lost, beside what the benchmark did then', () => {
    // Up for a hundred days, down a quarter by the 342nd, then level.
    const nav = days(400).map((_, day) => (day <= 100 ? 1 + day / 500 : day < 342 ? 1.2 : 0.9))
    const bench = days(400).map((_, day) => (day < 342 ? 1 : 0.95))
    const found = worstYear({ dates: days(400), nav, bench })
    expect(found).toMatchObject({ from: 'd100', to: 'd342' })
    expect([found?.total, found?.bench]).toEqual([expect.closeTo(-0.25), expect.closeTo(-0.05)])
  })
  it('may have gained, and say so', () =>
    expect(worstYear({ dates: days(243), nav: days(243).map((_, day) => 1 + day / 242), bench: flat(243) })?.total).toBeCloseTo(1))
  it('are not told of less than a year, nor across what is absent', () => {
    expect(worstYear({ dates: days(242), nav: flat(242), bench: flat(242) })).toBeNull()
    expect(worstYear({ dates: days(243), nav: [null, ...flat(242)], bench: flat(243) })).toBeNull()
    expect(worstYear({ dates: days(243), nav: flat(243), bench: [null, ...flat(242)] })).toMatchObject({ total: 0, bench: null })
  })
})
