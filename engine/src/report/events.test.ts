import { describe, expect, it } from 'vitest'
import { eventsOf } from './events.ts'

/** Weekdays of a range, and a net value that rises by a thousandth a day. */
function weekdays(from: string, to: string): string[] {
  const days: string[] = []
  for (let time = Date.parse(from); time <= Date.parse(to); time += 86_400_000)
    if (new Date(time).getUTCDay() % 6 !== 0) days.push(new Date(time).toISOString().slice(0, 10))
  return days
}
const told = (from: string, to: string) => {
  const dates = weekdays(from, to)
  return eventsOf(
    dates,
    Float64Array.from(dates, (_, k) => 1.001 ** (k + 1)),
    Float64Array.from(dates, (date) => (date < '2025-04-07' ? 1 : 0.9)),
  )
}

describe('windows of strain', () => {
  it('are the nine of the list, in order, where the run has them all', () => {
    expect(told('2017-12-01', '2025-06-30').map(({ start, end }) => `${start} ${end}`)).toEqual([
      '2018-01-02 2018-12-28',
      '2020-02-03 2020-02-03',
      '2021-02-18 2021-03-09',
      '2022-04-01 2022-04-26',
      '2023-08-01 2024-02-05',
      '2024-01-22 2024-02-05',
      '2024-06-03 2024-08-30',
      '2024-09-24 2024-10-08',
      '2025-04-07 2025-04-07',
    ])
  })

  it('are told only whole', () => {
    expect(told('2022-04-01', '2022-04-26').map(({ key }) => key)).toEqual(['lockdown_2022'])
    expect(told('2022-04-04', '2022-04-26')).toEqual([])
    expect(told('2022-04-01', '2022-04-25')).toEqual([])
  })

  it('count from the close before, the first day included, of run and benchmark', () => {
    const [gap] = told('2025-03-03', '2025-04-30')
    expect(gap).toMatchObject({ key: 'gap_2025', max_drawdown: 0 })
    expect(gap?.return_).toBeCloseTo(0.001, 12)
    expect(gap?.bench_return).toBeCloseTo(-0.1, 12)
    const [first] = told('2025-04-07', '2025-04-08')
    expect(first?.return_).toBeCloseTo(0.001, 12)
  })
})
