import { expect, test } from 'vitest'
import { fills } from './fill.ts'
import { holdWeights } from './hold-weight.ts'
import { ratings } from './rating.ts'
import { stopTypes } from './stop-type.ts'
import { choicesOf, isIn, labelOf, valuesOf } from './table.ts'

test('values are as the wire writes them, in display order', () => {
  expect(valuesOf(stopTypes)).toEqual([0, 1, 2, 3, 4, 5])
  expect(valuesOf(fills)).toEqual(['close', 'next_open', 'next_close', 'next_vwap'])
  expect(valuesOf(ratings).slice(0, 3)).toEqual(['AAA', 'AA+', 'AA'])
})

test('a label of one market stands in its place, all of them where no market is named', () => {
  expect(labelOf(holdWeights, 3, 'cb')).toBe('按规模')
  expect(labelOf(holdWeights, 3, 'stk')).toBe('按市值')
  expect(labelOf(holdWeights, 3)).toBe('按规模/按市值')
  expect(choicesOf(holdWeights, 'stk').map(({ label }) => label)).toEqual(['等权', '按名次', '按市值', '按因子', '波动率倒数'])
})

test('a number as text is no value', () => {
  expect([isIn(stopTypes, 1), isIn(stopTypes, '1'), isIn(stopTypes, 6), isIn(fills, 'close'), isIn(fills, 'toString')]).toEqual([
    ...[true, false, false, true, false],
  ])
})
