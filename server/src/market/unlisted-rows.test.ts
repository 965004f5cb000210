/** What vendors write of days on which a security was not listed enters no window (domain.md 2.1): not of new imports, of old ones, of appended days. */

import { writeFile } from 'node:fs/promises'
import { crossSection, markets, type Panel } from '@convexa/engine'
import { describe, expect, it } from 'vitest'
import { dayOf, tableBefore } from '../../test/fixtures/market/day-of.ts'
import { importing } from '../../test/fixtures/market/importing.ts'
import { bondRows, csv, type FileRow, stockRows } from '../../test/fixtures/market/market-file.ts'
import { panelDifferences } from '../../test/fixtures/market/panel-differences.ts'
import { publishTable } from '../../test/fixtures/market/publish-table.ts'
import { smallTable } from '../../test/fixtures/market/small-table.ts'
import { panelCache } from '../compute/panel-cache.ts'
import { appendDay } from './append-day.ts'
import { windowsOf } from './import/list-windows.ts'
import type { ImportReport } from './import.ts'
import { loadPanel } from './panels.ts'
import { snapshotPath } from './snapshot.ts'

const here = importing()
const { file, importRows, importText } = here

/** Data that are the same as before are not published again. */
async function panelOf({ ok, snapshot, text }: ImportReport): Promise<Panel> {
  expect([ok, text]).toEqual([true, text])
  return loadPanel(snapshotPath(here.dataDir, snapshot!), null, 'all')
}

describe('a file with and without its rows outside listing windows gives the same factors in every cell', () => {
  const days = [...new Set(bondRows().map((row) => String(row['trade_date'])))]

  it('bonds: before a listing, after an end, in between', async () => {
    // Without numbers of the underlying share, which are there before the bond is.
    const unlisted = (row: FileRow) => row['is_listed'] === false
    const rows = bondRows()
      .map((row) =>
        row['ts_code'] === '123007.SZ' && days.slice(30, 33).includes(String(row['trade_date']))
          ? { ...row, is_listed: false, is_traded: false, close: 55 }
          : row,
      )
      .map((row) => (unlisted(row) ? { ...row, stock_price: null, conv_price: null } : row))
    expect(rows.filter(unlisted)).toHaveLength(43)
    const report = await importRows('cb', rows)
    const panel = await panelOf(report)
    const without = await panelOf(
      await importRows(
        'cb',
        rows.filter((row) => !unlisted(row)),
      ),
    )
    expect(panelDifferences(panel, without)).toEqual([])
    // Bond 4 is listed on day 20 at a price of its own; the days before had 100.
    const { stride, dates } = panel
    expect(dates.slice(0, 20).map((_, t) => panel.columns.get('close')![t * stride + 4])).toEqual(Array(20).fill(Number.NaN))
    const onFirstDay = crossSection(panel, markets.cb, ['formula: ref(close, 5)', 'pct_chg_5', 'bias_5', 'close'], 20)
    expect(onFirstDay.ok && onFirstDay.values.map((column) => column[4])).toEqual([null, null, null, expect.any(Number)])
    // The day in between is a suspension: the price before stays.
    expect(panel.columns.get('close')![31 * stride + 6]).toBe(panel.columns.get('close')![29 * stride + 6])
  })

  it('the share of a bond that is not listed yet goes on: its windows are full when the bond comes', async () => {
    const rows = bondRows()
    const panel = await panelOf(await importRows('cb', rows))
    const without = await panelOf(
      await importRows(
        'cb',
        rows.filter((row) => row['is_listed'] === true),
      ),
    )
    expect(panelDifferences(panel, without)).toEqual(['close_stk'])
    const first = (of: Panel) => crossSection(of, markets.cb, ['pct_chg_5_stk', 'bias_5_stk', 'pct_chg_5', 'conv_prem'], 20)
    const values = [panel, without].map((of) => {
      const made = first(of)
      return made.ok && made.values.map((column) => column[4])
    })
    const share = rows.filter((row) => row['ts_code'] === '123005.SZ').map((row) => row['stock_price'] as number)
    expect(values).toEqual([
      [share[20]! / share[15]! - 1, expect.any(Number), null, expect.any(Number)],
      [null, null, null, expect.any(Number)],
    ])
  })

  it('shares: a file that says who is listed', async () => {
    const mapping = {
      ...{ code: 'ts_code', date: 'trade_date', listed: 'is_listed' },
      fields: Object.fromEntries(['open', 'high', 'low', 'close', 'pre_close', 'adj_factor'].map((key) => [key, key])),
    }
    await writeFile(
      file('mapping.json'),
      JSON.stringify({
        ...mapping,
        fields: { ...mapping.fields, vol: { column: 'vol', unit: '手' }, amount: { column: 'amount', unit: '千元' } },
      }),
    )
    const rows = stockRows().map((row) => {
      const day = days.indexOf(String(row['trade_date']))
      const isThere = !(row['ts_code'] === '600006.SH' && day < 25) && !(row['ts_code'] === '600009.SH' && day >= 60)
      return { ...row, is_listed: isThere }
    })
    const more = { mapping: file('mapping.json') }
    const panel = await panelOf(await importRows('stk', rows, more))
    expect(panel.securities[5]!.listed).toBe(days[25])
    const without = await panelOf(
      await importRows(
        'stk',
        rows.filter((row) => row.is_listed),
        more,
      ),
    )
    expect(panelDifferences(panel, without)).toEqual([])
  })

  it('a row put onto what is loaded, too', async () => {
    const rows = bondRows()
    await importRows(
      'cb',
      rows.filter((row) => String(row['trade_date']) < days[15]!),
    )
    const put = await importText('cb', csv(rows.filter((row) => String(row['trade_date']) >= days[15]!)), { onto: true })
    const whole = await panelOf(put)
    expect(panelDifferences(whole, await panelOf(await importRows('cb', rows)))).toEqual([])
  })
})

describe('a share whose rows end, as files are put onto what is loaded', () => {
  const days = [...new Set(stockRows().map((row) => String(row['trade_date'])))]
  const at = (from: number, to: number) => ({
    rows: (isThere: (row: FileRow) => boolean) =>
      stockRows().filter((row) => days.slice(from, to).includes(String(row['trade_date'])) && isThere(row)),
  })
  const ends = (row: FileRow) => row['ts_code'] !== '600005.SH' || String(row['trade_date']) <= days[19]!
  const endOf = (panel: Panel) => panel.securities.find(({ code }) => code === '600005.SH')!

  it('has left after the same days as in one file, and stood still once it has rows again', async () => {
    const mapping = file('mapping.json')
    const fields = { ...Object.fromEntries(['open', 'high', 'low', 'close', 'pre_close', 'vol', 'adj_factor'].map((key) => [key, key])) }
    await writeFile(mapping, JSON.stringify({ code: 'ts_code', date: 'trade_date', ends_after: 40, fields }))
    expect(endOf(await panelOf(await importRows('stk', at(0, 59).rows(ends), { mapping })))).toMatchObject({ lastDay: null })
    // The rule is that of the first file where the second does not say it.
    await writeFile(mapping, JSON.stringify({ code: 'ts_code', date: 'trade_date', fields }))
    const put = await importRows('stk', at(59, 60).rows(ends), { mapping, onto: true })
    expect(put.text).toContain('连续 40 个交易日没有行')
    const updated = await panelOf(put)
    expect(endOf(updated)).toMatchObject({ lastDay: days[19], delisted: days[20], lastDayKnown: null })

    await writeFile(mapping, JSON.stringify({ code: 'ts_code', date: 'trade_date', ends_after: 40, fields }))
    expect(panelDifferences(updated, await panelOf(await importRows('stk', at(0, 60).rows(ends), { mapping })))).toEqual([])
    const back = await panelOf(
      await importRows(
        'stk',
        at(60, 61).rows(() => true),
        { mapping, onto: true },
      ),
    )
    expect(endOf(back)).toMatchObject({ lastDay: null, delisted: null })
    const stood = await panelOf(
      await importRows(
        'stk',
        at(0, 61).rows((row) => ends(row) || row['trade_date'] === days[60]),
        { mapping },
      ),
    )
    expect(panelDifferences(back, stood)).toEqual([])
  })
})

describe('rows inside listing windows', () => {
  const rows = {
    count: 4,
    code: Int32Array.of(0, 0, 1, -1),
    date: Int32Array.of(0, 1, 0, 0),
    codes: ['600001.SH', '600002.SH'],
    dates: ['2024-01-02', '2024-01-03'],
  }
  it.each([
    { name: 'the file says so', listed: Uint8Array.of(0, 1, 1, 1), list: { '600002.SH': { listed: '2024-01-03' } }, inside: [0, 1, 1, 1] },
    { name: 'a list tells a later listing day', listed: null, list: { '600001.SH': { listed: '2024-01-03' } }, inside: [0, 1, 1, 1] },
    {
      name: 'a list tells earlier ones',
      listed: null,
      list: { '600001.SH': { listed: '2024-01-02' }, '600002.SH': { listed: '1999-01-04' } },
      inside: null,
    },
    { name: 'a list tells the day of leaving', listed: null, list: { '600001.SH': { delisted: '2024-01-03' } }, inside: [1, 0, 1, 1] },
    { name: 'nobody tells', listed: null, list: {}, inside: null },
  ])('$name', ({ listed, list, inside }) => {
    const told: Record<string, { listed?: string; delisted?: string } | undefined> = list
    const found = windowsOf({ ...rows, listed, fields: new Map(), traded: null }, (code) => told[code]).inside
    expect(found && [...found]).toEqual(inside)
  })
})

describe('a snapshot of an older importer, which kept such rows', () => {
  const absent = (column: Float64Array, stride: number) => [0, 1, 2, 3].map((t) => Number.isNaN(column[t * stride + 1]!))

  it('opens without them, whole, in parts and with a day behind it', async () => {
    const at = { db: here.db, dataDir: here.dataDir }
    // Security 1 is listed from day 3 on and has cells before.
    const table = smallTable('cb')
    const { snapshot } = await publishTable(at, tableBefore(table, 30))
    const panel = await loadPanel(snapshotPath(here.dataDir, snapshot), null, 'all')
    for (const key of ['close', 'open', 'vol'])
      expect([key, absent(panel.columns.get(key)!, panel.stride)]).toEqual([key, [true, true, true, false]])
    const files = {
      kind: 'cb',
      snapshotId: snapshot.id,
      indexSnapshotId: null,
      stockSnapshotId: null,
      folder: snapshotPath(here.dataDir, snapshot),
      indexFolder: null,
      stockFolder: null,
    } as const
    const held = await panelCache(
      1e9,
      () => {},
      () => {},
    ).acquire(files, { recent: new Set(['close']), whole: new Set() })
    expect(held.recent.columns.get('close')!.subarray(0, 30 * panel.stride)).toEqual(panel.columns.get('close'))
    held.release()
    const day = dayOf(table, 30)
    const appended = await appendDay(at, 'cb', { ...day, listed: Uint8Array.of(1, 1, 0), traded: Uint8Array.of(1, 1, 0) })
    const grown = await loadPanel(snapshotPath(here.dataDir, (appended as Extract<typeof appended, { ok: true }>).snapshot), null, 'all')
    expect(absent(grown.columns.get('close')!, grown.stride)).toEqual([true, true, true, false])
    expect([0, 1, 2].map((i) => grown.columns.get('close')![30 * grown.stride + i])).toEqual([
      day.columns.get('close')![0],
      day.columns.get('close')![1],
      Number.NaN,
    ])
  })
})
