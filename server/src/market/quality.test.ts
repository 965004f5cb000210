import { expect, it } from 'vitest'
import type { Finding, Quality } from '../db/tables/quality.ts'
import { type Found, withFound } from './quality.ts'

const finding = (check: string, count: number, ...examples: string[]): Finding => ({
  ...{ check, level: 'quarantine', count, text: check, examples },
})
const imported: Quality = {
  ...{ rows: 9, listedRows: 9, securities: 3, firstDate: '2026-11-02', lastDate: '2026-11-04', adjust: 'raw', preset: 'test' },
  ...{ source: ['bonds.csv'], quarantined: 2, findings: [finding('price', 2, 'import')], notes: [] },
}
const found = (count: number, of: Found['of'] = 'rows'): Found => ({
  ...{ of, quarantined: count, findings: count > 0 ? [finding('price', count, `${of} ${count}`)] : [] },
})
const totals = ({ quarantined, findings }: Quality) => [quarantined, findings.map(({ count, examples }) => [count, ...examples])]

it('adds what a day has to what an import had, and takes its place when the day is said anew', () => {
  const once = withFound(imported, '2026-11-05', found(3))
  expect(totals(once)).toEqual([5, [[5, 'rows 3', 'import']]])
  const anew = withFound(once, '2026-11-05', found(1))
  expect(totals(anew).slice(0, 1)).toEqual([3])
  const right = withFound(anew, '2026-11-05', found(0))
  expect(right.quarantined).toBe(2)
  expect(right.findings.map(({ count }) => count)).toEqual([2])
  expect(right.ofDays).toEqual({})
})

it('keeps the statements that came with a day apart from its rows', () => {
  const both = withFound(withFound(imported, '2026-11-05', found(1)), '2026-11-05', found(4, 'statements'))
  expect(both.quarantined).toBe(7)
  expect(withFound(both, '2026-11-05', found(1)).quarantined).toBe(7)
  expect(withFound(both, '2026-11-05', found(0, 'statements')).quarantined).toBe(3)
})

it('remembers a year of days, and adds to what older snapshots say', () => {
  const { ofDays: _, quarantined: __, ...older } = imported
  const first = new Date('2026-01-01').getTime()
  const dates = Array.from({ length: 300 }, (_day, i) => new Date(first + i * 86_400_000).toISOString().slice(0, 10))
  const all = dates.reduce((quality, date) => withFound(quality, date, found(1)), older as Quality)
  expect(all.quarantined).toBe(300)
  expect(Object.keys(all.ofDays ?? {})).toEqual(dates.slice(-250))
})
