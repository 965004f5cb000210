import { expect, it } from 'vitest'
import type { DayTable } from '../rows.ts'
import { listingEvidence } from './listing-evidence.ts'

const old = ['600001.SH', '600002.SH', '600003.SH']
const columnsOf = (row: Record<string, number>, others: Record<string, number>) =>
  new Map(Object.keys(row).map((key) => [key, Float64Array.of(...old.map(() => others[key]!), row[key]!)]))
const dayOf = (row: Record<string, number>, others: Record<string, number>, more: Partial<DayTable> = {}): DayTable => ({
  ...{ date: '2024-01-05', codes: [...old, '600777.SH'], columns: columnsOf(row, others) },
  ...more,
})
const usual = { close: 10, pre_close: 9.9, adj_factor: 2.5 }

it.each<[string, 'stk' | 'cb', DayTable, boolean]>([
  ['that moves no further than an old share is none that anybody knows', 'stk', dayOf(usual, usual), false],
  ['without a previous close is none', 'stk', dayOf({ ...usual, pre_close: Number.NaN }, usual), false],
  ['beyond the ordinary limit is a listing', 'stk', dayOf({ ...usual, close: 16 }, usual), true],
  ['with a factor of 1 among others is a listing', 'stk', dayOf({ ...usual, adj_factor: 1 }, usual), true],
  ['with a factor of 1 where all have one is none', 'stk', dayOf({ ...usual, adj_factor: 1 }, { ...usual, adj_factor: 1 }), false],
  ['where the source names who is suspended is a listing', 'stk', dayOf(usual, usual, { suspended: [] }), true],
  ['of a bond is a listing', 'cb', dayOf(usual, usual), true],
])('a first row %s', (_name, kind, table, isListing) => {
  expect(listingEvidence(kind, table)('600777.SH')).toBe(isListing)
})

it('who is only named as suspended where rows alone are known has no evidence', () => {
  expect(listingEvidence('stk', dayOf(usual, usual))('600778.SH')).toBe(false)
})
