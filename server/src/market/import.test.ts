import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { crossSection, markets, redeemCounts } from '@convexa/engine'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { importing, rowsOf } from '../../test/fixtures/market/importing.ts'
import { bondRows, csv, type FileRow, stockRows, wentEx } from '../../test/fixtures/market/market-file.ts'
import { newUser } from '../../test/fixtures/processes.ts'
import { strategyOptions } from '../reference/strategy-options.ts'
import { putDay } from './append-day.ts'
import { type ImportReport, importMarket } from './import.ts'
import { loadPanel } from './panels.ts'
import { newestSnapshot, snapshotPath } from './snapshot.ts'

const here = importing()
const { file, importText, importRows, panelOf } = here

describe('statements beside a market file', () => {
  const income = `ts_code,ann_date,f_ann_date,end_date,report_type,comp_type,total_revenue,revenue,n_income_attr_p,update_flag
600001.SH,20220428,20220428,20211231,1,1,,40000000000,4000000000,1
600001.SH,20220428,20220429,20220331,1,1,,12000000000,1500000000,0
600001.SH,20220428,20220429,20220331,1,1,,12000000000,1600000000,1
600001.SH,20210428,20210428,20210331,1,1,,10000000000,1000000000,1
600001.SH,20221028,20221028,20220930,2,1,,1,1,1
600001.SH,,,20220930,1,1,,1,1,1
699999.SH,20220428,20220428,20211231,1,1,,1,1,1
`
  const balance = `ts_code,ann_date,f_ann_date,end_date,report_type,total_hldr_eqy_exc_min_int,st_borr,lt_borr
600001.SH,20220428,20220429,20220331,1,20000000000,300000000,
600001.SH,20220428,20220820,20220331,5,21000000000,300000000,200000000
`

  it('are a book of versions, visible from the day after each publication, in our units', async () => {
    await mkdir(file('statements'))
    await writeFile(file('statements/income.csv'), income)
    await writeFile(file('statements/balancesheet.csv'), balance)
    await writeFile(file('statements/notes.csv'), 'a,b\n1,2\n')
    const report = await importRows('stk', stockRows())
    const panel = await panelOf(report)
    expect(report.text).toContain(
      '已读入财务报表 6 行（balancesheet.csv、income.csv），自公告次日起可见；1 行没有公告日或不是季度末，未使用，1 行不是合并报表（report_type），未使用，1 行不属于行情中的证券。',
    )
    const at = panel.securities.findIndex(({ code }) => code === '600001.SH')
    const { starts, quarters, published, items } = panel.reports!
    const versions = Array.from({ length: starts[at + 1]! - starts[at]! }, (_, k) => starts[at]! + k)
    const told = versions.map((v) => [
      `${Math.floor(quarters[v]! / 4)}Q${(quarters[v]! % 4) + 1}`,
      new Date(published[v]! * 86_400_000).toISOString().slice(0, 10),
      ...['revenue', 'np_parent', 'equity_parent', 'interest_debt'].map((key) => items.get(key)![v]),
    ])
    const none = Number.NaN
    expect(told).toEqual([
      ['2021Q1', '2021-04-28', 100, 10, none, none],
      ['2021Q4', '2022-04-28', 400, 40, none, none],
      // Rows of one publication are one, and the corrected number counts.
      ['2022Q1', '2022-04-29', 120, 16, 200, 3],
      ['2022Q1', '2022-08-20', none, none, 210, 5],
    ])
    const roe = crossSection(panel, markets.stk, ['roe_ttm'], panel.dates.length - 1)
    expect(roe.ok && roe.values[0]![at]).toBeCloseTo((16 + 40 - 10) / 210, 12)
  })

  it('of an update go on from those that are stored; the same said again is nothing new', async () => {
    await mkdir(file('statements'))
    const [head, ...lines] = income.trimEnd().split('\n')
    const isEarly = (line: string) => line.includes(',20210428,') || line.includes(',20211231,')
    const write = (of: (line: string) => boolean) => writeFile(file('statements/income.csv'), [head, ...lines.filter(of), ''].join('\n'))
    const isLate = (row: FileRow) => String(row['trade_date']) > '2022-11-01'
    await write(isEarly)
    await importRows(
      'stk',
      stockRows().filter((row) => !isLate(row)),
    )
    await write((line) => !isEarly(line))
    await writeFile(file('statements/balancesheet.csv'), balance)
    const second = await importRows('stk', stockRows().filter(isLate), { onto: true })
    const again = await importRows('stk', stockRows().filter(isLate), { onto: true })
    expect(again).toMatchObject({ unchanged: true, snapshot: { id: second.snapshot!.id } })
    await write(() => true)
    const whole = await importRows('stk', stockRows())
    expect(whole).toMatchObject({ unchanged: true, snapshot: { id: second.snapshot!.id } })
    expect((await panelOf(second)).reports!.quarters.length).toBe(4)
  })

  it('alone they are no market', async () => {
    const report = await importText('stk', income, {}, 'income.csv')
    expect(report).toMatchObject({ ok: false })
    expect(report.text).toContain('只有财务报表、分红送转或参考资料，没有行情文件')
  })
})

describe('ex-days beside a stock file', () => {
  // Two plans of a day are one payment; what has no day, pays nothing or is of nobody is left out.
  const dividends = `ts_code,ex_date,div_proc,stk_div,cash_div_tax
600001.SH,20221010,实施,0.3,0.5
600001.SH,20221010,实施,0.3,0.5
600001.SH,20221010,实施,0,0.1
600002.SH,20221115,实施,,1.2
600003.SH,20221115,实施,0.5,
600003.SH,,预案,,0.2
600004.SH,20221116,实施,0,0
699999.SH,20221116,实施,,1
`
  it('are paid in cash and shares; a share whose factor moves untold keeps to its factor', async () => {
    await mkdir(file('dividends'))
    await writeFile(file('dividends/dividend.csv'), dividends)
    const paid = wentEx(stockRows(), '600001.SH', '2022-10-10', { cash: 0.6, ratio: 0.3 })
    const told = wentEx(wentEx(paid, '600002.SH', '2022-11-15', { cash: 1.2 }), '600003.SH', '2022-11-15', { ratio: 0.5 })
    // The second goes ex once more on a day that no row tells of.
    const rows = wentEx(told, '600002.SH', '2022-11-22', { ratio: 0.5 })
    const report = await importRows('stk', rows)
    const panel = await panelOf(report)
    expect(report.text).toContain('已读入分红送转 5 行（dividend.csv）')
    expect(report.text).toContain(
      '2 行没有除权除息日或没有派息送转，未使用，1 行不属于行情中的证券，1 只证券的复权因子在没有记录的日子有变动',
    )
    const exDays = (code: string) => panel.securities.find((one) => one.code === code)?.exDays
    expect(exDays('600001.SH')).toEqual([{ date: '2022-10-10', cash: 0.6, ratio: 0.3 }])
    expect(exDays('600002.SH')).toBeUndefined()
    expect(exDays('600003.SH')).toEqual([{ date: '2022-11-15', cash: 0, ratio: 0.5 }])
    expect(exDays('600004.SH')).toBeUndefined()
  })
})

describe.each(['cb', 'stk'] as const)('a file put onto what is loaded, %s', (kind) => {
  const all = rowsOf[kind]()
  const days = [...new Set(all.map((row) => String(row['trade_date'])))].sort()
  const upTo = (last: string) => all.filter((row) => String(row['trade_date']) <= last)
  // A close of the past that was wrong, and the last ten days.
  const corrected = all.map((row) =>
    row['trade_date'] === days[40] && String(row['ts_code']).endsWith(kind === 'cb' ? '7.SZ' : '7.SH')
      ? { ...row, close: Math.round(Number(row['close']) * 1001) / 1000 }
      : row,
  )
  const later = corrected.filter((row) => String(row['trade_date']) > days[59]! || row['trade_date'] === days[40])

  it('is what one import of all its rows would be', async () => {
    await importRows(kind, upTo(days[59]!))
    const put = await importRows(kind, later, { onto: true })
    const found = await panelOf(put)
    expect(put.text).toContain(`新增 10 个交易日（${days[60]} 至 ${days[69]}）；已有的行更正 `)
    const whole = await importRows(kind, corrected)
    const wanted = await loadPanel(snapshotPath(here.dataDir, whole.snapshot!), null, 'all')
    expect(found.dates).toEqual(wanted.dates)
    expect(found.securities).toEqual(wanted.securities)
    expect([...found.columns.keys()].sort()).toEqual([...wanted.columns.keys()].sort())
    for (const [key, column] of wanted.columns) expect([key, found.columns.get(key)]).toEqual([key, column])
    expect([found.listed, found.traded, found.benchmarks]).toEqual([wanted.listed, wanted.traded, wanted.benchmarks])
    expect(whole.unchanged).toBe(true)
    // The same file once more changes nothing.
    const again = await importRows(kind, later, { onto: true })
    expect(again).toMatchObject({ ok: true, unchanged: true })
    expect(again.text).toContain('没有新的交易日')
  })

  it('keeps the columns that came from elsewhere', async () => {
    const { snapshot } = await importRows(kind, upTo(days[59]!))
    const { dates, securities, stride, columns, listed, traded } = await loadPanel(snapshotPath(here.dataDir, snapshot!), null, 'all')
    expect(columns.has('pb')).toBe(false)
    const t = dates.length - 1
    const cut = <C extends Float64Array | Uint8Array>(cells: C) => cells.subarray(t * stride, t * stride + securities.length) as C
    const day = new Map([...columns].map(([key, cells]) => [key, cut(cells)]))
    // A day of the sources has more than the file.
    day.set('pb', new Float64Array(securities.length).fill(1.25))
    const put = await putDay({ db: here.db, dataDir: here.dataDir }, kind, {
      ...{ date: dates[t]!, securities, columns: day, listed: cut(listed), traded: cut(traded), benchmarks: new Map() },
    })
    expect(put).toMatchObject({ ok: true, how: 'revised' })
    const found = await panelOf(await importRows(kind, later, { onto: true }))
    const row = found.columns.get('pb')?.subarray(t * found.stride, t * found.stride + securities.length)
    expect(row?.filter((cell, i) => found.listed[t * found.stride + i] === 1 && cell !== 1.25)).toEqual(new Float64Array())
  })

  it('leaves who has left the market where it is', async () => {
    const gone = all[0]!['ts_code']
    const { snapshot } = await importRows(kind, upTo(days[59]!))
    const { dates, securities, stride, columns, listed, traded } = await loadPanel(snapshotPath(here.dataDir, snapshot!), null, 'all')
    const t = dates.length - 1
    const cut = <C extends Float64Array | Uint8Array>(cells: C) => cells.slice(t * stride, t * stride + securities.length) as C
    const without = (mask: Uint8Array) => cut(mask).map((flag, i) => (securities[i]!.code === gone ? 0 : flag))
    const ended = securities.map((each) => (each.code === gone ? { ...each, delisted: dates[t]!, lastDay: dates[t - 1]! } : each))
    const day = new Map([...columns].map(([key, cells]) => [key, cut(cells)]))
    const flags = { listed: without(listed), traded: without(traded) }
    await putDay({ db: here.db, dataDir: here.dataDir }, kind, {
      date: dates[t]!,
      securities: ended,
      columns: day,
      ...flags,
      benchmarks: new Map(),
    })
    const after = later.filter((row) => row['ts_code'] !== gone)
    const found = await panelOf(await importRows(kind, after, { onto: true }))
    const place = found.securities.findIndex(({ code }) => code === gone)
    expect(found.securities[place]).toMatchObject({ delisted: dates[t], lastDay: dates[t - 1] })
    expect(found.dates.filter((_, row) => found.listed[row * found.stride + place] === 1).at(-1)).toBe(dates[t - 1])
  })

  it('takes nothing back that was published meanwhile', async () => {
    const { snapshot } = await importRows(kind, upTo(days[59]!))
    const meanwhile = sql`
      insert into market_snapshot (id, kind, data_mode, data_version, folder, manifest_sha256, first_date, last_date, securities, quality)
      select gen_random_uuid(), kind, data_mode, data_version, folder, manifest_sha256, first_date, last_date, securities, quality
      from market_snapshot where id = ${snapshot!.id}`
    const others: Promise<unknown>[] = []
    const onProgress = ({ stage }: { stage: string }) => {
      if (stage === 'check') others.push(meanwhile.execute(here.db))
    }
    const report = await importRows(kind, later, { onto: true, onProgress })
    await Promise.all(others)
    expect(report).toMatchObject({ ok: false, text: expect.stringContaining('其间发布了新的一版') })
    expect((await newestSnapshot(here.db, kind))!.dataVersion).toBe(snapshot!.dataVersion)
  })

  it('that is bad, of another form, or has nothing below it changes nothing', async () => {
    const refused = async (report: ImportReport, text: string) => {
      expect(report).toMatchObject({ ok: false })
      expect(report.text).toContain(text)
    }
    await refused(await importRows(kind, later, { onto: true }), '还没有行情')
    await importRows(kind, upTo(days[59]!))
    await refused(
      await importRows(
        kind,
        later.map((row) => ({ ...row, close: -1 })),
        { onto: true },
      ),
      '现有数据保持不变',
    )
    const mapping = file('mapping.json')
    await writeFile(mapping, JSON.stringify({ code: 'ts_code', date: 'trade_date', fields: { close: 'close' } }))
    await refused(await importRows(kind, later, { onto: true, mapping }), '格式不同')
  })
})

describe('a bond file', () => {
  it('becomes a market: fields in our units, windows, last days, names, an equal-weight series', async () => {
    const rows = bondRows()
    const report = await importRows('cb', rows)
    const panel = await panelOf(report)
    const { stride } = panel
    expect(panel.securities).toHaveLength(20)
    expect(panel.dates).toHaveLength(70)
    expect(panel.securities[0]).toMatchObject({
      code: '123001.SZ',
      name: '测试转债1',
      pinyin: 'cszz1',
      board: 'CHINEXT',
      stockCode: '300001.SZ',
      issuer: '300001.SZ',
    })
    // Row 7 of day 10: percentages are fractions by a division, texts of an enumeration are places in it.
    const row = rows[10 * 20 + 7]!
    const at = 10 * stride + 7
    expect(panel.columns.get('close')![at]).toBe(row['close'])
    expect(panel.columns.get('conv_prem')![at]).toBe((row['conv_prem_pct'] as number) / 100)
    expect(panel.columns.get('turnover')![at]).toBe(0.032)
    expect(panel.columns.get('rating')![at]).toBe(4)
    // Bond 3 leaves after day 49, bond 4 is listed from day 20: what it has before is not kept.
    expect(panel.securities[3]).toMatchObject({ listed: null, lastDay: panel.dates[49], delisted: panel.dates[50] })
    expect(panel.securities[4]).toMatchObject({ listed: panel.dates[20], lastDay: null, delisted: null })
    expect(panel.columns.get('close')![5 * stride + 4]).toBeNaN()
    expect([panel.listed[19 * stride + 4], panel.listed[20 * stride + 4]]).toEqual([0, 1])
    expect([panel.traded[5 * stride], panel.listed[5 * stride]]).toEqual([0, 1])
    expect(panel.benchmarks.get('cb_ew')![0]).toBe(1000)
    expect(report.quality).toMatchObject({ quarantined: 0, rows: 1400, listedRows: 1360, findings: [] })
  })

  it('a bond that was never listed is there and masked', async () => {
    const rows = bondRows().map((row) => (row['ts_code'] === '123009.SZ' ? { ...row, is_listed: false, is_traded: false } : row))
    const panel = await panelOf(await importRows('cb', rows))
    expect(panel.securities[8]).toMatchObject({ code: '123009.SZ', listed: null, delisted: null, lastDay: null })
    expect(panel.listed.some((flag, at) => flag === 1 && at % panel.stride === 8)).toBe(false)
  })

  it('counts the call clause from its own prices, and knows a last day only ten days before', async () => {
    const rows = bondRows().map((row) => (row['ts_code'] === '123004.SZ' ? called(row) : row))
    const panel = await panelOf(await importRows('cb', rows))
    const [count, status] = [redeemCounts(panel)!.counts, panel.columns.get('call_status')!]
    const of = (column: Float64Array, t: number) => column[t * panel.stride + 3]
    // The first window of thirty days reaches over the beginning of the file.
    expect([of(count, 28), of(count, 29), of(count, 49)]).toEqual([Number.NaN, 30, 30])
    expect([of(status, 28), of(status, 29), of(status, 38), of(status, 39)]).toEqual([0, 1, 1, 3])
    expect(panel.securities[3]!.lastDayKnown).toBe(panel.dates[39])
  })

  it('a snapshot of an older importer keeps what was announced; its "met" is counted as it is loaded', async () => {
    const rows = bondRows().map((row) => (row['ts_code'] === '123004.SZ' ? called(row) : row))
    const report = await importRows('cb', rows)
    const folder = snapshotPath(here.dataDir, report.snapshot!)
    // Another clause: what is stored was counted by the one before.
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
    const securities = (await readFile(join(folder, 'securities.json'), 'utf8')).replaceAll('"trigger":1.3', '"trigger":3')
    await writeFile(join(folder, 'securities.json'), securities)
    manifest.files['securities.json'] = { bytes: Buffer.byteLength(securities), crc32: crc32(securities) }
    const under = async (importer: number | undefined) => {
      await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, importer }))
      const { columns, stride } = await loadPanel(folder, null, ['call_status'])
      return [29, 30, 38, 39].map((t) => columns.get('call_status')![t * stride + 3])
    }
    expect(await under(2)).toEqual([1, 1, 1, 3])
    expect(await under(1)).toEqual([0, 0, 0, 3])
    expect(await under(undefined)).toEqual([0, 0, 0, 3])
  })

  /** A stock at twice the conversion price from the first day on. */
  function called(row: FileRow): FileRow {
    const stock = (row['conv_price'] as number) * 2
    return { ...row, stock_price: stock, conv_value: 200, close: 202, open: 202, conv_prem_pct: 1 }
  }

  it('in GBK reads as in UTF-8', async () => {
    const text = csv(bondRows())
    const { snapshot } = await importText('cb', text)
    const gbk = await importText('cb', gbkOf(text))
    expect(gbk).toMatchObject({ ok: true, unchanged: true, snapshot: { dataVersion: snapshot!.dataVersion } })
  })

  /** Only the two characters of the test names are beyond ASCII. */
  function gbkOf(text: string): Buffer {
    const codes: Record<string, number[]> = { 测: [0xb2, 0xe2], 试: [0xca, 0xd4], 转: [0xd7, 0xaa], 债: [0xd5, 0xae] }
    return Buffer.from([...text].flatMap((letter) => codes[letter] ?? [letter.charCodeAt(0)]))
  }
})

describe('a stock file', () => {
  it('becomes a market: a missing row is a suspension, nobody is delisted, adjusted closes make the series', async () => {
    const panel = await panelOf(await importRows('stk', stockRows()))
    const at = 30 * panel.stride + 2
    expect([panel.listed[at], panel.traded[at]]).toEqual([1, 0])
    expect(panel.columns.get('close')![at]).toBe(panel.columns.get('close')![29 * panel.stride + 2])
    expect(panel.columns.get('vol')![0]).toBe(1_000_000)
    expect(panel.securities.every((security) => security.lastDay === null)).toBe(true)
    expect(panel.securities[0]!.board).toBe('SSE_MAIN')
    expect([...panel.benchmarks.keys()]).toEqual(['stk_ew'])
  })
})

it('a row without volume is a suspension, whatever price it repeats', async () => {
  const days = [...new Set(stockRows().map((row) => row['trade_date']))]
  const still = (row: FileRow) => row['ts_code'] === '600001.SH' && row['trade_date'] === days[20]
  const before = stockRows().find((row) => row['ts_code'] === '600001.SH' && row['trade_date'] === days[19])!
  const at = before['close'] ?? null
  const rows = stockRows().map((row) =>
    still(row) ? { ...row, open: at, high: at, low: at, close: at, pre_close: at, vol: 0, amount: 0 } : row,
  )
  const panel = await panelOf(await importRows('stk', rows))
  const cell = 20 * panel.stride
  expect([panel.listed[cell], panel.traded[cell], panel.columns.get('close')![cell]]).toEqual([1, 0, at])
  expect([panel.traded[19 * panel.stride], panel.traded[21 * panel.stride], panel.traded[cell + 1]]).toEqual([1, 1, 1])
})

describe('other ways to write a file', () => {
  const mapping = async (content: unknown) => {
    await writeFile(file('mapping.json'), JSON.stringify(content))
    return { mapping: file('mapping.json') }
  }
  const chinese = (rows: FileRow[]) =>
    rows.map((row) => ({
      代码: `sh${String(row['ts_code']).slice(0, 6)}`,
      日期: String(row['trade_date']).replaceAll('-', '/'),
      收盘: row['close']!,
      '涨停?': '--',
      成交量: (row['vol'] as number) / 100,
      行业: '银行',
    }))

  it('a mapping names columns, units and texts', async () => {
    const more = await mapping({
      code: '代码',
      date: '日期',
      adjust: 'hfq',
      attributes: { industry_1: '行业' },
      fields: { close: '收盘', vol: { column: '成交量', unit: '万股' } },
    })
    const report = await importRows('stk', chinese(stockRows()), more)
    const panel = await panelOf(report)
    expect(panel.columns.get('vol')![0]).toBe(1_000_000)
    expect(panel.securities[0]).toMatchObject({ code: '600001.SH', attributes: { industry_1: '银行' } })
    expect(report.quality).toMatchObject({ adjust: 'hfq', preset: '自定义映射' })
  })

  it.each([
    ['no such field', { code: '代码', date: '日期', fields: { cloze: '收盘' } }, /没有名为 cloze 的字段/],
    ['no such column', { code: '代码', date: '日期', fields: { close: '收盘价' } }, /缺少列：收盘价/],
    ['a unit that does not fit', { code: '代码', date: '日期', fields: { close: { column: '收盘', unit: '手' } } }, /单位是元/],
    ['a word of its own', { code: '代码', date: '日期', fields: {}, colour: 'red' }, /映射文件有误：内容 有不认识的成员：colour/],
    ['no column of codes', { date: '日期', fields: {} }, /映射文件有误：code 缺少/],
  ])('a mapping with %s is refused with its place', async (_case, content, sentence) => {
    const report = await importRows('stk', chinese(stockRows()), await mapping(content))
    expect(report.ok).toBe(false)
    expect(report.text).toMatch(sentence)
  })

  it('codes and dates are read however they are written', async () => {
    const spelled = stockRows().map((row) => ({
      ...row,
      ts_code: String(row['ts_code']).slice(0, 6),
      trade_date: String(row['trade_date']).replaceAll('-', ''),
    }))
    const first = await importRows('stk', stockRows())
    expect(await importRows('stk', spelled)).toMatchObject({ unchanged: true, snapshot: { id: first.snapshot!.id } })
  })

  it('a folder of files of one kind is one market', async () => {
    const rows = stockRows()
    const first = await importRows('stk', rows)
    const several = join(here.dataDir, 'several')
    await mkdir(several)
    for (const code of new Set(rows.map((row) => row['ts_code']))) {
      await writeFile(join(several, `${code}.csv`), csv(rows.filter((row) => row['ts_code'] === code)))
    }
    const report = await importMarket({ kind: 'stk', paths: [several], dataDir: here.dataDir, db: here.db })
    expect(report).toMatchObject({ ok: true, unchanged: true, snapshot: { id: first.snapshot!.id } })
  })

  it('a preset by name must be one of the market', async () => {
    const report = await importRows('stk', stockRows(), { preset: 'cb-panel' })
    expect(report.text).toMatch(/没有名为 cb-panel 的预设，可用的有：stk-/)
  })
})

describe('indices', () => {
  const series = (code: string, from: number) =>
    stockRows()
      .slice(0, 70)
      .map((row, t) => ({
        ts_code: code,
        trade_date: row['trade_date']!,
        open: from,
        high: from + 9,
        low: from - 9,
        close: from + Math.sin(t),
      }))

  it('of a second file are added to those imported before', async () => {
    await importRows('index', series('000300.SH', 4_000))
    const report = await importRows('index', series('000905.SH', 6_000))
    expect(report.text).toMatch(/保留此前导入的指数：000300/)
    const market = await importRows('stk', stockRows())
    const panel = await loadPanel(snapshotPath(here.dataDir, market.snapshot!), snapshotPath(here.dataDir, report.snapshot!), ['close'])
    expect([...panel.benchmarks.keys()]).toEqual(['stk_ew', '000300', '000905'])
    expect(panel.benchmarks.get('000300')![1]).toBeCloseTo(4_000 + Math.sin(1), 3)
  })

  it('that cannot be read any more are named, and the new ones stand', async () => {
    const before = await importRows('index', series('000300.SH', 4_000))
    await rm(join(snapshotPath(here.dataDir, before.snapshot!), 'manifest.json'))
    const report = await importRows('index', series('000905.SH', 6_000))
    expect(report).toMatchObject({ ok: true, text: expect.stringContaining('此前导入的指数已损坏，无法读取，没有保留') })
  })

  it('rates of the operator are named by rating and years, and are none of the benchmarks that are offered', async () => {
    const codes = ['risk_free', 'yield_AA+_3', 'yield_AA-_5']
    const report = await importRows(
      'index',
      codes.flatMap((code) => series(code, 4_000).map((row) => ({ ...row, open: 0.03, high: 0.03, low: 0.03, close: 0.03 }))),
    )
    const market = await importRows('stk', stockRows())
    const panel = await loadPanel(snapshotPath(here.dataDir, market.snapshot!), snapshotPath(here.dataDir, report.snapshot!), ['close'])
    for (const code of ['risk_free', 'yield_aa+_3', 'yield_aa-_5']) expect([code, panel.benchmarks.get(code)?.[1]]).toEqual([code, 0.03])
    const { benchmarks } = await strategyOptions(here.db, here.dataDir, await newUser(here.db))
    expect(benchmarks.filter(({ value }) => /yield|risk/.test(value))).toEqual([])
    expect(benchmarks.find(({ value }) => value === 'stk_ew')).toMatchObject({ available: true })
  })
})
