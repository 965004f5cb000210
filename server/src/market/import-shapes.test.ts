import { describe, expect, it } from 'vitest'
import { expectRefused, findingOf, importing, withEach } from '../../test/fixtures/market/importing.ts'
import { bondRows, type FileRow, stockRows } from '../../test/fixtures/market/market-file.ts'
import { parquetBytes } from '../../test/fixtures/random-markets/encode.ts'
import { tradingDays } from './calendar.ts'
import type { ImportReport } from './import.ts'
import { readManifest } from './manifest.ts'
import { loadBase, loadDays } from './panels.ts'
import { roomFor } from './read-store.ts'
import { snapshotPath } from './snapshot.ts'

const here = importing()
const { importText, importRows, mapped, panelOf } = here

const days = [...new Set(stockRows().map((row) => String(row['trade_date'])))]
const serialOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / 86_400_000 + 25_569
describe('days and codes, however they are written, are one market', () => {
  const dated: Record<string, (day: string) => string | number> = {
    'saved again by a spreadsheet': (day) => `${day.replaceAll('-', '/').replaceAll('/0', '/')} 0:00`,
    'with dots': (day) => day.replaceAll('-', '.'),
    'with the close of the session': (day) => `${day} 15:00:00`,
    'as an instant with an offset': (day) => `${day}T00:00:00.000+0800`,
    'as milliseconds': (day) => Date.parse(`${day}T00:00:00+08:00`),
    'in two ways': (day) => (day < days[20]! ? day : day.replaceAll('-', '/')),
  }
  it.each(Object.keys(dated))('days %s', async (name) => {
    const plain = await importRows('stk', stockRows())
    const report = await importRows(
      'stk',
      withEach(stockRows(), ({ trade_date }) => ({ trade_date: dated[name]!(String(trade_date)) })),
    )
    expect(report).toMatchObject({ ok: true, unchanged: true, snapshot: { id: plain.snapshot!.id } })
    expect(report.quality.findings).toEqual([])
  })

  it('serials of a spreadsheet, with a warning that says the first day', async () => {
    const plain = await importRows('stk', stockRows())
    const report = await importRows(
      'stk',
      withEach(stockRows(), ({ trade_date }) => ({ trade_date: serialOf(String(trade_date)) })),
    )
    expect(report).toMatchObject({ ok: true, unchanged: true, snapshot: { id: plain.snapshot!.id } })
    expect(findingOf(report, 'serial_dates')).toMatchObject({ level: 'warning', examples: [`${serialOf(days[0]!)} 读作 ${days[0]}`] })
  })

  it('codes as spreadsheets and terminals write them, mixed', async () => {
    const plain = await importRows('stk', stockRows())
    const ways: ((number: string) => string)[] = [
      (number) => `'${number}`,
      (number) => `"=""${number}"""`,
      (number) => `1.${number}`,
      (number) => `SH ${number}`,
      (number) => number.replaceAll('6', '６'),
    ]
    const rows = withEach(stockRows(), ({ ts_code }, k) => ({ ts_code: ways[k % ways.length]!(String(ts_code).slice(0, 6)) }))
    expect(await importRows('stk', rows)).toMatchObject({ ok: true, unchanged: true, snapshot: { id: plain.snapshot!.id } })
  })

  it('an index is one, whatever stands around its number', async () => {
    const ways = ['000300.SH', '000300', 'sh000300', 'SH000300', '300', 'sh.000300', '1.000300', '000300.XSHG']
    const rows = stockRows().slice(0, 64)
    const mapping = await mapped({ code: 'ts_code', date: 'trade_date', fields: { close: 'close' } })
    const report = await importRows(
      'index',
      withEach(rows, (_, k) => ({ ts_code: ways[k % ways.length]! })),
      mapping,
    )
    expect(report).toMatchObject({ ok: true, quality: { securities: 1, quarantined: 0 } })
    expect(report.text).toMatch(/1 只/)
  })
})

describe('days of Parquet columns', () => {
  const text = (name: string) => ({ name, type: 'STRING' as const, cells: stockRows().map((row) => String(row[name])) })
  const numbers = ['open', 'high', 'low', 'close', 'pre_close', 'vol', 'amount', 'adj_factor'].map((name) => ({
    ...{ name, type: 'DOUBLE' as const },
    cells: stockRows().map((row) => Number(row[name])),
  }))
  type Type = 'DATE' | 'INT64' | 'INT32' | 'TIMESTAMP_MILLIS_UTC' | 'TIMESTAMP_NANOS_UTC' | 'TIMESTAMP_MICROS_LOCAL' | 'BOOLEAN'
  const dated = (type: Type, of: (day: string) => number | bigint | boolean) =>
    parquetBytes([
      text('ts_code'),
      { name: 'trade_date', type, cells: stockRows().map((row) => of(String(row['trade_date']))) },
      ...numbers,
    ])
  const ms = (day: string, at = '00:00:00+08:00') => Date.parse(`${day}T${at}`)

  it.each<[string, Type, (day: string) => number | bigint]>([
    ['dates', 'DATE', (day) => ms(day, '00:00:00Z') / 86_400_000],
    ['midnights of Shanghai as instants', 'TIMESTAMP_MILLIS_UTC', (day) => BigInt(ms(day))],
    ['instants in nanoseconds', 'TIMESTAMP_NANOS_UTC', (day) => BigInt(ms(day, '15:00:00+08:00')) * 1_000_000n],
    ['stamps without a zone', 'TIMESTAMP_MICROS_LOCAL', (day) => BigInt(ms(day, '23:00:00Z')) * 1_000n],
    ['milliseconds as plain integers', 'INT64', (day) => BigInt(ms(day))],
    ['eight digits', 'INT32', (day) => Number(day.replaceAll('-', ''))],
  ])('%s', async (_case, type, of) => {
    const plain = await importRows('stk', stockRows())
    const report = await importText('stk', dated(type, of), {}, 'market.parquet')
    expect(report).toMatchObject({ ok: true, unchanged: true, snapshot: { id: plain.snapshot!.id } })
    expect(report.quality.findings).toEqual([])
  })

  it('a serial of a spreadsheet is no day of 2094', async () => {
    const report = await importText(
      'stk',
      dated('INT64', (day) => BigInt(serialOf(day))),
      {},
      'market.parquet',
    )
    expect(report).toMatchObject({ ok: true, quality: { firstDate: days[0] } })
    expect(findingOf(report, 'serial_dates')).toMatchObject({ level: 'warning' })
  })

  it('a column of yes and no has no days', async () => {
    expectRefused(
      await importText(
        'stk',
        dated('BOOLEAN', () => true),
        {},
        'market.parquet',
      ),
      /trade_date 列没有一个能识别的日期/,
    )
  })
})

describe('a column that is given on days of change only', () => {
  const sparse = (given: readonly number[]) =>
    withEach(stockRows(), (row) => ({
      north: given.includes(days.indexOf(String(row['trade_date']))) ? 0.01 * (days.indexOf(String(row['trade_date'])) + 1) : '',
    }))
  const mapping = (holds?: number) =>
    mapped({
      code: 'ts_code',
      date: 'trade_date',
      fields: { close: 'close', north_hold_ratio: { column: 'north', ...(holds && { holds }) } },
    })
  const cells = async (report: ImportReport, i = 0) => {
    const panel = await panelOf(report)
    return days.map((_, t) => panel.columns.get('north_hold_ratio')![t * panel.stride + i]!)
  }

  it('counts for as long as the mapping says, over suspensions, and the report says how often', async () => {
    const report = await importRows('stk', sparse([0, 25, 60]), await mapping(10))
    const [first, suspended] = [await cells(report), await cells(report, 2)]
    expect([0, 9, 10, 11, 25, 35, 36, 60, 69].map((t) => first[t])).toEqual([
      0.01,
      0.01,
      0.01,
      Number.NaN,
      0.26,
      0.26,
      Number.NaN,
      0.61,
      0.61,
    ])
    // Share 2 stands still on days 30 … 34.
    expect([30, 34, 35, 36].map((t) => suspended[t])).toEqual([0.26, 0.26, 0.26, Number.NaN])
    expect(report.text).toContain('北向持股比例只在变动日给出，按 holds 最多沿用 10 个交易日：填入 580 个单元格，最久的已 10 个交易日。')
  })

  it('is other data where the same cells count for another time', async () => {
    const versions = []
    for (const holds of [10, 11, 10]) versions.push((await importRows('stk', sparse([0, 25]), await mapping(holds))).snapshot!.dataVersion)
    expect(versions[0]).toBe(versions[2])
    expect(versions[1]).not.toBe(versions[0])
  })

  it('without that an empty cell is absent', async () => {
    expect((await cells(await importRows('stk', sparse([0, 25]), await mapping())))[1]).toBeNaN()
  })

  it('an update goes on from the cell that was given, and a corrected cell changes the days behind it', async () => {
    const rows = sparse([0, 25, 60])
    const whole = await importRows('stk', rows, await mapping(10))
    const wanted = await cells(whole)
    const late = (row: FileRow) => String(row['trade_date']) > days[28]!
    await importRows(
      'stk',
      rows.filter((row) => !late(row)),
      await mapping(10),
    )
    expect(await cells(await importRows('stk', rows.filter(late), { onto: true, ...(await mapping(10)) }))).toEqual(wanted)
    const correction = sparse([27]).filter((row) => row['trade_date'] === days[27])
    const corrected = await cells(await importRows('stk', correction, { onto: true, ...(await mapping(10)) }))
    expect([26, 27, 37, 38].map((t) => corrected[t])).toEqual([0.26, 0.28, 0.28, Number.NaN])
  })

  it('days that are loaded alone have what was given before them', async () => {
    const { snapshot } = await importRows('stk', sparse([25]), await mapping(10))
    const folder = snapshotPath(here.dataDir, snapshot!)
    const base = await loadBase(folder, null)
    const column = roomFor(base.manifest)
    const field = base.manifest.fields.find(({ key }) => key === 'north_hold_ratio')!
    await loadDays(folder, base, field, column, { from: 30, to: 40 })
    expect([30, 35, 36].map((t) => column[t * base.manifest.stride])).toEqual([0.26, 0.26, Number.NaN])
  })

  it.each([0, 2_501, 1.5])('holds of %s are refused', async (holds) => {
    const fields = { close: 'close', north_hold_ratio: { column: 'north', holds } }
    expectRefused(await importRows('stk', sparse([0]), await mapped({ code: 'ts_code', date: 'trade_date', fields })), /映射文件有误/)
  })
})

describe('a multiple that is 0 or below', () => {
  // Share 1 by day: what the file gives, and whether it traded.
  const story: Readonly<Record<number, readonly [pe: number | '', traded: 0 | 1]>> = {
    9: [20, 1],
    10: [-5, 0],
    11: ['', 0],
    12: [21, 0],
    13: ['', 0],
    14: [0, 1],
    15: ['', 0],
    16: [22, 1],
    17: [-3, 1],
    18: ['', 1],
  }
  const rows = stockRows()
    .filter((row) => days.indexOf(String(row['trade_date'])) >= 9 && days.indexOf(String(row['trade_date'])) <= 18)
    .map((row): FileRow => {
      const [pe, traded] = row['ts_code'] === '600001.SH' ? story[days.indexOf(String(row['trade_date']))]! : [30, 1]
      return { ...row, pe, traded }
    })
  const mapping = (holds?: number) =>
    mapped({
      code: 'ts_code',
      date: 'trade_date',
      traded: 'traded',
      fields: { close: 'close', pe_ttm: { column: 'pe', ...(holds && { holds }) } },
    })
  const none = Number.NaN
  const told = async (report: ImportReport) => {
    const panel = await panelOf(report)
    return panel.dates.map((_, t) => panel.columns.get('pe_ttm')![t * panel.stride]!)
  }
  const coverage = async ({ snapshot }: ImportReport) =>
    (await readManifest(snapshotPath(here.dataDir, snapshot!))).fields.find(({ key }) => key === 'pe_ttm')!.values

  it.each<[how: string, holds: number | undefined, wanted: readonly number[], filled: number]>([
    [
      'is absent on a day without a trade too, and so are the empty days behind it',
      undefined,
      [20, none, none, 21, 21, none, none, 22, none, none],
      0,
    ],
    ['is news where a cell counts for some days', 5, [20, none, none, 21, 21, none, none, 22, none, none], 1],
  ])('%s', async (_how, holds, wanted, filled) => {
    const whole = await importRows('stk', rows, await mapping(holds))
    expect(await told(whole)).toEqual(wanted)
    // Given cells, and those that are filled as the file is read.
    expect(await coverage(whole)).toBe(19 * 10 + 3 + filled)
    for (const cut of [10, 11, 13, 15, 17, 18]) {
      await here.db.deleteFrom('market_snapshot').execute()
      const isLate = (row: FileRow) => String(row['trade_date']) >= days[cut]!
      await importRows(
        'stk',
        rows.filter((row) => !isLate(row)),
        await mapping(holds),
      )
      const second = await importRows('stk', rows.filter(isLate), { onto: true, ...(await mapping(holds)) })
      expect([await told(second), second.snapshot!.dataVersion]).toEqual([wanted, whole.snapshot!.dataVersion])
    }
    const folder = snapshotPath(here.dataDir, (await importRows('stk', rows, await mapping(holds))).snapshot!)
    const base = await loadBase(folder, null)
    const field = base.manifest.fields.find(({ key }) => key === 'pe_ttm')!
    for (let from = 1; from < wanted.length; from++) {
      const column = roomFor(base.manifest)
      await loadDays(folder, base, field, column, { from, to: wanted.length })
      expect(wanted.map((_, t) => column[t * base.manifest.stride]).slice(from)).toEqual(wanted.slice(from))
    }
  })
})

it('several rows a day are no daily file, which is told', async () => {
  const minutes = stockRows().flatMap((row) =>
    [1, 2].map((k) => ({ ...row, trade_date: `${row['trade_date']} 10:0${k}:00`, open: Number(row['low']) + k / 100 })),
  )
  expectRefused(await importRows('stk', minutes), /没有一行可用（例如 .+）；可能是分钟行情，请导入日线/)
})

describe('numbers too large for their unit', () => {
  it.each<[string, FileRow, RegExp | null]>([
    ['a yield in percent', { ytm_pct: '150' }, /到期收益率的单位可能有误：一天的中位数高于 0.3/],
    ['a turnover in percent', { turnover_pct: '120' }, /换手率的单位可能有误/],
    ['days for years', { left_years: 1500 }, /剩余年限的单位可能有误：高于 12 年/],
    ['real numbers', {}, null],
  ])('%s', async (_case, change, sentence) => {
    const rows = withEach(bondRows(), (row) => ({ ...change, trade_date: row['trade_date']! }))
    const report = await importRows('cb', rows)
    if (sentence) expect(report.text).toMatch(sentence)
    else expect(findingOf(report, 'unit')).toBeUndefined()
  })

  it.each([
    ['vol', 'amount', { vol: { column: 'vol', unit: '手' } }, '成交量'],
    ['amount', 'vol', { amount: { column: 'amount', unit: '千元' } }, '成交额'],
  ])('%s in hands on some days and in shares on others is told, where no %s tells it row by row', async (key, other, fields, label) => {
    const mapping = await mapped({ code: 'ts_code', date: 'trade_date', fields: { close: 'close', ...fields } })
    const rows = withEach(stockRows(), (row) => (row['trade_date'] === days[7] ? { [key]: Number(row[key]) * 100 } : {}))
    const report = await importRows(
      'stk',
      rows.map(({ [other]: _, ...row }) => row),
      mapping,
    )
    expect(findingOf(report, 'unit')).toMatchObject({
      level: 'warning',
      text: `${label}的单位可能中途改变：多数证券一天之内放大或缩小 30 倍以上`,
      examples: [`${days[7]}：20 只放大`, `${days[8]}：20 只缩小`],
    })
  })
})

it.each([
  ['1995-05-02', []],
  ['1997-05-05', ['jump']],
])('a rise of 40 %% is a fault since 1996-12-16 alone: in a file from %s on', async (from, checks) => {
  const then = tradingDays(from, '1999-12-31')
  const leap = days[40]!
  const scaled = (row: FileRow, keys: readonly string[]) =>
    Object.fromEntries(keys.map((key) => [key, Number((Number(row[key]) * 1.4).toFixed(2))]))
  const rows = stockRows().map((row): FileRow => {
    const [day, isRaised] = [String(row['trade_date']), row['ts_code'] === '600001.SH']
    const trade_date = then[days.indexOf(day)]!
    if (!isRaised || day < leap) return { ...row, trade_date }
    const prices = scaled(row, ['open', 'high', 'low', 'close', 'amount', ...(day > leap ? ['pre_close'] : [])])
    return { ...row, trade_date, ...prices }
  })
  const report = await importRows('stk', rows)
  expect(report.quality.findings.filter(({ level }) => level === 'quarantine').map(({ check }) => check)).toEqual(checks)
})

it('previous closes that were not adjusted with the prices are not used, by updates neither, and that is told', async () => {
  const four = (value: number) => Number((value * 3.0437).toFixed(4))
  const rows = stockRows().map((row): FileRow => {
    const prices = Object.fromEntries(['open', 'high', 'low', 'close'].map((key) => [key, four(Number(row[key]))]))
    return { ...row, ...prices, adj_factor: 3.0437 }
  })
  const prices = { open: 'open', high: 'high', low: 'low', close: 'close', pre_close: 'pre_close' }
  for (const [fields, adjust] of [
    [prices, 'hfq'],
    [{ ...prices, adj_factor: 'adj_factor' }, 'raw'],
  ] as const) {
    await here.db.deleteFrom('market_snapshot').execute()
    const mapping = await mapped({ code: 'ts_code', date: 'trade_date', adjust: 'hfq', fields })
    const whole = await importRows('stk', rows, mapping)
    expect(whole.quality.findings).toEqual([])
    expect(whole.text).toContain('文件的前收盘价多数与上一行的收盘价不符，不是后复权价，未使用。')
    const panel = await panelOf(whole)
    expect([panel.adjust, panel.columns.has('pre_close')]).toEqual([adjust, false])
    await here.db.deleteFrom('market_snapshot').execute()
    await importRows(
      'stk',
      rows.filter((row) => row['trade_date']! <= days[49]!),
      mapping,
    )
    const later = await importRows(
      'stk',
      rows.filter((row) => row['trade_date']! >= days[48]!),
      { ...mapping, onto: true },
    )
    expect(later.snapshot?.dataVersion).toBe(whole.snapshot!.dataVersion)
  }
})
