import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callStatuses } from '@convexa/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csv, type FileRow } from '../../../test/fixtures/market/market-file.ts'
import { tradingDays } from '../calendar.ts'
import { arrange } from './arrange.ts'
import { addBondCalls, addBondTerms, addRevisions } from './bond-calls.ts'
import { type Companion, callListsOf } from './companions.ts'
import { rowsBefore } from './first-rows.ts'
import { judgeRows } from './judge-rows.ts'
import { Mapping } from './mapping.ts'
import { readRows } from './read-rows.ts'
import { openSource } from './source-file.ts'
import { judgeSpans } from './span-checks.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convexa-spans-'))
})
afterAll(() => rm(folder, { recursive: true }))

const fieldsOf = { stk: ['close', 'pre_close', 'vol', 'adj_factor'], cb: ['close', 'conv_price', 'close_stk', 'remain_size', 'left_years'] }

/** The rows of a file without flags as an import arranges them, and what it says of beginnings and ends. */
async function arranged(kind: 'cb' | 'stk', rows: readonly FileRow[], endsAfter = 120, about: ReadonlyMap<string, Companion> = new Map()) {
  const path = join(folder, 'market.csv')
  await writeFile(path, csv(rows))
  const fields = Object.fromEntries(fieldsOf[kind].filter((key) => rows.some((row) => key in row)).map((key) => [key, key]))
  const mapping = Mapping.parse({ code: 'code', date: 'date', fields })
  const read = await readRows(kind, [await openSource(path)], mapping, null, () => {})
  const { dropped, findings } = judgeRows(kind, read, mapping, null, { earlier: rowsBefore(kind, read, null, about) })
  const table = arrange(kind, read, { inside: null, dropped }, null, { endsAfter, about })
  const found = judgeSpans(table, { endsAfter, hasListedFlags: false, isChosen: false, about })
  return { table, found, findings, of: (code: string) => table.securities.findIndex((one) => one.code.startsWith(code)) }
}

const days = tradingDays('2024-01-02', '2024-08-30')
/** Six shares that trade every day at 10 yuan; `change` makes rows of a share others, or none (null). */
const shares = (change: (code: number, t: number) => FileRow | null | undefined, dates = days): FileRow[] =>
  dates.flatMap((date, t) =>
    [600001, 600002, 600003, 600004, 600005, 600006].flatMap((code): FileRow[] => {
      const over = change(code, t)
      return over === null ? [] : [{ code, date, close: 10, pre_close: 10, vol: 1_000, adj_factor: 1, ...over }]
    }),
  )

describe('the first row of a share behind the first day of a file', () => {
  const late = (first: FileRow) => (code: number, t: number) =>
    code === 600001 && t < 10 ? null : code === 600001 && t === 10 ? first : {}

  it.each([
    { is: 'nothing by itself', rows: shares(late({ close: 11 })), listed: null },
    { is: 'a listing beyond the ordinary limit', rows: shares(late({ close: 14.4 })), listed: days[10] },
    { is: 'no listing a tick above the limit', rows: shares(late({ close: 11.01 })), listed: null },
    {
      is: 'a listing with a factor of 1 among shares that have others',
      rows: shares((code, t) => (code === 600001 ? late({})(code, t) : { adj_factor: code < 600005 ? 2.5 : 1 })),
      listed: days[10],
    },
    {
      is: 'nothing with a factor of its own',
      rows: shares((code, t) => (code === 600001 ? (t < 10 ? null : { adj_factor: 5.6 }) : { adj_factor: 2.5 })),
      listed: null,
    },
    {
      is: 'nothing with a factor of 1 where half of the others have it',
      rows: shares((code, t) => (code === 600001 ? late({})(code, t) : { adj_factor: code < 600004 ? 2.5 : 1 })),
      listed: null,
    },
    {
      is: 'a listing where suspended days have rows',
      rows: shares((code, t) => (code === 600002 && t >= 30 && t < 40 ? { vol: 0 } : late({})(code, t))),
      listed: days[10],
    },
    {
      is: 'nothing where they have, but not all',
      rows: shares((code, t) =>
        code === 600002 && t >= 30 && t < 40 ? { vol: 0 } : code === 600003 && t === 50 ? null : late({})(code, t),
      ),
      listed: null,
    },
  ])('is $is', async ({ rows, listed }) => {
    const { table, found, of } = await arranged('stk', rows)
    expect(table.securities[of('600001')]).toMatchObject({ listed: listed ?? null, lastDay: null })
    // A security with a row on the first day was listed before it, which needs no warning.
    expect(table.securities[of('600002')]).toMatchObject({ listed: null })
    expect(found.filter(({ check }) => check === 'listing_unknown')).toMatchObject(
      listed ? [] : [{ level: 'warning', count: 1, examples: [`600001.SH ${days[10]}`] }],
    )
  })

  it('is a listing where a list tells its day', async () => {
    const about = new Map([['600001.SH', { listed: days[10]!, attributes: {} }]])
    const { table, found, of } = await arranged('stk', shares(late({ close: 11 })), 120, about)
    expect([table.securities[of('600001')]!.listed, found]).toEqual([days[10], []])
  })

  it('is no listing: its days are judged from the second on', async () => {
    const jump = (code: number, t: number) => (code === 600001 ? (t < 10 ? null : t === 11 ? { close: 15 } : {}) : {})
    const { findings } = await arranged('stk', shares(jump))
    expect(findings).toMatchObject([{ check: 'jump', count: 1 }])
    // The free days of a new share are spared.
    const risen = (t: number): FileRow => ({ pre_close: t === 11 ? 15 : 21, close: 21 })
    const free = await arranged(
      'stk',
      shares((code, t) => (code !== 600001 ? {} : t < 10 ? null : t === 10 ? { close: 15 } : risen(t))),
    )
    expect(free.findings).toEqual([])
  })
})

describe('the last row of a share', () => {
  const until = (last: number, more: (code: number, t: number) => FileRow | null = () => ({})) =>
    shares((code, t) => (code === 600002 && t > last ? null : more(code, t)))
  const end = days.length - 1

  it.each([
    { missing: 40, endsAfter: 40, lastDay: days[end - 40], checks: ['ended', 'ended_together'] },
    { missing: 39, endsAfter: 40, lastDay: null, checks: ['silent'] },
    { missing: 119, endsAfter: 120, lastDay: null, checks: ['silent'] },
    { missing: 120, endsAfter: 120, lastDay: days[end - 120], checks: ['ended', 'ended_together'] },
    { missing: 20, endsAfter: 120, lastDay: null, checks: ['silent'] },
    { missing: 19, endsAfter: 120, lastDay: null, checks: [] },
  ])('$missing trading days before the end of the file, of $endsAfter', async ({ missing, endsAfter, lastDay, checks }) => {
    const { table, found, of } = await arranged('stk', until(end - missing), endsAfter)
    const i = of('600002')
    expect(table.securities[i]).toMatchObject({ lastDay, delisted: lastDay === null ? null : days[end - missing + 1] })
    expect(table.listed[end * table.stride + i]).toBe(lastDay === null ? 1 : 0)
    expect(found.map(({ check }) => check)).toEqual(checks)
    if (found[0]) expect(found[0].examples[0]).toContain(`600002.SH ${lastDay ?? `自 ${days[end - missing]} 之后`}`)
  })

  it('is no end while rows say that it is suspended; its last day is the last that traded', async () => {
    const rows = until(end - 40, (code, t) => (code === 600002 && t > end - 50 ? { vol: 0 } : {}))
    const { table, of } = await arranged('stk', rows, 40)
    expect(table.securities[of('600002')]).toMatchObject({ lastDay: days[end - 50], delisted: days[end - 39] })
    const still = await arranged(
      'stk',
      shares((code, t) => (code === 600002 && t > end - 60 ? { vol: 0 } : {})),
      40,
    )
    expect(still.table.securities[still.of('600002')]).toMatchObject({ lastDay: null, delisted: null })
  })

  it('is an end on any day where a list says so, and none before the day that it says', async () => {
    const list = (delisted: string) => new Map([['600002.SH', { delisted, attributes: {} }]])
    const left = await arranged('stk', until(end - 3), 120, list(days[end - 2]!))
    expect(left.table.securities[left.of('600002')]).toMatchObject({ lastDay: days[end - 3] })
    const stays = await arranged('stk', until(end - 60), 40, list('2025-01-06'))
    expect(stays.table.securities[stays.of('600002')]).toMatchObject({ lastDay: null })
  })

  it('in a file of years with long suspensions is told with the longer rule', async () => {
    const { found } = await arranged(
      'stk',
      shares(() => ({}), tradingDays('2018-01-02', '2018-03-30')),
    )
    expect(found).toMatchObject([{ check: 'ends_after', text: expect.stringContaining('--ends-after 500（或映射的 ends_after）') }])
  })
})

describe('the last row of a bond', () => {
  const dates = tradingDays('2023-01-03', '2023-06-30')
  const end = dates.length - 1
  /**
   * Twelve bonds whose share stands at 9 against a conversion price of 10; the first one has rows up to a day, and its share may have other
   * prices.
   */
  const bonds = (last: number, share: (t: number) => number = () => 9, over: FileRow = {}): FileRow[] =>
    dates.flatMap((date, t) =>
      Array.from({ length: 12 }, (_, i) => i).flatMap((i): FileRow[] =>
        i === 0 && t > last
          ? []
          : [
              {
                ...{ code: 110001 + i, date, close: 110, conv_price: 10, close_stk: i === 0 ? share(t) : 9 },
                ...{ remain_size: 5, left_years: 3 - t / 242, ...(i === 0 && over) },
              },
            ],
      ),
    )
  async function told(rows: readonly FileRow[], about: ReadonlyMap<string, Companion> = new Map()) {
    const { table, of } = await arranged('cb', rows, 120, about)
    const companions = { files: [], byCode: about, unreadable: [], unused: [], findings: [], callLists: callListsOf(about) }
    addBondTerms(table, companions)
    const notes = addBondCalls(table, companions)
    const i = of('110001')
    const status = Array.from(dates, (_, t) => callStatuses[table.columns.get('call_status')!.cells[t * table.stride + i]!])
    const { lastDay, lastDayKnown, lastDays, exitReason } = table.securities[i]!
    return { lastDay, known: lastDayKnown, lastDays, reason: exitReason, since: status.indexOf('announced'), status, notes }
  }

  it.each([1, 9])('is no end when it is missing on %d days: nothing of its past changes', async (missing) => {
    const bond = await told(bonds(end - missing, () => 13.5))
    const whole = await told(bonds(end, () => 13.5))
    expect([bond.lastDay, bond.since]).toEqual([null, -1])
    expect(bond.status.slice(0, end - missing + 1)).toEqual(whole.status.slice(0, end - missing + 1))
  })

  it('whose clause was never met is an end for reasons unknown, and nobody knew of it', async () => {
    const bond = await told(bonds(end - 10))
    expect(bond).toMatchObject({ lastDay: dates[end - 10], known: null, reason: 'unknown', since: -1 })
    expect(bond.notes[0]).toContain('1 只退出原因不明（110001.SH）')
  })

  it('of a small issue whose clause was not met is the end of its listing, not a call', async () => {
    const rows = bonds(end - 10).map((row) =>
      row['code'] === 110001 && String(row['date']) >= dates[end - 13]! ? { ...row, remain_size: 0.25 } : row,
    )
    // Nothing is known before the size fell; that is published in the evening, and trading goes on for three days.
    expect(await told(rows)).toMatchObject({ lastDay: dates[end - 10], known: dates[end - 12], reason: 'small', since: -1 })
    // Small for long: nobody knew the day before the notice.
    expect(await told(bonds(end - 10, () => 9, { remain_size: 0.2 }))).toMatchObject({ known: dates[end - 13], reason: 'small', since: -1 })
    const last = bonds(end - 10).map((row) =>
      row['code'] === 110001 && row['date'] === dates[end - 10] ? { ...row, remain_size: 0.25 } : row,
    )
    expect(await told(last)).toMatchObject({ known: null, reason: 'small', since: -1 })
  })

  it('whose clause was met is a call, known from ten days before its last day', async () => {
    const last = end - 12
    expect(await told(bonds(last, (t) => (t >= 40 ? 13.5 : 9), { remain_size: 0.2 }))).toMatchObject({
      ...{ lastDay: dates[last], known: dates[last - 10], reason: 'called', since: last - 10 },
    })
  })

  it('whose clause was met only then is known no earlier than the day after', async () => {
    const last = end - 12
    // The fifteenth day at 13 or more is six days before the last one.
    const bond = await told(bonds(last, (t) => (t >= last - 20 ? 13.5 : 9)))
    expect(bond).toMatchObject({ known: dates[last - 5], reason: 'called', since: last - 5 })
  })

  it('whose clause was met long before is no call', async () => {
    expect(await told(bonds(end - 10, (t) => (t < 16 ? 13.5 : 9)))).toMatchObject({ reason: 'unknown', since: -1 })
  })

  it('called by several notices is known from the first of them', async () => {
    const last = end - 12
    const about = new Map<string, Companion>([
      ['110001.SH', { calls: [dates[last - 20]!, dates[last - 8]!, dates[last - 3]!], attributes: {} }],
    ])
    expect(
      await told(
        bonds(last, (t) => (t >= 40 ? 13.5 : 9)),
        about,
      ),
    ).toMatchObject({ known: dates[last - 19], since: last - 19, reason: 'called' })
  })

  it('that matures is known by its last day of conversion, twenty trading days before the last day that follows from it', async () => {
    const terms = { maturityDate: '2023-06-16', conversionEnd: '2023-06-15', maturityPrice: 110 }
    const about = new Map<string, Companion>([['110001.SH', { terms, attributes: {} }]])
    // Three trading days before 15 June; the rows stop there, or a day before it.
    const last = dates.indexOf('2023-06-12')
    expect(await told(bonds(last), about)).toMatchObject({
      lastDay: '2023-06-12',
      known: '2023-05-15',
      reason: 'maturity',
      lastDays: undefined,
    })
    const early = await told(bonds(last - 1), about)
    expect(early).toMatchObject({ lastDay: '2023-06-09', known: '2023-05-15', reason: 'maturity' })
    expect(early.lastDays).toEqual([
      { known: '2023-05-15', day: '2023-06-12' },
      { known: '2023-06-12', day: '2023-06-09' },
    ])
  })

  it('that will mature soon behind the end of the file is known to, with its last day', async () => {
    const about = new Map<string, Companion>([
      ['110001.SH', { terms: { maturityDate: '2023-07-15', conversionEnd: '2023-07-14' }, attributes: {} }],
    ])
    const bond = await told(bonds(end), about)
    expect(bond).toMatchObject({ lastDay: null, reason: undefined, lastDays: [{ known: '2023-06-09', day: '2023-07-11' }] })
    expect(bond.status.indexOf('maturity')).toBe(dates.indexOf('2023-06-09'))
  })

  it.each([
    ['after a proposal', 5, 8, 9, true],
    ['that a bonus issue explains', 5, 8, 7.2, false],
    ['long after the proposal', 70, 8, 9, false],
    ['of less than 5 %', 5, 9.6, 9, false],
  ])('a cut of the conversion price %s', async (_name, after, price, share, isRevision) => {
    const cut = 80
    const about = new Map<string, Companion>([['110001.SH', { proposals: [dates[cut - after]!], attributes: {} }]])
    const rows = bonds(end, (t) => (t < cut ? 9 : share)).map((each) => {
      const t = dates.indexOf(String(each['date']))
      return each['code'] === 110001 && t >= cut ? { ...each, conv_price: price } : each
    })
    const { table, of } = await arranged('cb', rows, 120, about)
    addBondTerms(table, { files: [], byCode: about, unreadable: [], unused: [], findings: [], callLists: callListsOf(about) })
    addRevisions(table)
    const resets = (table.securities[of('110001')]!.announcements ?? []).filter(({ kind }) => kind === 'reset')
    expect(resets.map(({ effective }) => effective)).toEqual(isRevision ? [dates[cut]] : [])
  })

  it('that a list of calls covers and does not name is no call', async () => {
    const calls = [dates[20]!, dates[end]!]
    const about = new Map<string, Companion>([['110005.SH', { calls, attributes: {} }]])
    expect(
      await told(
        bonds(end - 12, () => 13.5),
        about,
      ),
    ).toMatchObject({ known: null, reason: 'unknown', since: -1 })
  })

  it.each([
    ['without any table of clauses has the usual one, told', null, 15, '文件没有条款来源，12 只按常见的'],
    ['that a table of clauses does not tell has none, told', { days: 10, window: 20, trigger: 1.2 }, undefined, '强赎条款：11 只读不出'],
  ] as const)('a bond %s', async (_name, redeem, days, words) => {
    const about = new Map<string, Companion>(redeem ? [['110005.SH', { terms: { redeem }, attributes: {} }]] : [])
    const { table, of } = await arranged('cb', bonds(end), 120, about)
    const notes = addBondTerms(table, { files: [], byCode: about, unreadable: [], unused: [], findings: [], callLists: callListsOf(about) })
    expect(table.securities[of('110001')]!.terms?.redeem?.days).toBe(days)
    expect(notes.join()).toContain(words)
  })

  it('whose revision or put cannot be read is counted, each for itself', async () => {
    const clause = { days: 15, window: 30, trigger: 0.8 }
    const terms = { redeem: clause, reset: clause, put: { ...clause, from: '2025-01-06' } }
    const about = new Map<string, Companion>([
      ['110001.SH', { terms, attributes: {} }],
      ['110002.SH', { terms: { ...terms, reset: null }, attributes: {} }],
    ])
    const { table } = await arranged('cb', bonds(end), 120, about)
    const notes = addBondTerms(table, { files: [], byCode: about, unreadable: [], unused: [], findings: [], callLists: [] }).join()
    expect(notes).toContain('强赎条款：10 只读不出')
    expect(notes).toContain('下修条款：11 只读不出，条款未知，不计数。')
    expect(notes).toContain('回售条款：10 只没有条款或读不出，不计数。')
  })

  it.each([
    { years: 4.4, listed: null },
    { years: 4.5, listed: dates[10] },
  ])('the first row of a bond with $years years left', async ({ years, listed }) => {
    const rows = bonds(end).filter((row) => row['code'] !== 110002 || String(row['date']) >= dates[10]!)
    const { table, of } = await arranged(
      'cb',
      rows.map((row) => (row['code'] === 110002 ? { ...row, left_years: years } : row)),
    )
    expect(table.securities[of('110002')]!.listed).toBe(listed)
  })
})
