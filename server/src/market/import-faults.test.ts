import { readdir, rm } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { changed, importing, type Kind, rowsOf } from '../../test/fixtures/market/importing.ts'
import { bondRows, csv, type FileRow, stockRows } from '../../test/fixtures/market/market-file.ts'
import { tradingDays } from './calendar.ts'
import { marketFolder, newestSnapshot } from './snapshot.ts'

const here = importing()
const { file, importText, importRows, panelOf } = here

/** Row faults: one row of each class goes into quarantine and the rest is published; twenty rows refuse the whole file. */
const faults: readonly [check: string, kind: 'cb' | 'stk', break_: (row: FileRow) => FileRow][] = [
  ['bad_code', 'cb', () => ({ ts_code: '转债一号' })],
  ['bad_date', 'cb', () => ({ trade_date: '2022-13-40' })],
  ['bad_date', 'stk', () => ({ trade_date: null })],
  ['non_trading_day', 'stk', () => ({ trade_date: '2022-10-03' })],
  ['unreadable', 'cb', () => ({ remain_yi: '约 4 亿' })],
  ['missing_price', 'stk', () => ({ close: null })],
  ['price', 'cb', () => ({ open: 0 })],
  ['price', 'stk', () => ({ open: -1, low: -2 })],
  ['ohlc', 'stk', (row) => ({ high: (row['low'] as number) - 0.01 })],
  ['ohlc', 'stk', (row) => ({ low: (row['close'] as number) + 0.02 })],
  ['negative_volume', 'stk', () => ({ vol: -100 })],
  ['amount_close', 'stk', (row) => ({ amount: (row['amount'] as number) * 10 })],
  ['amount', 'stk', (row) => ({ amount: (row['amount'] as number) * 1.3 })],
  ['size', 'cb', () => ({ remain_yi: -4.5 })],
  ['size', 'cb', () => ({ left_years: -0.2 })],
  ['premium', 'cb', () => ({ conv_prem_pct: -20 })],
  ['factor', 'stk', () => ({ adj_factor: 0 })],
  ['adjust', 'stk', (row) => ({ adj_factor: (row['adj_factor'] as number) * 1.03 })],
  [
    'jump',
    'stk',
    (row) => ({
      close: (row['pre_close'] as number) * 1.15,
      high: (row['pre_close'] as number) * 1.16,
      amount: (row['amount'] as number) * 1.04,
    }),
  ],
  ['jump', 'cb', (row) => priced(row, (row['close'] as number) * 1.5)],
]

/** Another close, with the premium that follows from it. */
function priced(row: FileRow, close: number): FileRow {
  return { close, conv_prem_pct: (close / ((100 / (row['conv_price'] as number)) * (row['stock_price'] as number)) - 1) * 100 }
}

describe.each(faults)('a file with a fault: %s (%s)', (check, kind, break_) => {
  const broken = (count: number) => {
    const rows = rowsOf[kind]()
    // Far apart, and not of the bonds that come or go.
    for (let k = 0; k < count; k++) {
      const place = 40 * 20 + 9 + k * 21
      rows[place] = changed(rows[place]!, break_(rows[place]!))
    }
    return rows
  }

  it('the row goes into quarantine with its reason, the others are published', async () => {
    const report = await importRows(kind, broken(1))
    expect(report.ok).toBe(true)
    const finding = report.quality.findings.find((each) => each.level === 'quarantine')!
    expect(finding).toMatchObject({ check })
    expect(finding.count).toBe(1)
    expect(finding.examples[0]).toMatch(/market\.csv 第 810 条/)
    expect(report.text).toMatch(/隔离/)
    const panel = await panelOf(report)
    expect(panel.securities).toHaveLength(20)
  })

  it('too many of them refuse the file, and the old snapshot stays', async () => {
    const old = await importRows(kind, rowsOf[kind]())
    const report = await importRows(kind, broken(20))
    expect(report).toMatchObject({ ok: false, snapshot: null })
    expect(report.text).toMatch(/超过上市期内行数的 0.5%，整批拒绝/)
    expect((await newestSnapshot(here.db, kind))!.id).toBe(old.snapshot!.id)
    expect(await readdir(marketFolder(here.dataDir))).toEqual([old.snapshot!.folder])
  })
})

describe('a file that cannot be used at all', () => {
  const text = csv(stockRows())
  it.each<[string, Kind, () => string | Uint8Array, RegExp, string]>([
    ['empty', 'stk', () => '', /是空的/, 'a.csv'],
    ['without rows', 'stk', () => text.split('\n')[0]!, /没有数据行/, 'a.csv'],
    ['cut in the middle of a row', 'stk', () => text.slice(0, text.length - 20), /列数与表头不一致，文件可能不完整/, 'a.csv'],
    ['cut inside quotes', 'stk', () => `${text}"600001.SH,2022-12-20`, /引号没有闭合/, 'a.csv'],
    ['in neither UTF-8 nor GBK', 'stk', () => Buffer.concat([Buffer.from(text), Buffer.from([0x38, 0xff, 0xff])]), /编码/, 'a.csv'],
    ['with columns that nobody knows', 'stk', () => 'a,b\n1,2\n', /无法识别文件 a.csv 的列（a、b…）/, 'a.csv'],
    [
      'where nothing is listed',
      'cb',
      () => csv(bondRows().map((row) => changed(row, { is_listed: false }))),
      /没有一行在上市期内/,
      'a.csv',
    ],
    [
      'cut on its last day',
      'stk',
      () => csv(stockRows().filter((row) => row['trade_date'] !== '2022-12-15' || String(row['ts_code']) < '600012')),
      /最后一个交易日的数据不完整/,
      'a.csv',
    ],
    [
      'a Parquet file cut short',
      'cb',
      () => Buffer.from('PAR1 and then nothing'),
      /文件 a.parquet 不完整或不是 Parquet 文件。/,
      'a.parquet',
    ],
    ['a Parquet file that is none', 'cb', () => text, /不完整或不是 Parquet 文件/, 'a.parquet'],
  ])('%s is refused, and the old snapshot stays', async (_case, kind, content, sentence, name) => {
    const old = await importRows(kind, kind === 'stk' ? stockRows() : bondRows())
    await rm(file('market.csv'))
    const report = await importText(kind, content(), {}, name)
    expect(report.ok).toBe(false)
    expect(report.text).toMatch(sentence)
    expect(report.text).toMatch(/未导入，现有数据保持不变/)
    expect((await newestSnapshot(here.db, kind))!.id).toBe(old.snapshot!.id)
  })

  it('rows that come twice alike count once; of those that differ none is taken', async () => {
    const rows = stockRows()
    const one = await importRows('stk', rows)
    expect(await importRows('stk', [...rows, ...rows])).toMatchObject({ ok: true, unchanged: true, quality: { findings: [] } })
    const twice = [...rows, { ...rows[7]!, vol: 20_000 }]
    const found = await importRows('stk', twice)
    expect(found.quality.findings).toMatchObject([{ check: 'duplicate', level: 'quarantine', count: 2 }])
    // The order of the rows decides nothing.
    expect(await importRows('stk', twice.toReversed())).toMatchObject({ unchanged: true, snapshot: { id: found.snapshot!.id } })
    expect(found.snapshot!.dataVersion).not.toBe(one.snapshot!.dataVersion)
  })

  it('days without any row are told', async () => {
    const report = await importRows(
      'stk',
      stockRows().filter((row) => row['trade_date'] !== '2022-10-12'),
    )
    expect(report.quality.findings).toMatchObject([{ check: 'missing_days', level: 'warning', count: 1, examples: ['2022-10-12'] }])
  })

  it('a conversion value that jumps while the conversion price stays is told', async () => {
    const rows = bondRows().map((row) => (row['ts_code'] === '123008.SZ' && String(row['trade_date']) > '2022-11-01' ? swapped(row) : row))
    const report = await importRows('cb', rows)
    expect(report.quality.findings).toMatchObject([{ check: 'swapped', level: 'warning', count: 1 }])
  })

  function swapped(row: FileRow): FileRow {
    const moved = { ...row, stock_price: (row['stock_price'] as number) * 1.8, conv_value: (row['conv_value'] as number) * 1.8 }
    return { ...moved, ...priced(moved, row['close'] as number) }
  }
})

describe('points that a preset names', () => {
  it('are kept as they are and told', async () => {
    const rows = bondRows().map((row) => (row['ts_code'] === '123006.SZ' ? changed(row, { ts_code: '127005.SZ' }) : row))
    const place = rows.findIndex((row) => row['ts_code'] === '127005.SZ' && row['trade_date'] === '2022-11-10')
    rows[place] = changed(rows[place]!, { conv_prem_pct: -99 })
    const unnamed = await importRows('cb', rows)
    expect(unnamed.quality.findings).toMatchObject([{ check: 'premium', level: 'quarantine', count: 1 }])
    // The same point on the day that the preset names.
    const shifted = rows.map((row) => changed(row, { trade_date: earlier(String(row['trade_date'])) }))
    const named = await importRows('cb', shifted)
    expect(named.quality.findings.find((finding) => finding.check === 'known')).toMatchObject({ level: 'warning', count: 1 })
    expect(named.quality.findings.some((finding) => finding.check === 'premium')).toBe(false)
  })

  /** The days of autumn 2022 as the trading days that end on 2018-05-16, so that 2022-11-10 falls on 2018-03-13. */
  const days = [...new Set(bondRows().map((row) => String(row['trade_date'])))]
  function earlier(date: string): string {
    return old[days.indexOf(date) - days.indexOf('2022-11-10') + old.indexOf('2018-03-13')]!
  }
  const old = tradingDays('2017-10-01', '2018-07-31')
})
