/** Last trading days of bonds that are called, by the tables beside an import: where a register day is stated or follows, the rule of the exchanges says them. */
import { writeFile } from 'node:fs/promises'
import { lastDaysOf } from '@convexa/engine'
import { expect, it } from 'vitest'
import { importing } from '../../../test/fixtures/market/importing.ts'
import { bondRows, stockRows } from '../../../test/fixtures/market/market-file.ts'
import { tradingDays } from '../calendar.ts'

const here = importing()
/** 70 days of rows, and some behind them. */
const days = tradingDays('2022-09-01', '2023-03-31')
const [ended, listed] = ['123004.SZ', '123001.SZ']
const columns =
  'ts_code,bond_short_name,stk_short_name,list_date,value_date,conv_start_date,conv_end_date,maturity_date,maturity,maturity_price,issue_size,rate_clause,conv_stop_date'
const basic = (code: string, stop: string | undefined) =>
  `${code},测试,测试,2021-02-01,,2021-08-02,2027-01-04,2027-01-04,6,110,500000000,,${stop ?? ''}`

interface Tables {
  /** Notices of the bond's call: the day, and the register day that it states. */
  readonly calls: readonly (readonly [day: string, registration?: string])[]
  /** The table of bonds says when it stops to be converted: its redemption day. */
  readonly stop?: string
}

async function lastDaysIn(code: string, { calls, stop }: Tables) {
  await writeFile(here.file('cb_basic.csv'), `${[columns, basic(code, stop)].join('\n')}\n`)
  const notices = calls.map(([day, registration = '']) => `${code},${day},${registration}`)
  await writeFile(here.file('cb_call_announcements.csv'), `${['ts_code,ann_date,call_reg_date', ...notices].join('\n')}\n`)
  const { securities } = await here.panelOf(await here.importRows('cb', bondRows()))
  return lastDaysOf(securities.find((bond) => bond.code === code)!)
}

const on = (t: number): string => days[t]!

// Bond 123004 has its last row on day 49, bond 123001 has rows to the last day.
it.each<[string, string, Tables, readonly (readonly [known: number, day: number | null])[]]>([
  ['of the table, from its first notice', listed, { calls: [[on(60)], [on(66)]], stop: on(76) }, [[61, 72]]],
  ['three trading days before a register day, from its notice', listed, { calls: [[on(60)], [on(66), on(76)]] }, [[67, 73]]],
  ['of the notice before that of the table', listed, { calls: [[on(60), on(76)]], stop: on(80) }, [[61, 73]]],
  [
    'another one from the notice that puts it off',
    listed,
    {
      calls: [
        [on(60), on(76)],
        [on(64), on(78)],
      ],
    },
    [
      [61, 73],
      [65, 75],
    ],
  ],
  ['not known without a word on it', listed, { calls: [[on(60)]] }, []],
  ['that of the rows, from its notice', ended, { calls: [[on(35)], [on(40), on(52)]] }, [[41, 49]]],
  ['that of the rows where nothing is stated, from the first notice', ended, { calls: [[on(35)], [on(40)]] }, [[36, 49]]],
  [
    'put right by the rows, from the day after',
    ended,
    { calls: [[on(35)]], stop: on(51) },
    [
      [36, 47],
      [48, null],
      [50, 49],
    ],
  ],
  // Before the rule of its exchange there is none.
  ['that of the rows with an older register day', ended, { calls: [[on(35)]], stop: '2022-08-26' }, [[36, 49]]],
])('the last day of a call: %s', async (_, code, tables, expected) => {
  const found = await lastDaysIn(code, tables)
  const place = (day: string | null) => (day === null ? null : days.indexOf(day))
  expect(found.map(({ known, day }) => [place(known), place(day)])).toEqual(expected)
})

it('a bond whose rows seemed to end and go on has no last day', async () => {
  await writeFile(here.file('cb_call_announcements.csv'), `ts_code,ann_date\n${ended},${on(35)}\n`)
  const first = (await here.panelOf(await here.importRows('cb', bondRows()))).securities.find(({ code }) => code === ended)!
  expect([first.lastDay, first.lastDayKnown]).toEqual([on(49), on(36)])
  const later = bondRows().flatMap((row) =>
    row['ts_code'] === ended && String(row['trade_date']) > on(49) ? [{ ...row, is_listed: true, is_traded: true }] : [],
  )
  const { securities } = await here.panelOf(await here.importRows('cb', later, { onto: true }))
  const bond = securities.find(({ code }) => code === ended)!
  expect([bond.lastDay, bond.lastDayKnown, bond.exitReason, lastDaysOf(bond)]).toEqual([null, null, undefined, []])
})

it('the second notice of a day adds what the first left out', async () => {
  const rows = [`${ended},${on(35)},,`, `${ended},${on(35)},101.25,${on(52)}`, `${ended},${on(35)},,`]
  await writeFile(here.file('cb_call_announcements.csv'), `${['ts_code,ann_date,call_price,call_reg_date', ...rows].join('\n')}\n`)
  const { securities } = await here.panelOf(await here.importRows('cb', bondRows()))
  expect(securities.find(({ code }) => code === ended)!.announcements).toEqual([
    { date: on(35), kind: 'redeem', price: 101.25, registration: on(52) },
  ])
})

it.each([
  ['退市', on(52)],
  // Its share left long after it.
  ['退出原因不明', '2024-01-02'],
])('a bond that nobody called has ended as %s where the stock market has its share end on %s', async (reason, day) => {
  await writeFile(here.file('stock_basic.csv'), `ts_code,list_date,delist_date\n300004.SZ,20150105,${day.replaceAll('-', '')}\n`)
  const shares = stockRows().flatMap((row) =>
    row['ts_code'] === '600004.SH' ? (String(row['trade_date']) < day ? [{ ...row, ts_code: '300004.SZ' }] : []) : [row],
  )
  await here.panelOf(await here.importRows('stk', shares))
  const report = await here.importRows('cb', bondRows())
  expect(report.text).toContain(`1 只${reason}（${ended}）`)
  const bond = (await here.panelOf(report)).securities.find(({ code }) => code === ended)
  expect(bond).toMatchObject({ lastDay: on(49), lastDayKnown: null })
})
