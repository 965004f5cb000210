import { expect, test } from 'vitest'
import { readDrillOptions } from './drill-options.ts'
import { openFigures, quantile } from './figures.ts'

test('each figure stands beside its goal; the status is 0 only where all of them hold and there is one', () => {
  const lines: string[] = []
  const figures = openFigures((line) => lines.push(line))
  figures.fact('streams', 12)
  figures.atMost('p99', 199.96, 200, 'ms')
  figures.none('lost orders', [])
  expect(figures.end()).toBe(0)
  figures.none('lost orders', ['order 7'])
  figures.atMost('of nothing', Number.NaN, 200)
  expect(figures.end()).toBe(1)
  expect(lines).toEqual([
    '        streams: 12',
    '达到    p99: 200 ms（目标 ≤ 200 ms）',
    '达到    lost orders: 0（目标 0）',
    '2 passed, 0 failed',
    '未达到  lost orders: 1（目标 0）',
    '        order 7',
    '未达到  of nothing: NaN（目标 ≤ 200）',
    '2 passed, 2 failed',
  ])
  expect(openFigures(() => {}).end()).toBe(1)
})

test('sizes of a drill: the whole, the quick ones, and what is given', () => {
  const sizes = { kills: { whole: 200, quick: 12 }, seed: { whole: 1, quick: 1 } }
  expect(readDrillOptions(sizes, { args: [] })).toEqual({ kills: 200, seed: 1, quick: false, words: [] })
  expect(readDrillOptions(sizes, { args: ['--quick', '--seed', '7'] })).toEqual({ kills: 12, seed: 7, quick: true, words: [] })
  expect(readDrillOptions({}, { args: ['--quick', 'lock'], words: true })).toEqual({ quick: true, words: ['lock'] })
})

test('a quantile is a value that was measured', () => {
  expect([0, 0.5, 0.99, 1].map((share) => quantile([30, 10, 20], share))).toEqual([10, 20, 20, 30])
  expect(quantile([], 0.5)).toBeNaN()
})
