import { describe, expect, it } from 'vitest'
import { parameters } from '../../test/fixtures/parameters.ts'
import { changed } from './axes.ts'
import { checkAxes } from './check-grid.ts'

const rule = (hold: object, rebalance: object) => parameters({ hold_method: hold, rebalance_method: rebalance } as never)
const days = (rebalance_value: number) => ({ rebalance_type: 0, rebalance_value })
const places = (hold_range_end: number, hold_range_start = 1, hold_threshold = 0) => ({
  ...{ hold_range_type: 1, hold_range_start, hold_range_end, hold_threshold },
})

describe('the axes of a check grid', () => {
  it.each([
    [places(10), days(5), [6, 8, 10, 12, 14], [2, 3, 5, 10, 15], [2, 2]],
    [places(10), days(1), [6, 8, 10, 12, 14], [1, 2, 3, 5, 10], [2, 0]],
    [places(10), days(60), [6, 8, 10, 12, 14], [10, 15, 20, 40, 60], [2, 4]],
    [places(10), days(7), [6, 8, 10, 12, 14], [3, 5, 7, 10, 15], [2, 2]],
    [places(1), days(250), [1, 2, 3], [15, 20, 40, 60, 250], [0, 4]],
    [places(2), days(5), [1, 2, 3], [2, 3, 5, 10, 15], [1, 2]],
    [places(10, 9), days(5), [10, 12, 14], [2, 3, 5, 10, 15], [0, 2]],
    [places(10, 1, 4), { rebalance_type: 1, rebalance_value: 1 }, [6, 8, 10, 12, 14], [0, 4, 5, 10, 15, 20], [2, 1]],
    [places(10), { rebalance_type: 2, rebalance_value: -1 }, [6, 8, 10, 12, 14], [0, 5, 10, 15, 20], [2, 0]],
    [{ hold_range_type: 2, hold_range_start: 0, hold_range_end: 0.1 }, days(5), [0.06, 0.08, 0.1, 0.12, 0.14], [2, 3, 5, 10, 15], [2, 2]],
    [{ hold_range_type: 2, hold_range_start: 0.5, hold_range_end: 1 }, days(5), [0.6, 0.8, 1], [2, 3, 5, 10, 15], [2, 2]],
  ])('%j %j', (hold, rebalance, first, second, own) => {
    const made = checkAxes(rule(hold, rebalance))
    expect(made.axes.map(({ values }) => values)).toEqual([first, second])
    expect(made.own).toEqual(own)
    expect(first.length * second.length).toBeLessThanOrEqual(30)
    // Its own cell is the rule itself.
    const request = { parameters: rule(hold, rebalance), settings: {} as never }
    const cell = made.axes.reduce(
      (one, { path, values }, a) => changed(one, path, values[made.own[a] as number] as number) as never,
      request,
    )
    expect(cell).toEqual(request)
  })
})
