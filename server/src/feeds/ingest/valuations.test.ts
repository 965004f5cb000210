import { expect, it } from 'vitest'
import { lacksValuation, withValuations } from './valuations.ts'

// One share that closes at 11 after 10, with 9 (亿股) in all and 5 floating the day before; today's own cells are the row.

const yesterday: Readonly<Record<string, number>> = { total_mv: 90, circ_mv: 50, total_share: 9, float_share: 5, pe: 20 }
const absent = Number.NaN

it.each<[string, Record<string, number>, isLacking: boolean, Record<string, number>]>([
  ['that is whole stays', { total_mv: 98, circ_mv: 54, total_share: 9, pe: 21 }, false, { total_mv: 98, circ_mv: 54, pe: 21 }],
  ['without any is made of the counts of yesterday', {}, true, { total_mv: 99, circ_mv: 55, total_share: 9, pe: 22 }],
  // The source gave the row: a company with a loss has no price-earnings ratio.
  ['with its own share count is made of that', { total_share: 10 }, true, { total_mv: 110, circ_mv: 55, pe: absent }],
  ['with one size lacks the other one', { circ_mv: 54 }, true, { total_mv: 99, circ_mv: 54, pe: absent }],
  ['without a floating size has it by its own count alone', { total_mv: 98, float_share: 6 }, false, { total_mv: 98, circ_mv: 66 }],
  ['without a floating count guesses none', { total_mv: 98 }, false, { total_mv: 98, circ_mv: absent, float_share: absent }],
])('a valuation %s', (_, own, isLacking, made) => {
  const keys = ['close', 'total_mv', 'circ_mv', 'total_share', 'float_share', 'pe']
  const columns = new Map(keys.map((key) => [key, Float64Array.of(key === 'close' ? 11 : (own[key] ?? absent))]))
  const table = { date: '2026-11-20', codes: ['600000.SH'], columns }
  const past = { dates: ['2026-11-19'], fields: new Set(keys) }
  const cells = withValuations(past, table, { before: (key) => yesterday[key] ?? absent, ratio: () => 1.1 })
  expect(lacksValuation(table, 0)).toBe(isLacking)
  for (const [key, value] of Object.entries(made)) expect(Number(cells.get(key)![0]!.toFixed(9)), key).toBe(value)
})
