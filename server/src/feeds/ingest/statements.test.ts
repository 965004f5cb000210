import { dayNumber, type Security, type Statement, type StatementHistory, statementHistoryOf } from '@convexa/engine'
import { describe, expect, it } from 'vitest'
import type { HeardStatement } from '../../db/tables/fact-value.ts'
import type { StatementRow } from '../rows.ts'
import { statementChecks } from './statement-checks.ts'
import { bookWith, judgeStatements, type Shelf, statementsIn } from './statements.ts'

const day = '2026-10-30'
const codes = ['000001.SZ', '000002.SZ']
const securities = codes.map((code) => ({ code }) as Security)
const figures = {
  ...{ total_assets: 100, total_liab: 60, equity_parent: 38, total_cur_assets: 50, total_cur_liab: 30, money_cap: 20 },
  ...{ revenue: 40, np_parent: 3, n_income: 3.2, share_capital: 5 },
}
const grown = (by: number) => Object.fromEntries(Object.entries(figures).map(([key, number]) => [key, number * by]))
const published = (period: string, on: string, items: Statement['items']): Statement => ({ period, published: on, items })
const shelf: Shelf = {
  securities,
  book: statementHistoryOf(
    [[published('2025-09-30', '2025-10-28', grown(0.9)), published('2026-06-30', '2026-08-28', grown(0.97))], []],
    dayNumber,
  ),
}
const row = (change: Partial<StatementRow> = {}): StatementRow => ({
  ...{ code: '000001.SZ', announced: '2026-10-29', period: '2026-09-30', items: figures },
  ...change,
})
const withItems = (items: Readonly<Record<string, number>>): Partial<StatementRow> => ({ items: { ...figures, ...items } })

it('good ones are kept with the day on which they were heard of; those of companies of other markets are left out', () => {
  const judged = judgeStatements(shelf, [row(), row({ code: '000002.SZ' }), row({ code: '600000.SH' })], day)
  expect(judged).toMatchObject({ findings: [], quarantined: 0 })
  expect(judged.good).toEqual(
    codes.map((code) => ({ ...{ code, announced: '2026-10-29', period: '2026-09-30', items: figures }, heard: day })),
  )
})

const faults: readonly [check: string, change: Partial<StatementRow>][] = [
  ['statement_period', { period: null }],
  ['statement_period', { period: '2026-08-31' }],
  ['statement_unpublished', { announced: null }],
  ['statement_early', { announced: '2026-09-30' }],
  ['statement_early', { announced: '2026-09-12' }],
  ['statement_future', { announced: '2026-10-31' }],
  ['statement_empty', { items: {} }],
  ['statement_empty', withItems({ revenue: Number.POSITIVE_INFINITY })],
  ['statement_sign', withItems({ total_assets: -100 })],
  ['statement_sign', withItems({ money_cap: -1 })],
  ['statement_parts', withItems({ total_cur_assets: 130 })],
  ['statement_parts', withItems({ total_cur_liab: 61 })],
  ['statement_balance', withItems({ total_liab: 6_000, total_cur_liab: 30 })],
  ['statement_balance', withItems({ total_liab: 0.006, total_cur_liab: 0.003, equity_parent: 0.0038 })],
  ['statement_unit', { items: grown(10_000) }],
  ['statement_unit', { items: grown(0.0001) }],
  ['statement_unit', { items: grown(1_000) }],
  ['statement_repeated', { items: grown(0.97) }],
]

it.each(faults)('one with a fault is left out with its reason: %s %j', (check, change) => {
  const other = row({ code: '000002.SZ' })
  const { good, findings, quarantined } = judgeStatements(shelf, [row(change), other], day)
  expect(findings).toMatchObject([{ check, level: 'quarantine', count: 1, examples: [expect.stringContaining('000001.SZ')] }])
  expect([quarantined, good.map(({ code }) => code)]).toEqual([1, ['000002.SZ']])
})

it('every class has its fixture', () => {
  expect(new Set(faults.map(([check]) => check))).toEqual(new Set(statementChecks.map(({ key }) => key)))
})

it('honest figures raise no alarm: losses, an insolvent company, a bank, a company that doubled, one item alone', () => {
  const bank = { total_assets: 5e4, total_liab: 4.6e4, equity_parent: 3.9e3, revenue: 1e3, np_parent: 300 }
  const honest = [
    withItems({ revenue: 1, np_parent: -30, n_income: -31 }),
    withItems({ total_liab: 110, total_cur_liab: 90, equity_parent: -8 }),
    { items: grown(2.2) },
    { items: { np_dt: -0.003 } },
    { code: '000002.SZ', items: bank },
    withItems({ equity_parent: 20 }),
  ]
  for (const change of honest) expect(judgeStatements(shelf, [row(change)], day).findings).toEqual([])
})

it('many faulty ones are the fault of the source: nothing of it is believed', () => {
  const many = Array.from({ length: 12 }, (_, i) => `${String(300_001 + i)}.SZ`)
  const wide: Shelf = { securities: many.map((code) => ({ code }) as Security), book: null }
  const rows = many.map((code, i) => row({ code, ...(i < 6 && { period: null }) }))
  expect(judgeStatements(wide, rows, day).findings.at(-1)).toMatchObject({ check: 'statement_too_many', level: 'fault', count: 6 })
  expect(judgeStatements(wide, rows.slice(1), day).findings.map(({ level }) => level)).toEqual(['quarantine'])
})

it('what four tables say of one publication is one statement; of two numbers the later counts', () => {
  const of = (items: Record<string, number>, more: Partial<StatementRow> = {}) => row({ items, ...more })
  expect(statementsIn([of({ revenue: 1 }), of({ total_assets: 2, revenue: 3 }), of({ revenue: 4 }, { announced: '2026-10-30' })])).toEqual([
    of({ revenue: 3, total_assets: 2 }),
    of({ revenue: 4 }, { announced: '2026-10-30' }),
  ])
})

describe('the book', () => {
  const heard = (change: Partial<HeardStatement> = {}): HeardStatement => ({
    ...{ code: '000001.SZ', announced: '2026-10-29', period: '2026-09-30', items: { np_parent: 3 }, heard: '2026-10-29' },
    ...change,
  })
  const told = (book: StatementHistory, place = 0, item = 'np_parent') =>
    Array.from({ length: book.starts[place + 1]! - book.starts[place]! }, (_, k) => book.starts[place]! + k)
      .map(
        (v) => [book.quarters[v], new Date(book.published[v]! * 86_400_000).toISOString().slice(0, 10), book.items.get(item)![v]] as const,
      )
      .filter(([, , number]) => number === number)
  const q3 = 2026 * 4 + 2
  const shelved = (first: Shelf, ...more: HeardStatement[]) => ({ securities, book: bookWith(first, securities, more).book ?? first.book })

  it('gets a version, behind those that it has; said once more it is the same book', () => {
    const next = shelved(shelf, heard())
    expect(told(next.book!)).toEqual([...told(shelf.book!), [q3, '2026-10-29', 3]])
    expect(bookWith(next, securities, [heard(), heard({ heard: '2026-10-30' })])).toEqual({ book: null, added: 0, findings: [] })
  })

  it('gets what a table says later of the same publication at the day of publication: it was public then', () => {
    const next = shelved(shelf, heard(), heard({ heard: '2026-10-30', items: { np_parent: 3, total_assets: 100 } }))
    expect(told(next.book!, 0, 'total_assets').at(-1)).toEqual([q3, '2026-10-29', 100])
    expect(told(next.book!)).toHaveLength(3)
  })

  it('a restatement is a version from its own publication on, and told', () => {
    const restated = heard({ announced: '2026-11-10', heard: '2026-11-10', items: { np_parent: 2.5 } })
    const { book, findings } = bookWith(shelved(shelf, heard()), securities, [heard(), restated])
    expect(told(book!).slice(-2)).toEqual([
      [q3, '2026-10-29', 3],
      [q3, '2026-11-10', 2.5],
    ])
    expect(findings).toMatchObject([
      { check: 'restated', level: 'warning', count: 1, examples: ['000001.SZ 2026-09-30 np_parent：3 → 2.5'] },
    ])
  })

  it('a correction that nobody dated counts from the day on which it was heard of, and is told once', () => {
    const corrected = heard({ heard: '2026-11-03', items: { np_parent: 2.8 } })
    const next = shelved(shelved(shelf, heard()), heard(), corrected)
    expect(told(next.book!).slice(-2)).toEqual([
      [q3, '2026-10-29', 3],
      [q3, '2026-11-03', 2.8],
    ])
    expect(bookWith(next, securities, [heard(), corrected]).added).toBe(0)
    // The first numbers once more change nothing either.
    expect(told(shelved(next, heard({ heard: '2026-11-04' })).book!)).toEqual(told(next.book!))
  })

  it('goes with its companies when new ones come; of bonds it is that of their companies', () => {
    const now = ['000000.SZ', ...codes].map((code) => ({ code }) as Security)
    const { book } = bookWith(shelf, now, [heard({ code: '000000.SZ' }), heard({ code: '999999.SZ' })])
    expect([...book!.starts]).toEqual([0, 1, 3, 3])
    expect(told(book!, 1)).toEqual(told(shelf.book!))
    const bonds = [{ code: '110001.SH', stockCode: '000001.SZ' } as Security]
    expect(told(bookWith({ securities: bonds, book: null }, bonds, [heard(), heard({ code: '110001.SH' })]).book!)).toEqual([
      [q3, '2026-10-29', 3],
    ])
  })
})
