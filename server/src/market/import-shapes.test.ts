import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importing } from '../../test/fixtures/market/importing.ts'
import { bondRows, csv, type FileRow, stockRows } from '../../test/fixtures/market/market-file.ts'
import { parquetBytes } from '../../test/fixtures/random-markets/encode.ts'
import { tradingDays } from './calendar.ts'
import type { ImportReport } from './import.ts'
import { readManifest } from './manifest.ts'
import { loadBase, loadDays } from './panels.ts'
import { roomFor } from './read-store.ts'
import { snapshotPath } from './snapshot.ts'

const here = importing()
const { file, importText, importRows, panelOf } = here

const spelled = (rows: readonly FileRow[], change: (row: FileRow, k: number) => FileRow) =>
  rows.map((row, k) => ({ ...row, ...change(row, k) }))
const days = [...new Set(stockRows().map((row) => String(row['trade_date'])))]
const serialOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / 86_400_000 + 25_569
const mapped = async (content: object) => {
  await writeFile(file('mapping.json'), JSON.stringify(content))
  return { mapping: file('mapping.json') }
}
const refused = (report: ImportReport, sentence: RegExp) => {
  expect(report).toMatchObject({ ok: false, snapshot: null })
  expect(report.text).toMatch(sentence)
}
const found = (report: ImportReport, check: string) => report.quality.findings.find((each) => each.check === check)

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
      spelled(stockRows(), ({ trade_date }) => ({ trade_date: dated[name]!(String(trade_date)) })),
    )
    expect(report).toMatchObject({ ok: true, unchanged: true, snapshot: { id: plain.snapshot!.id } })
    expect(report.quality.findings).toEqual([])
  })

  it('serials of a spreadsheet, with a warning that says the first day', async () => {
    const plain = await importRows('stk', stockRows())
    const report = await importRows(
      'stk',
      spelled(stockRows(), ({ trade_date }) => ({ trade_date: serialOf(String(trade_date)) })),
    )
    expect(report).toMatchObject({ ok: true, unchanged: true, snapshot: { id: plain.snapshot!.id } })
    expect(found(report, 'serial_dates')).toMatchObject({ level: 'warning', examples: [`${serialOf(days[0]!)} 读作 ${days[0]}`] })
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
    const rows = spelled(stockRows(), ({ ts_code }, k) => ({ ts_code: ways[k % ways.length]!(String(ts_code).slice(0, 6)) }))
    expect(await importRows('stk', rows)).toMatchObject({ ok: true, unchanged: true, snapshot: { id: plain.snapshot!.id } })
  })

  it('an index is one, whatever stands around its number', async () => {
    const ways = ['000300.SH', '000300', 'sh000300', 'SH000300', '300', 'sh.000300', '1.000300', '000300.XSHG']
    const rows = stockRows().slice(0, 64)
    const mapping = await mapped({ code: 'ts_code', date: 'trade_date', fields: { close: 'close' } })
    const report = await importRows(
      'index',
      spelled(rows, (_, k) => ({ ts_code: ways[k % ways.length]! })),
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
    expect(found(report, 'serial_dates')).toMatchObject({ level: 'warning' })
  })

  it('a column of yes and no has no days', async () => {
    refused(
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
    spelled(stockRows(), (row) => ({
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
    refused(await importRows('stk', sparse([0]), await mapped({ code: 'ts_code', date: 'trade_date', fields })), /映射文件有误/)
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
  refused(await importRows('stk', minutes), /没有一行可用（例如 .+）；可能是分钟行情，请导入日线/)
})

it('a list of shares may lie in the folder of a mapped file, and who it says was listed before only comes back', async () => {
  const from = (code: string, t: number) => (row: FileRow) => row['ts_code'] !== code || String(row['trade_date']) >= days[t]!
  const rows = stockRows().filter(from('600002.SH', 10)).filter(from('600004.SH', 20))
  await writeFile(file('stock_basic.csv'), `ts_code,list_date\n600002.SH,2004/1/15\n600004.SH,${days[20]}\n`)
  const fields = { close: 'close', pre_close: 'pre_close' }
  const report = await importRows('stk', rows, {
    ...(await mapped({ code: 'ts_code', date: 'trade_date', fields })),
    paths: [join(here.dataDir, 'files')],
  })
  const { securities } = await panelOf(report)
  expect(['600001.SH', '600002.SH', '600004.SH'].map((code) => securities.find((one) => one.code === code)!.listed)).toEqual([
    null,
    '2004-01-15',
    days[20],
  ])
  expect(found(report, 'listing_unknown')).toBeUndefined()
})

describe('a list of shares that its market file contradicts', () => {
  const read = async (list: string, rows = stockRows()) => {
    await writeFile(file('stock_basic.csv'), list)
    const fields = { close: 'close', pre_close: 'pre_close' }
    return importRows('stk', rows, {
      ...(await mapped({ code: 'ts_code', date: 'trade_date', fields })),
      paths: [join(here.dataDir, 'files')],
    })
  }
  const securityOf = async (report: ImportReport, code: string) =>
    (await panelOf(report)).securities.find((security) => security.code === code)

  it('holds, and the rows that are left out for it are named with their trades', async () => {
    const list = `ts_code,list_date,delist_date\n600002.SH,${days[40]},\n600003.SH,20040115,${days[50]}\n600004.SH,20040115,${days[69]}\n`
    const rows = stockRows().map((row) => (row['ts_code'] === '600004.SH' && row['trade_date'] === days[69] ? { ...row, close: '' } : row))
    const report = await read(list, rows)
    expect(await securityOf(report, '600003.SH')).toMatchObject({ delisted: days[50], lastDay: days[49], exitReason: 'delisted' })
    // 600003 stands still on days 30 to 34.
    expect(found(report, 'before_listing')).toMatchObject({
      level: 'warning',
      count: 40,
      text: '参考资料所载上市日之前的行，不作为行情（其中 40 行有成交，请核对参考资料）',
      examples: [`600002.SH 上市日 ${days[40]}，40 行，其中 40 行有成交`],
    })
    expect(found(report, 'behind_delisting')).toMatchObject({
      count: 21,
      examples: [`600003.SH 退市日 ${days[50]}，20 行，其中 20 行有成交`, `600004.SH 退市日 ${days[69]}，1 行`],
    })
  })

  it('is not believed where it has a day that cannot have come', async () => {
    const report = await read(
      'ts_code,list_date,delist_date\n600002.SH,20990101,\n600003.SH,20040115,19700101\n600004.SH,20040115,20990101\n',
    )
    expect(report.text).toContain('参考资料有 2 行的代码或日期无法识别，未使用（stock_basic.csv 第 1 条 list_date 列：“20990101”）')
    expect(await securityOf(report, '600002.SH')).toMatchObject({ listed: null, delisted: null })
    expect(await securityOf(report, '600003.SH')).toMatchObject({ listed: null, delisted: null })
    // A delisting in the future has not happened yet.
    expect(await securityOf(report, '600004.SH')).toMatchObject({ listed: '2004-01-15', delisted: null })
  })

  it('is named where it leaves nothing of the file', async () => {
    const list = ['ts_code,list_date', ...Array.from({ length: 20 }, (_, i) => `${600001 + i}.SH,20230601`), ''].join('\n')
    refused(await read(list), /没有一行在上市期内，请检查参考资料的上市日与退市日（600001\.SH 上市日 2023-06-01，70 行，其中 70 行有成交）/)
  })

  it('says nothing of what its own rows contradict, in any order; what they agree on stays', async () => {
    const head = 'ts_code,list_date,delist_date,name,industry'
    const lines = [`600002.SH,20040115,,甲股份,银行`, `600002.SH,${days[40]},${days[50]},甲股份,`, '600002.SH,,,,保险']
    for (const told of [lines, lines.toReversed()]) {
      const report = await read([head, ...told, ''].join('\n'))
      if (told !== lines) expect(report).toMatchObject({ ok: true, unchanged: true })
      else expect(await securityOf(report, '600002.SH')).toMatchObject({ name: '甲股份', listed: null, delisted: days[50], attributes: {} })
      expect(found(report, 'list_contradicts')).toMatchObject({
        level: 'warning',
        count: 2,
        examples: [`600002.SH 上市日 2004-01-15、${days[40]}`, '600002.SH 行业 保险、银行'].map((text) => expect.stringContaining(text)),
      })
    }
  })
})

describe('flags of listing beside a list of shares', () => {
  const listedFrom = (rows: readonly FileRow[], code: string, t: number, before: 'rows' | 'nothing') =>
    rows.flatMap((row): FileRow[] => {
      const isBefore = row['ts_code'] === code && String(row['trade_date']) < days[t]!
      return isBefore && before === 'nothing' ? [] : [{ ...row, is_listed: isBefore ? 0 : 1 }]
    })
  const listedOf = async (before: 'rows' | 'nothing') => {
    await writeFile(file('stock_basic.csv'), 'ts_code,list_date\n600002.SH,2004/1/15\n')
    const fields = { close: 'close', pre_close: 'pre_close' }
    const report = await importRows('stk', listedFrom(stockRows(), '600002.SH', 10, before), {
      ...(await mapped({ code: 'ts_code', date: 'trade_date', listed: 'is_listed', fields })),
      paths: [join(here.dataDir, 'files')],
    })
    const { securities } = await panelOf(report)
    return { listed: securities.find(({ code }) => code === '600002.SH')!.listed, told: found(report, 'listing_day') }
  }

  it('a file that writes days on which a share is not listed says its listing day; a list that says another is told', async () => {
    expect(await listedOf('rows')).toEqual({
      listed: days[10],
      told: expect.objectContaining({ level: 'warning', count: 1, examples: [`600002.SH ${days[10]}（列表 2004-01-15）`] }),
    })
  })

  it('a file that has no rows before says nothing of them: by the list the share only comes back', async () => {
    expect(await listedOf('nothing')).toEqual({ listed: '2004-01-15', told: undefined })
  })
})

describe('columns that a file does not have', () => {
  it('are named with what is assumed instead', async () => {
    const mapping = await mapped({ code: 'ts_code', date: 'trade_date', fields: { close: 'close' } })
    const { text } = await importRows('stk', stockRows(), mapping)
    for (const sentence of [
      '没有成交量、成交额（1,395 行）：有收盘价的行都视为有成交，不限制单笔成交占比。',
      '没有ST（1,395 行）：涨跌停按板块的普通幅度，不能剔除 ST。',
      '没有证券名称（20 只）：没有参考资料的以代码为名称。',
      '没有交易状态（20 只）：停牌按成交量、成交额和收盘价判断。',
    ])
      expect(text).toContain(sentence)
    expect(text).toMatch(/没有的其他列（\d+ 个）：.*总市值.*市盈率 TTM/)
    const bonds = await importRows('cb', bondRows())
    expect(bonds.text).toContain('没有最高价、最低价（1,400 行）：涨跌停和止盈止损只按收盘价判断。')
    expect(bonds.text).not.toContain('没有评级')
  })

  it('of an update: what the market has and the file lacks', async () => {
    const columns = (fields: object) => mapped({ code: 'ts_code', date: 'trade_date', fields })
    const early = stockRows().filter((row) => String(row['trade_date']) < days[60]!)
    await importRows('stk', early, await columns({ close: 'close', vol: { column: 'vol', unit: '手' } }))
    const late = stockRows().filter((row) => String(row['trade_date']) >= days[60]!)
    const report = await importRows('stk', late, { onto: true, ...(await columns({ close: 'close' })) })
    expect(report.text).toContain('行情有而文件没有的列：成交量；已有的行保持原值，新的行缺失（文件共 200 行）。')
  })

  it('bonds without a rating are counted by name', async () => {
    const report = await importRows(
      'cb',
      spelled(bondRows(), (row) => (row['ts_code'] === '123006.SZ' ? { rating: '' } : {})),
    )
    expect(report.text).toContain('最后一天 1 只无评级，未按评级剔除：123006.SZ。')
  })
})

describe('numbers too large for their unit', () => {
  it.each<[string, FileRow, RegExp | null]>([
    ['a yield in percent', { ytm_pct: '150' }, /到期收益率的单位可能有误：一天的中位数高于 0.3/],
    ['a turnover in percent', { turnover_pct: '120' }, /换手率的单位可能有误/],
    ['days for years', { left_years: 1500 }, /剩余年限的单位可能有误：高于 12 年/],
    ['real numbers', {}, null],
  ])('%s', async (_case, change, sentence) => {
    const rows = spelled(bondRows(), (row) => ({ ...change, trade_date: row['trade_date']! }))
    const report = await importRows('cb', rows)
    if (sentence) expect(report.text).toMatch(sentence)
    else expect(found(report, 'unit')).toBeUndefined()
  })

  it.each([
    ['vol', 'amount', { vol: { column: 'vol', unit: '手' } }, '成交量'],
    ['amount', 'vol', { amount: { column: 'amount', unit: '千元' } }, '成交额'],
  ])('%s in hands on some days and in shares on others is told, where no %s tells it row by row', async (key, other, fields, label) => {
    const mapping = await mapped({ code: 'ts_code', date: 'trade_date', fields: { close: 'close', ...fields } })
    const rows = spelled(stockRows(), (row) => (row['trade_date'] === days[7] ? { [key]: Number(row[key]) * 100 } : {}))
    const report = await importRows(
      'stk',
      rows.map(({ [other]: _, ...row }) => row),
      mapping,
    )
    expect(found(report, 'unit')).toMatchObject({
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

describe('what cannot be read is refused with its column, a row and an example', () => {
  it.each<[string, FileRow, RegExp]>([
    ['not one day', { trade_date: '1/2/2024' }, /trade_date 列没有一个能识别的日期，例如market.csv 第 1 条：“1\/2\/2024”/],
    ['not one code', { ts_code: '6.00001E+05' }, /ts_code 列没有一个能识别的代码，例如market.csv 第 1 条：“6.00001E\+05”/],
    ['a column of days that is empty', { trade_date: null }, /trade_date 列没有一个能识别的日期，该列全部为空/],
  ])('%s', async (_case, change, sentence) =>
    refused(
      await importRows(
        'stk',
        spelled(stockRows(), () => change),
      ),
      sentence,
    ),
  )

  it.each(['1989-12-29', '2094-01-04'])('a day that no market has: %s', async (day) => {
    const rows = spelled(stockRows(), (_, k) => (k === 7 ? { trade_date: day } : {}))
    refused(await importRows('stk', rows), new RegExp(`trade_date 列有 ${day}（market.csv 第 8 条：“${day}”），不在 1990 年至交易日历`))
  })

  it('a cell that is no number puts its row aside, and is named', async () => {
    const report = await importRows(
      'stk',
      spelled(stockRows(), (_, k) => (k === 7 ? { vol: '约 4 万' } : {})),
    )
    expect(found(report, 'unreadable')).toMatchObject({ count: 1 })
    expect(found(report, 'unreadable')!.examples[0]).toMatch(/market\.csv 第 8 条，vol 列：“约 4 万”/)
  })
})

describe('rows in any order', () => {
  const renamed = (rows: readonly FileRow[]) =>
    spelled(rows, ({ trade_date }) => ({
      name: String(trade_date) < days[30]! ? '旧名股份' : '新名股份',
      area: String(trade_date) < days[40]! ? '北京' : '',
    }))
  const mapping = () =>
    mapped({
      code: 'ts_code',
      date: 'trade_date',
      name: 'name',
      attributes: { area: 'area' },
      fields: { close: 'close', vol: { column: 'vol', unit: '手' } },
    })

  it('of texts the newest day on which they are given holds', async () => {
    const rows = renamed(stockRows())
    const plain = await importRows('stk', rows, await mapping())
    const report = await importRows('stk', rows.toReversed(), await mapping())
    expect(report).toMatchObject({ unchanged: true, snapshot: { id: plain.snapshot!.id } })
    const panel = await panelOf(plain)
    expect(panel.securities[0]).toMatchObject({ name: '新名股份', attributes: { area: '北京' } })
  })

  it('two texts of one day are none, in any order, unless a mark says which is the newer', async () => {
    const rows = renamed(stockRows())
    const last = rows.findLast((row) => row['ts_code'] === '600001.SH')!
    const said = [...rows, { ...last, name: '他名股份' }]
    const report = await importRows('stk', said, await mapping())
    expect(found(report, 'text_contradicts')).toMatchObject({
      ...{ level: 'warning', count: 1 },
      examples: [`600001.SH ${last['trade_date']} name 列：“他名股份”、“新名股份”`],
    })
    expect((await panelOf(report)).securities[0]).toMatchObject({ name: '600001.SH', attributes: { area: '北京' } })
    expect(await importRows('stk', said.toReversed(), await mapping())).toMatchObject({ ok: true, unchanged: true })
    const marked = said.map((row, k) => ({ ...row, update_flag: k < rows.length ? 1 : 0 }))
    for (const order of [marked.toReversed(), marked]) {
      const corrected = await importRows('stk', order, await mapping())
      expect(found(corrected, 'text_contradicts')).toBeUndefined()
      if (order !== marked) expect((await panelOf(corrected)).securities[0]).toMatchObject({ name: '新名股份' })
      else expect(corrected).toMatchObject({ unchanged: true })
    }
  })

  it('the share of a bond is the newest that is given', async () => {
    const rows = spelled(bondRows(), ({ trade_date, stk_cd }) => ({ stk_cd: String(trade_date) < days[30]! ? '000022.SZ' : stk_cd! }))
    const plain = await importRows('cb', rows)
    expect(await importRows('cb', rows.toReversed())).toMatchObject({ unchanged: true, snapshot: { id: plain.snapshot!.id } })
    expect((await panelOf(plain)).securities[0]).toMatchObject({ issuer: '300001.SZ' })
  })

  it('old rows that an update corrects bring no old name back', async () => {
    const rows = renamed(stockRows())
    const { snapshot } = await importRows('stk', rows, await mapping())
    const report = await importRows(
      'stk',
      rows.filter((row) => String(row['trade_date']) === days[10]),
      { onto: true, ...(await mapping()) },
    )
    expect(report).toMatchObject({ unchanged: true, snapshot: { id: snapshot!.id } })
  })
})

describe('rows of one code and day', () => {
  const twice = (change: FileRow) => {
    const rows = stockRows()
    return [...rows, { ...rows[7]!, ...change }]
  }

  it('equal ones are one row, of a whole file too', async () => {
    const plain = await importRows('stk', stockRows())
    const report = await importRows('stk', [...stockRows(), ...stockRows()])
    expect(report).toMatchObject({ ok: true, unchanged: true, snapshot: { id: plain.snapshot!.id } })
    expect(report.quality.findings).toEqual([])
  })

  it('different ones are both put aside and named, whichever comes first', async () => {
    const rows = twice({ adj_factor: 1.6 })
    const [plain, turned] = [await importRows('stk', rows), await importRows('stk', rows.toReversed())]
    for (const report of [plain, turned]) expect(found(report, 'duplicate')).toMatchObject({ level: 'quarantine', count: 2 })
    expect(turned).toMatchObject({ unchanged: true, snapshot: { id: plain.snapshot!.id } })
    expect((await panelOf(plain)).traded[7 * 24]).toBe(0)
  })

  it('an update_flag says which of them is the correction', async () => {
    const rows = spelled(twice({ close: stockRows()[7]!['pre_close']! }), (_, k) => ({ update_flag: k === stockRows().length ? 1 : 0 }))
    const report = await importRows('stk', rows)
    expect(found(report, 'superseded')).toMatchObject({ level: 'warning', count: 1 })
    const panel = await panelOf(report)
    expect(panel.columns.get('close')![7 * panel.stride]).toBe(stockRows()[7]!['pre_close'])
  })
})

describe('a day without a trade', () => {
  const out = (change: (row: FileRow) => FileRow) =>
    spelled(stockRows(), (row) => (row['ts_code'] === '600001.SH' && days.indexOf(String(row['trade_date'])) === 20 ? change(row) : {}))
  it.each<[string, FileRow]>([
    ['with nothing for volume and amount', { vol: '', amount: '' }],
    ['with a volume of less than a share', { vol: 5.877472e-39, amount: 5.877472e-39 }],
    ['with prices of 0 beside the close that it repeats', { open: 0, high: 0, low: 0, vol: 0, amount: 0 }],
    ['with prices of 0, its close too', { open: 0, high: 0, low: 0, close: 0, vol: 0, amount: 0 }],
  ])('%s is a suspension', async (_case, change) => {
    const before = stockRows()[19]!['close']!
    const report = await importRows(
      'stk',
      out(() => ({ open: before, high: before, low: before, close: before, pre_close: before, ...change })),
    )
    const panel = await panelOf(report)
    const cell = 20 * panel.stride
    expect([panel.listed[cell], panel.traded[cell], panel.traded[cell + 1], report.quality.quarantined]).toEqual([1, 0, 1, 0])
    expect(panel.columns.get('close')![cell]).toBe(before)
  })

  it.each([
    ['with its own previous close', (row: FileRow) => row['close']],
    ['with the previous close of that day', (row: FileRow) => row['pre_close']],
  ])('that says the trades of the day before once more, %s, is a suspension', async (_case, before) => {
    const day = stockRows().find((row) => row['ts_code'] === '600001.SH' && row['trade_date'] === days[19])!
    const report = await importRows(
      'stk',
      out((row) => ({ ...day, trade_date: row['trade_date']!, pre_close: before(day)! })),
    )
    const panel = await panelOf(report)
    const cell = 20 * panel.stride
    expect([panel.listed[cell], panel.traded[cell], panel.traded[cell + 1], report.quality.quarantined]).toEqual([1, 0, 1, 0])
    const [close, factors] = ['close', 'adj_factor'].map((key) => panel.columns.get(key)!)
    expect([close![cell], factors![cell]]).toEqual([day['close'], 1.5])
    expect(found(report, 'repeated_rows')).toMatchObject({ level: 'warning', count: 1, examples: ['600001.SH 2022-09-30'] })
  })

  it.each(['', 0])('with a volume of “%s” is none in an update either', async (vol) => {
    const isLate = (row: FileRow) => String(row['trade_date']) >= days[60]!
    const rows = out(() => ({}))
    await importRows(
      'stk',
      rows.filter((row) => !isLate(row)),
    )
    const before = rows.find((row) => row['ts_code'] === '600001.SH' && row['trade_date'] === days[64])!['close']!
    const late = rows.filter(isLate).map((row) => {
      const idle = { open: before, high: before, low: before, close: before, pre_close: before, vol, amount: vol }
      return row['ts_code'] === '600001.SH' && row['trade_date'] === days[65] ? { ...row, ...idle } : row
    })
    const panel = await panelOf(await importRows('stk', late, { onto: true }))
    expect([64, 65, 66].map((t) => panel.traded[t * panel.stride])).toEqual([1, 0, 1])
  })

  it('that says the last stored trades once more is none in an update either', async () => {
    const isLate = (row: FileRow) => String(row['trade_date']) >= days[60]!
    const rows = stockRows()
    await importRows(
      'stk',
      rows.filter((row) => !isLate(row)),
    )
    const before = rows.find((row) => row['ts_code'] === '600001.SH' && row['trade_date'] === days[59])!
    const late = rows
      .filter(isLate)
      .map((row) => (row['ts_code'] === '600001.SH' && row['trade_date'] === days[60] ? { ...before, trade_date: days[60]! } : row))
    const report = await importRows('stk', late, { onto: true })
    const panel = await panelOf(report)
    expect([59, 60, 61].map((t) => panel.traded[t * panel.stride])).toEqual([1, 0, 1])
    expect(panel.columns.get('close')![60 * panel.stride]).toBe(before['close'])
    expect(found(report, 'repeated_rows')).toMatchObject({ level: 'warning', count: 1, examples: [`600001.SH ${days[60]}`] })
  })

  it('a whole day without volumes says nothing of who traded', async () => {
    const rows = spelled(stockRows(), ({ trade_date }) => (trade_date === days[20] ? { vol: '', amount: '' } : {}))
    const panel = await panelOf(await importRows('stk', rows))
    expect(panel.traded[20 * panel.stride]).toBe(1)
  })
})

describe('flags and words', () => {
  const mapping = (more: object) => mapped({ code: 'ts_code', date: 'trade_date', fields: { close: 'close' }, ...more })
  const state = (words: readonly [string, string]) => spelled(stockRows(), (_, k) => ({ state: words[k === 7 ? 1 : 0], st: '正常' }))

  it('a state of trade in words', async () => {
    const panel = await panelOf(await importRows('stk', state(['交易', '停牌']), await mapping({ traded: 'state' })))
    expect([panel.traded[6 * panel.stride], panel.traded[7 * panel.stride]]).toEqual([1, 0])
  })

  it('an empty one is as if the column were not there, for that row', async () => {
    const panel = await panelOf(await importRows('stk', state(['1', '']), await mapping({ traded: 'state' })))
    expect(panel.traded[7 * panel.stride]).toBe(1)
  })

  it('an empty flag of listing puts its row aside', async () => {
    const report = await importRows('stk', state(['L', '']), await mapping({ listed: 'state' }))
    expect(found(report, 'unreadable')).toMatchObject({ count: 1, examples: [expect.stringContaining('state 列：空')] })
  })

  it.each(['traded', 'listed'])('a word that %s does not know refuses the file, with words and counts', async (key) => {
    const report = await importRows('stk', state(['1', '集合竞价']), await mapping({ [key]: 'state' }))
    refused(report, /state 列有不认识的取值 “集合竞价”（1 次）/)
  })

  it('ST in words, an unknown one refused, an empty one absent', async () => {
    const fields = { close: 'close', is_st: 'state' }
    const report = await importRows('stk', state(['*ST', '']), await mapping({ fields }))
    const panel = await panelOf(report)
    const cells = panel.columns.get('is_st')!
    expect(cells[6 * panel.stride]).toBe(1)
    expect(cells[7 * panel.stride]).toBeNaN()
    refused(await importRows('stk', state(['*ST', '摘帽']), await mapping({ fields })), /state 列有不认识的取值 “摘帽”（1 次）/)
  })

  it('ratings: full width and case do not matter, unknown ones are absent and told with their counts', async () => {
    const ratings = ['AAA', 'AA+', 'AA＋', 'aa', 'A-1', 'AA(sti)']
    const report = await importRows(
      'cb',
      spelled(bondRows(), (_, k) => ({ rating: ratings[k % 20] ?? 'AA' })),
    )
    const panel = await panelOf(report)
    expect([...panel.columns.get('rating')!.subarray(0, 3)]).toEqual([0, 1, 1])
    expect(panel.columns.get('rating')![5]).toBeNaN()
    expect(found(report, 'word')).toMatchObject({
      level: 'warning',
      text: expect.stringContaining('rating 列有不认识的取值'),
      examples: ['“A-1” 70 次', '“AA(sti)” 70 次'],
    })
  })

  it('a cell says its unit', async () => {
    const rows = spelled(bondRows(), (row) => ({
      ytm_pct: '1.00%',
      turnover_pct: '2.00%',
      amount_wan: '0.12亿',
      remain_yi: `${Number(row['remain_yi']) * 10_000}万`,
    }))
    const panel = await panelOf(await importRows('cb', rows))
    const values = ['ytm', 'turnover', 'amount', 'remain_size'].map((key) => panel.columns.get(key)![20 * panel.stride])
    expect(values).toEqual([0.01, 0.02, 1_200, 4.5])
  })
})

describe('text files', () => {
  it('a header line that is repeated is skipped', async () => {
    const plain = await importRows('stk', stockRows())
    const text = csv(stockRows())
    const [head = '', ...lines] = text.trimEnd().split('\n')
    const report = await importText('stk', [head, ...lines.slice(0, 500), head, ...lines.slice(500), ''].join('\n'))
    expect(report).toMatchObject({ ok: true, unchanged: true, snapshot: { id: plain.snapshot!.id } })
    expect(report.quality.findings).toEqual([])
  })

  it('a block appended with its columns in another order is refused', async () => {
    const [head = '', ...lines] = csv(stockRows()).trimEnd().split('\n')
    const places = head.split(',').map((name) => head.split(',').indexOf({ high: 'close', low: 'high', close: 'low' }[name] ?? name))
    const turned = (line: string) => places.map((at) => line.split(',')[at]).join(',')
    const report = await importText('stk', [head, ...lines.slice(0, 500), turned(head), ...lines.slice(500).map(turned), ''].join('\n'))
    refused(report, /整批拒绝/)
    expect(found(report, 'ohlc')?.count).toBeGreaterThan(500)
  })

  it.each([
    ['of Windows', (text: string) => text.replaceAll('\n', '\r\n')],
    ['of Windows behind the header alone', (text: string) => text.replace('\n', '\r\n')],
    ['of Windows but behind the header', (text: string) => text.replaceAll('\n', '\r\n').replace('\r\n', '\n')],
    ['of both, as scripts append them', (text: string) => text.replaceAll(/\n(?=60001)/g, '\r\n')],
    ['with names in quotes', (text: string) => text.replace(/^.*/, (head) => head.replaceAll(/\w+/g, '"$&"'))],
  ])('lines %s are the same market', async (_what, written) => {
    const plain = await importRows('stk', stockRows())
    expect(await importText('stk', written(csv(stockRows())))).toMatchObject({ unchanged: true, snapshot: { id: plain.snapshot!.id } })
  })

  it('a GBK file whose only Chinese character is one of UTF-8, too', async () => {
    const mapping = await mapped({ code: 'ts_code', date: 'trade_date', fields: { close: 'close元' } })
    const [head = '', ...lines] = csv(stockRows()).split('\n')
    const gbk = Buffer.concat([Buffer.from(head.replace('close', 'close#')), Buffer.from(['', ...lines].join('\n'))])
    const bytes = Buffer.concat([gbk.subarray(0, gbk.indexOf('#')), Buffer.from([0xd4, 0xaa]), gbk.subarray(gbk.indexOf('#') + 1)])
    expect(await importText('stk', bytes, mapping)).toMatchObject({ ok: true })
  })

  it('blanks that do not break, which web pages have, are blanks', async () => {
    const plain = await importRows('stk', stockRows())
    expect(await importText('stk', csv(stockRows()).replaceAll(',', ',\u00a0'))).toMatchObject({
      unchanged: true,
      snapshot: { id: plain.snapshot!.id },
    })
  })

  it('codes that a spreadsheet wrote as formulas, without quotes around the cell', async () => {
    const plain = await importRows('stk', stockRows())
    const rows = spelled(stockRows(), ({ ts_code }) => ({ ts_code: `="${String(ts_code).slice(0, 6)}"` }))
    expect(await importRows('stk', rows)).toMatchObject({ unchanged: true, snapshot: { id: plain.snapshot!.id } })
  })

  it('a header cell may hold a comma in quotes', async () => {
    const text = csv(stockRows()).replace('close', '"close, 元"')
    const mapping = await mapped({ code: 'ts_code', date: 'trade_date', fields: { close: 'close, 元' } })
    expect(await importText('stk', text, mapping)).toMatchObject({ ok: true })
  })
})

describe('files that have more than a market', () => {
  const as = (code: string, kind: 'stk' | 'cb' = 'stk') =>
    (kind === 'stk' ? stockRows() : bondRows())
      .filter(({ ts_code }) => ts_code === (kind === 'stk' ? '600001.SH' : '123001.SZ'))
      .map((row) => ({ ...row, ts_code: code }))

  it('indexes, funds, bonds, B and preferred shares and what was delisted are no shares, and shares no bonds: they are left out and named', async () => {
    const others = [
      '399300.SZ',
      '510050.SH',
      '113001.SH',
      '900901.SH',
      '200002.SZ',
      '899050.BJ',
      '880005.SH',
      '880005.BJ',
      '400001.BJ',
      '820001.BJ',
    ]
    const plain = await importRows('stk', stockRows())
    const report = await importRows('stk', [...stockRows(), ...others.flatMap((code) => as(code))])
    expect(report).toMatchObject({ unchanged: true, snapshot: { id: plain.snapshot!.id } })
    expect(report.quality.findings).toEqual([
      expect.objectContaining({ check: 'foreign_codes', level: 'warning', count: others.length, examples: others }),
    ])
    refused(
      await importRows('stk', as('510050.SH')),
      /文件里的代码都不是 A 股的代码（指数、基金、债券、B 股等），未读入（例如 510050\.SH）/,
    )
    // Bare numbers, too.
    const bare = ['399300', '510050', '113001', '900901', '200002', '159915']
    expect(await importRows('stk', [...stockRows(), ...bare.flatMap((code) => as(code))])).toMatchObject({
      unchanged: true,
      quality: { findings: [{ check: 'foreign_codes', count: bare.length }] },
    })
    expect(found(await importRows('cb', [...bondRows(), ...as('000001', 'cb'), ...as('510050', 'cb')]), 'foreign_codes')).toMatchObject({
      examples: ['000001.SZ', '510050.SH'],
    })
    const bonds = await importRows('cb', [...bondRows(), ...as('600001.SH', 'cb')])
    expect(found(bonds, 'foreign_codes')).toMatchObject({ count: 1, examples: ['600001.SH'] })
    expect(bonds.quality.securities).toBe(20)
  })

  it('a folder with what a system or a spreadsheet keeps of a file is that file', async () => {
    const plain = await importRows('stk', stockRows())
    await writeFile(file('._market.csv'), Buffer.from('\0\u0005\u0016\u0007Mac OS X'))
    await writeFile(file('~$market.csv'), 'somebody')
    await mkdir(file('parts.parquet'), { recursive: true })
    expect(await importRows('stk', stockRows(), { paths: [file('')] })).toMatchObject({
      unchanged: true,
      snapshot: { id: plain.snapshot!.id },
    })
  })

  it('a day that is the day before once more is told', async () => {
    const before = new Map(stockRows().map((row) => [`${row['ts_code']} ${row['trade_date']}`, row]))
    const again = stockRows().map((row) => {
      const copied = row['trade_date'] === days[69] ? before.get(`${row['ts_code']} ${days[68]}`) : undefined
      return copied ? { ...copied, trade_date: days[69]! } : row
    })
    const report = await importRows('stk', again)
    expect(found(report, 'repeated_days')).toMatchObject({
      level: 'warning',
      count: 1,
      examples: [`${days[69]}：20 只与 ${days[68]} 相同`],
    })
    expect(found(await importRows('stk', stockRows()), 'repeated_days')).toBeUndefined()
  })

  it('blank lines, the index of a data frame, days before the first one and volumes beyond 32 bits are a market like any other', async () => {
    const [head = '', ...lines] = csv(stockRows()).trimEnd().split('\n')
    const plain = await importRows('stk', stockRows())
    const same = { unchanged: true, snapshot: { id: plain.snapshot!.id } }
    expect(await importText('stk', [head, '', ...lines.slice(0, 9), '   ', ...lines.slice(9), '', ''].join('\n'))).toMatchObject(same)
    expect(await importText('stk', [`,${head}`, ...lines.map((line, k) => `${k},${line}`)].join('\n'))).toMatchObject(same)
    const large = (row: FileRow) => ({ vol: Number(row['vol']) * 1e6, amount: Number(row['amount']) * 1e6 })
    expect((await importRows('stk', spelled(stockRows(), large))).quality.findings).toEqual([])
    await here.db.deleteFrom('market_snapshot').execute()
    const isLate = (row: FileRow) => String(row['trade_date']) >= days[20]!
    await importRows('stk', stockRows().filter(isLate))
    const earlier = await importRows(
      'stk',
      stockRows().filter((row) => !isLate(row)),
      { onto: true },
    )
    expect(earlier.snapshot!.dataVersion).toBe(plain.snapshot!.dataVersion)
  })

  it('cells that say less than nothing name their column and an example', async () => {
    const brackets = spelled(bondRows(), () => ({ ytm_pct: '(1.5)' }))
    refused(await importRows('cb', brackets), /没有一行可用（例如 123001\.SZ 2022-09-01（market\.csv 第 1 条，ytm_pct 列：“\(1\.5\)”））/)
  })
})

describe('files that are something else', () => {
  const text = csv(stockRows())
  it.each<[string, string | Uint8Array, RegExp]>([
    ['gzip', Buffer.from([0x1f, 0x8b, 8, 0, 1]), /文件 a\.csv 是 gzip 压缩文件，请先解压/],
    ['a spreadsheet', Buffer.from('PK\u0003\u0004rest'), /文件 a\.csv 是 Excel 或 zip 文件，请另存为 CSV/],
    ['Parquet', Buffer.from('PAR1rest'), /文件 a\.csv 是 Parquet 文件，请把扩展名改为 \.parquet/],
    ['UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le'), /文件 a\.csv 的编码是 UTF-16，请另存为 UTF-8/],
    ['a header of control characters', '\u0000\u001b[2J,b\n1,2\n', /无法识别文件 a\.csv 的列（\[2J、b…）/],
    ['lines of an old Mac', text.replaceAll('\n', '\r'), /文件 a\.csv 以 CR（旧 Mac）换行/],
    ['columns between semicolons', text.replaceAll(',', ';'), /文件 a\.csv 的列以分号分隔，请另存为以逗号分隔的 CSV/],
    ['a column twice', text.replace('pre_close', 'close'), /无法识别文件|“close”出现了 2 次/],
  ])('%s is told as what it is', async (_case, content, sentence) => refused(await importText('stk', content, {}, 'a.csv'), sentence))

  it('of a mapped column that is there twice nobody knows which one is meant', async () => {
    const mapping = await mapped({ code: 'ts_code', date: 'trade_date', fields: { close: 'close' } })
    refused(await importText('stk', text.replace('pre_close', 'close'), mapping), /的表头里“close”出现了 2 次，不能确定用哪一列/)
  })

  it('a mapping without a close is none', async () => {
    refused(await importRows('stk', stockRows(), await mapped({ code: 'ts_code', date: 'trade_date', fields: {} })), /映射缺少收盘价/)
  })

  it('control characters of a cell stand in no report', async () => {
    const report = await importRows(
      'stk',
      spelled(stockRows(), (_, k) => (k === 7 ? { ts_code: '60\u00000001.SH' } : {})),
    )
    expect(found(report, 'bad_code')!.examples[0]).toMatch(/^600001\.SH 2022-.*（market\.csv 第 8 条，ts_code 列：“600001\.SH”）$/)
  })
})

describe('tables beside the file', () => {
  it('a correction of a statement is not known earlier for the way in which its day is written', async () => {
    await mkdir(file('statements'))
    const lines = (day: string) =>
      `ts_code,ann_date,f_ann_date,end_date,report_type,revenue\n600001.SH,2022/10/28,2022/10/28,2022/9/30,1,7亿\n600001.SH,2022/10/28,${day},2022/9/30,1,900000000\n`
    await writeFile(file('statements/income.csv'), lines('2023/6/5'))
    const read = await importRows('stk', stockRows())
    const { reports } = await panelOf(read)
    expect([...reports!.published].map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10))).toEqual([
      '2022-10-28',
      '2023-06-05',
    ])
    expect([...reports!.items.get('revenue')!]).toEqual([7, 9])
    await writeFile(file('statements/income.csv'), lines('6/5/2023'))
    const left = await importRows('stk', stockRows())
    expect(left.text).toContain(
      '已读入财务报表 1 行（income.csv），自公告次日起可见；1 行的日期或数字无法识别，未使用（income.csv 第 2 条 f_ann_date 列：“6/5/2023”）',
    )
  })

  it('statements of which not one row can be read are told', async () => {
    await mkdir(file('statements'))
    await writeFile(file('statements/income.csv'), 'ts_code,ann_date,end_date,revenue\n600001.SH,soon,20220930,1\n')
    const report = await importRows('stk', stockRows())
    expect(report.text).toContain('已读入财务报表 0 行（income.csv）')
    expect(report.text).toContain('ann_date 列：“soon”')
  })

  it('ex-days of one-digit months and days are read, others are told with their place', async () => {
    await mkdir(file('dividends'))
    await writeFile(
      file('dividends/a.csv'),
      '代码,除权除息日,每10股派息\n600001,2022/9/5,5\n600001,2022年10月11日,4\n600001,11/10/2022,4\n',
    )
    const report = await importRows('stk', stockRows())
    expect(report.text).toContain('已读入分红送转 2 行（a.csv）')
    expect(report.text).toContain('1 行的日期或金额无法识别，未使用（a.csv 第 3 条 除权除息日 列：“11/10/2022”）')
  })
})
