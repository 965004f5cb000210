import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExDay, Security } from '@convexa/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Arranged } from './arrange.ts'
import { addDividends, dividendsNote } from './dividends.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convexa-dividends-'))
  await mkdir(join(folder, 'dividends'))
})
afterAll(() => rm(folder, { recursive: true }))

const dates = ['2024-06-03', '2024-06-04', '2024-06-05', '2024-06-06']
/** 600001 trades at 10.00 and from 5 June at another price; the columns are those of the share alone. */
function tableOf(closes: number[], { previous, factor, traded }: { previous?: number[]; factor?: number[]; traded?: number[] }): Arranged {
  const column = (cells: number[]) => ({ store: 'f64', origin: 'file', cells: Float64Array.from(cells) }) as const
  return {
    ...{ kind: 'stk', dates, stride: 1, listed: Uint8Array.of(1, 1, 1, 1), traded: Uint8Array.from(traded ?? [1, 1, 1, 1]) },
    securities: [{ code: '600001.SH' } as Security],
    columns: new Map([
      ['close', column(closes)],
      ...(previous ? [['pre_close', column(previous)] as const] : []),
      ...(factor ? [['adj_factor', column(factor)] as const] : []),
    ]),
  }
}
const half = { previous: [10, 10, 9.5, 9.5], factor: [1, 1, 10 / 9.5, 10 / 9.5] }
const paysHalf = () => tableOf([10, 10, 9.5, 9.5], half)

async function readFrom(table: Arranged, csv: string, adjust: 'raw' | 'hfq' = 'raw') {
  await writeFile(join(folder, 'dividends', 'dividend.csv'), csv)
  await writeFile(join(folder, 'market.csv'), '')
  const found = (await addDividends(table, [join(folder, 'market.csv')], adjust))!
  return { found, note: dividendsNote(found), exDays: table.securities[0]!.exDays }
}
const day = (cash: number, ratio = 0, date = '2024-06-05'): ExDay => ({ date, cash, ratio })

describe('a plan is one by share, ex-day and period', () => {
  const rows = (...lines: string[]) =>
    ['ts_code,end_date,ann_date,div_proc,stk_div,cash_div_tax,ex_date,imp_ann_date,update_flag', ...lines].join('\n')
  it.each([
    { what: 'told twice it is paid once', lines: ['20231231,,实施,0,0.5,20240605,,', '20231231,,实施,0,0.5,20240605,,'] },
    {
      what: 'of its rows the last published holds',
      lines: ['20231231,20240301,实施,0,0.55,20240605,20240520,0', '20231231,20240301,实施,0,0.5,20240605,20240528,0'],
    },
    {
      what: 'the mark of a correction decides before the day',
      lines: ['20231231,20240301,实施,0,0.5,20240605,20240520,1', '20231231,20240301,实施,0,0.55,20240605,20240528,0'],
    },
    {
      what: 'a mark is a number however it is written',
      lines: ['20231231,20240301,实施,0,0.5,20240605,20240528,1', '20231231,20240301,实施,0,0.55,20240605,20240520,1.0'],
    },
    { what: 'of equal ones the one that fits', lines: ['20231231,,实施,0,0.55,20240605,,', '20231231,,实施,0,0.5,20240605,,'] },
    { what: 'plans of two periods are both paid', lines: ['20231231,,实施,0,0.25,20240605,,', '20240331,,实施,0,0.25,20240605,,'] },
    { what: 'a proposal is none', lines: ['20231231,,预案,0,0.5,20240605,,', '20231231,,实施,0,0.5,20240605,,'] },
    { what: 'without a period all rows of the day are paid if they fit', lines: [',,实施,0,0.3,20240605,,', ',,实施,0,0.2,20240605,,'] },
    { what: 'without a period one of them is if it fits', lines: [',,实施,0,0.55,20240605,,', ',,实施,0,0.5,20240605,,'] },
    { what: 'without a period equal rows are one plan or two', lines: [',,实施,0,0.25,20240605,,', ',,实施,0,0.25,20240605,,'] },
  ])('$what', async ({ lines }) => {
    const { exDays } = await readFrom(paysHalf(), rows(...lines.map((line) => `600001.SH,${line}`)))
    expect(exDays).toEqual([day(0.5)])
  })

  it('of which rows say different amounts is none, in any order, where neither days nor prices tell which holds', async () => {
    const lines = ['20231231,,实施,0,0.5,20240605,,', '20231231,,实施,0,0.6,20240605,,'].map((line) => `600001.SH,${line}`)
    // Of prices without a reference, and of an amount that differs by less than prices tell.
    const close = [lines[0]!, lines[0]!.replace('0.5', '0.505')]
    for (const [table, told] of [
      [() => tableOf([10, 10, 10, 10], {}), lines],
      [paysHalf, close],
    ] as const) {
      for (const order of [told, told.toReversed()]) {
        const { exDays, note } = await readFrom(table(), rows(...order))
        expect(exDays).toBeUndefined()
        expect(note).toContain('1 只证券同一方案的几行金额不同，分不出先后，仍按复权因子折算（600001.SH 2024-06-05）')
      }
    }
  })

  it('that went ex beyond the calendar, or with a mark that is none, is told and left out', async () => {
    const lines = ['20231231,,实施,0,0.5,20990605,,', '20231231,,实施,0,0.5,20240605,,更正'].map((line) => `600001.SH,${line}`)
    const { exDays, note } = await readFrom(paysHalf(), rows(...lines))
    expect(exDays).toBeUndefined()
    expect(note).toContain('2 行的日期或金额无法识别，未使用（dividend.csv 第 1 条 ex_date 列：“20990605”）')
  })
})

describe('what is paid agrees with what the price did', () => {
  const rows = (cash: number, ratio: number) => `ts_code,ex_date,stk_div,cash_div_tax\n600001.SH,20240605,${ratio},${cash}\n`
  it.each([
    { what: 'to the cent of the exchange', table: paysHalf(), cash: 0.506, ratio: 0, fits: true },
    { what: 'a cent and a half is too much', table: paysHalf(), cash: 0.53, ratio: 0, fits: false },
    {
      what: 'treasury shares take a twentieth at most',
      table: tableOf([10, 10, 8, 8], { previous: [10, 10, 8, 8], factor: [1, 1, 1.25, 1.25] }),
      ...{ cash: 2.09, ratio: 0, fits: true },
    },
    {
      what: 'new shares go to creditors (重整转增)',
      table: tableOf([10, 10, 7.69, 7.69], { previous: [10, 10, 7.69, 7.69], factor: [1, 1, 1.3, 1.3] }),
      ...{ cash: 0, ratio: 0.45, fits: false },
    },
    { what: 'the price never went ex', table: tableOf([10, 10, 10, 10], { factor: [1, 1, 1, 1] }), cash: 0.5, ratio: 0, fits: false },
    {
      what: 'the exchange agrees but the factor does not',
      table: tableOf([10, 10, 9.5, 9.5], { ...half, factor: [1, 1, 1, 1] }),
      ...{ cash: 0.5, ratio: 0, fits: false },
    },
    {
      what: 'of a suspended share on the day it trades again',
      table: tableOf([10, 10, Number.NaN, 9.5], { previous: [10, 10, Number.NaN, 9.5], factor: [1, 1, 1, 10 / 9.5], traded: [1, 1, 0, 1] }),
      ...{ cash: 0.5, ratio: 0, fits: true },
    },
  ])('$what', async ({ table, cash, ratio, fits }) => {
    const { exDays, note } = await readFrom(table, rows(cash, ratio))
    expect(exDays).toEqual(fits ? [day(cash, ratio)] : undefined)
    if (fits) expect(note).not.toContain('不符')
    else expect(note).toContain('1 只证券的记录与前收盘价或复权因子不符，仍按复权因子折算（600001.SH 2024-06-05）')
  })

  it('is paid and counted where nothing tells', async () => {
    const { exDays, note } = await readFrom(tableOf([10, 10, 10, 10], {}), rows(0.5, 0))
    expect(exDays).toEqual([day(0.5)])
    expect(note).toContain('1 个除权除息日没有前收盘价和复权因子可以核对')
  })

  it('is nothing on prices that are adjusted already', async () => {
    const { exDays, note } = await readFrom(tableOf([10, 10, 10, 10], {}), rows(0.5, 0), 'hfq')
    expect(exDays).toBeUndefined()
    expect(note).toBe('行情的价格已复权，分红送转已在价格中，未使用 dividend.csv。')
  })
})
