import { expect, test } from 'vitest'
import type { DayTable } from '../rows.ts'
import { mergedAnswer } from './merged-answers.ts'

const date = '2026-11-20'
type Rows = Readonly<Record<string, Readonly<Record<string, number>>>>
const table = (rows: Rows, more: Partial<DayTable> = {}): DayTable => {
  const codes = Object.keys(rows).sort()
  const keys = [...new Set(codes.flatMap((code) => Object.keys(rows[code]!)))]
  const column = (key: string) => Float64Array.from(codes, (code) => rows[code]![key] ?? Number.NaN)
  return { date, codes, columns: new Map(keys.map((key) => [key, column(key)])), ...more }
}
const rowsOf = ({ codes, columns }: DayTable): Rows =>
  Object.fromEntries(
    codes.map((code, i) => [
      code,
      Object.fromEntries([...columns].flatMap(([key, cells]) => (cells[i] === cells[i] ? [[key, cells[i]!]] : []))),
    ]),
  )
const merged = (...given: [source: string, rows: Rows, instead?: boolean][]) => {
  const { answer, source } = mergedAnswer(
    'stock-day',
    given.map(([source, rows, instead = false]) => ({ source, answer: table(rows), instead })),
  )
  return { source, rows: rowsOf(answer) }
}

test.each<[string, Parameters<typeof merged>, Rows]>([
  [
    'what came stays where a later answer has less',
    [
      ['tushare', { a: { close: 1, pe: 2 }, b: { close: 3 } }],
      ['tushare', { a: { close: 1 } }],
    ],
    { a: { close: 1, pe: 2 }, b: { close: 3 } },
  ],
  [
    'the same source corrects itself',
    [
      ['tushare', { a: { close: 1 } }],
      ['tushare', { a: { close: 1.1 } }],
    ],
    { a: { close: 1.1 } },
  ],
  [
    'a source behind it fills what is empty',
    [
      ['tushare', { a: { close: 1 } }],
      ['baostock', { a: { close: 9, pe: 2 }, b: { close: 3 } }],
    ],
    { a: { close: 1, pe: 2 }, b: { close: 3 } },
  ],
  [
    'and gives way to it',
    [
      ['baostock', { a: { close: 9, pe: 2 } }],
      ['tushare', { a: { close: 1 } }],
    ],
    { a: { close: 1, pe: 2 } },
  ],
  [
    'cells in the place of those of a row that did not pass',
    [
      ['tushare', { a: { close: 1, pe: 2 } }],
      ['baostock', { a: { close: 9 } }, true],
    ],
    { a: { close: 9, pe: 2 } },
  ],
  [
    'stays while the first says the same',
    [
      ['tushare', { a: { close: 1 } }],
      ['baostock', { a: { close: 9 } }, true],
      ['tushare', { a: { close: 1 } }],
    ],
    { a: { close: 9 } },
  ],
  [
    'and goes when that is corrected',
    [
      ['tushare', { a: { close: 1 } }],
      ['baostock', { a: { close: 9 } }, true],
      ['tushare', { a: { close: 1.2 } }],
    ],
    { a: { close: 1.2 } },
  ],
])('%s', (_, given, expected) => {
  expect(merged(...given).rows).toEqual(expected)
})

test('suspended is who has no row in any answer; the source is the first of the chain', () => {
  const { answer, source } = mergedAnswer('stock-day', [
    { source: 'baostock', answer: table({ a: { close: 1 } }, { suspended: ['b', 'c'] }) },
    { source: 'tushare', answer: table({ b: { close: 2 } }, { suspended: ['c'] }) },
  ])
  expect([answer.suspended, source]).toEqual([['c'], 'tushare'])
})
