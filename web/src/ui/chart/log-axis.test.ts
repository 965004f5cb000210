import { expect, it } from 'vitest'
import { asLog, logTicks } from './log-axis.ts'

it.each([
  [0.85, 7.3, [0.8, 1, 1.5, 2.5, 4, 6, 8]],
  [1, 1, [1]],
  [0, 3, []],
])('ticks of a log axis from %d to %d', (low, high, ticks) => expect(logTicks(low, high)).toEqual(ticks))

it('goes from the round number below what is shown to the one above', () => {
  const axis = asLog({ axisLabel: { color: 'text3' } }, [0.93, null, 2.4]) as unknown as {
    min: (of: object) => number
    max: (of: object) => number
    axisLabel: object
  }
  expect([axis.min({ min: 0.93 }), axis.max({ max: 2.4 })]).toEqual([0.8, 2.5])
  expect(axis.axisLabel).toEqual({ color: 'text3', customValues: [0.8, 1, 1.2, 1.5, 2, 2.5] })
  expect(asLog({ axisLabel: {} }, [])).toEqual({ type: 'log', axisLabel: {} })
})
