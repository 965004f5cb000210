/** Sources on this machine: files in a folder, and what the bridge pushed. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { BridgePush } from '@convexa/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { file } from '../../src/feeds/file.ts'
import { pushedIn, storePush, sweepPushed } from '../../src/feeds/xtdata/pushed-store.ts'
import { xtdata } from '../../src/feeds/xtdata/xtdata.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { groundAt, recorded, rowsOf, whyNoRecords } from './ground.ts'

const signal = new AbortController().signal
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'feeds-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('files', () => {
  const head = 'ts_code,trade_date,open,high,low,close,pre_close,vol,amount,adj_factor\n'
  const put = (name: string, text: string) => {
    mkdirSync(join(folder, 'stk'), { recursive: true })
    writeFileSync(join(folder, 'stk', name), text)
    return join(folder, 'stk', name)
  }

  test('a day is cut out of all of them; the later by name counts; a changed file is read again', async () => {
    const { offers } = file(folder)
    const day = async (date: string, codes?: string[]) => rowsOf(await offers['stock-day']!({ date, ...(codes && { codes }) }, { signal }))
    expect(await day('2024-06-18')).toEqual({})
    put('a.csv', `${head}000001.SZ,20240618,10,11,9,10.5,10,1000,1050,2\n600519.SH,20240618,1500,1500,1500,1500,1500,1,150,8\n`)
    const later = put('b.csv', `${head}000001.SZ,20240618,10,11,9,10.6,10,1000,1050,2\n000001.SZ,20240619,10,11,9,9.5,10.6,0,0,2\n`)
    expect(await day('2024-06-18')).toEqual({
      '000001.SZ': { open: 10, high: 11, low: 9, close: 10.6, pre_close: 10, vol: 100_000, amount: 105, adj_factor: 2 },
      '600519.SH': { open: 1500, high: 1500, low: 1500, close: 1500, pre_close: 1500, vol: 100, amount: 15, adj_factor: 8 },
    })
    expect(Object.keys(await day('2024-06-18', ['600519.SH']))).toEqual(['600519.SH'])
    // What a system or a spreadsheet keeps of a file is none.
    put('._a.csv', '\0\u0005\u0016\u0007Mac OS X')
    put('~$b.csv', 'somebody')
    mkdirSync(join(folder, 'stk', 'parts.csv'))
    // A day without a trade.
    expect(await offers['stock-day']!({ date: '2024-06-19' }, { signal })).toMatchObject({ codes: [], suspended: ['000001.SZ'] })
    put('b.csv', `${head}000001.SZ,20240618,10,11,9,10.7,10,1000,1050,2\n`)
    utimesSync(later, new Date(), new Date(Date.now() + 5_000))
    expect((await day('2024-06-18'))['000001.SZ']).toMatchObject({ close: 10.7 })
  })

  test('of a row that cannot be read, or that a file has twice and not alike, nothing is used, and it is named', async () => {
    const own = mkdtempSync(join(folder, 'odd-'))
    mkdirSync(join(own, 'stk'))
    const line = (code: string, close: number | string, day = '20240618') => `${code},${day},10,11,9,${close},10,1000,1050,2`
    const lines = [
      line('600001.SH', 10.5),
      line('600002.SH', 10.5),
      line('600002.SH', 10.5),
      ...['600003.SH', '600004.SH'].map((code) => line(code, 10.5)),
    ]
    const day = async (...more: string[]) => {
      const { offers } = file(own)
      writeFileSync(join(own, 'stk', 'a.csv'), `${head}${[...lines, ...more].join('\n')}\n`)
      return offers['stock-day']!({ date: '2024-06-18' }, { signal })
    }
    expect(await day(line('600001.SH', 10.6))).toMatchObject({
      codes: ['600002.SH', '600003.SH', '600004.SH'],
      unread: ['600001.SH'],
      notes: [expect.stringContaining('1 行无法识别，未采用：600001.SH 2024-06-18 有两行不同的数据（a.csv 第 6 条）')],
    })
    expect(await day(line('600005.SH', '更正'), line('600006.SH', '更正', '20240617'))).toMatchObject({
      codes: ['600001.SH', '600002.SH', '600003.SH', '600004.SH'],
      unread: ['600005.SH'],
      notes: [expect.stringContaining('close 列')],
    })
    await expect(day(line('600001.SH', 10.6), line('600003.SH', 10.6))).rejects.toMatchObject({ kind: 'shape' })
    rmSync(own, { recursive: true })
  })

  test('statements of some days are those of its tables, in 亿元; a table of something else is told', async () => {
    mkdirSync(join(folder, 'statements'), { recursive: true })
    const put = (name: string, text: string) => writeFileSync(join(folder, 'statements', name), text)
    put(
      'income.csv',
      'ts_code,ann_date,end_date,report_type,revenue\n600519.SH,20241026,20240930,1,123100000000\n600519.SH,20240809,20240630,1,8e10\n',
    )
    put('assets.csv', 'ts_code,ann_date,end_date,total_assets\n000001.SZ,20241026,,5e12\n600519.SH,20241026,20240930,2.8e11\n')
    const { offers } = file(folder)
    const ask = { from: '2024-10-20', to: '2024-10-26' }
    expect(await offers.statements!(ask, { signal })).toEqual([
      { code: '000001.SZ', announced: '2024-10-26', period: null, items: { total_assets: 50_000 } },
      { code: '600519.SH', announced: '2024-10-26', period: '2024-09-30', items: { total_assets: 2_800, revenue: 1_231 } },
    ])
    expect(await offers.statements!({ ...ask, codes: ['000001.SZ'] }, { signal })).toHaveLength(1)
    // In one file or in two, a correction holds, whichever comes first; what cannot be read is left out as a whole.
    const head = 'ts_code,ann_date,end_date,report_type,update_flag,revenue,n_income\n'
    put('aa.csv', `${head}000002.SZ,20241026,20240930,1.0,1,3e8,1e8\n000002.SZ,20241026,20240930,5,1,1e8,1e8\n`)
    put('z.csv', `${head}000002.SZ,20241026,20240930,1,0,2e8,1e8\n000004.SZ,20241026,20240930,1,0,某数,1e8\n`)
    const told: string[] = []
    expect(await offers.statements!({ ...ask, codes: ['000002.SZ', '000004.SZ'] }, { signal, tell: (note) => told.push(note) })).toEqual([
      { code: '000002.SZ', announced: '2024-10-26', period: '2024-09-30', items: { revenue: 3, n_income: 1 } },
    ])
    expect(told).toEqual([expect.stringMatching(/^1 行无法识别，未采用：z\.csv 第 2 条 revenue 列/)])
    put('notes.csv', 'a,b\n1,2\n')
    await expect(offers.statements!(ask, { signal })).rejects.toMatchObject({ kind: 'shape', message: '文件 notes.csv 的列不是已知的' })
  })

  test.each([
    ['columns that nobody knows', 'a,b\n1,2\n', '文件 z.csv 的列不是已知的'],
    [
      'a row that is cut',
      `${head}000001.SZ,20240618,10,11,9,10.5,10,1000,1050,2\n000001.SZ,2024`,
      ' 第 3 行的列数与表头不一致，文件可能不完整',
    ],
    ['nothing', '', '文件 z.csv 是空的'],
  ])('%s are told', async (_, text, message) => {
    const path = put('z.csv', text)
    await expect(file(folder).offers['stock-day']!({ date: '2024-06-18' }, { signal })).rejects.toMatchObject({
      kind: 'shape',
      message: expect.stringContaining(message),
    })
    rmSync(path)
  })
})

test('a file that the system does not give is a fault of the source', async () => {
  const gone = join(folder, 'stk', 'gone.csv')
  mkdirSync(join(folder, 'stk'), { recursive: true })
  symlinkSync(join(folder, 'nowhere'), gone)
  await expect(file(folder).offers['stock-day']!({ date: '2024-06-18' }, { signal })).rejects.toMatchObject({
    kind: 'credentials',
    message: expect.stringMatching(/文件 gone\.csv 无法读取（ENOENT）$/),
  })
  rmSync(gone)
})

describe('xtdata', () => {
  const now = '2024-06-18T10:00:00+08:00'
  const tick = {
    ...{ time: Date.parse(now) - 3_000, lastPrice: 10.08, open: 10.11, high: 10.16, low: 10.04, lastClose: 10.1 },
    ...{ amount: 707_829_470, volume: 700_653 },
  }
  const bond = { ...tick, lastPrice: 112.5, open: 112.5, high: 113, low: 112, lastClose: 112.884, amount: 81_479_300, volume: 72_426 }
  const ticks: BridgePush = {
    kind: 'ticks',
    rows: { '000001.SZ': tick, '113050.SH': bond, '600000.SH': { ...tick, lastPrice: 0, open: 0, high: 0, low: 0, amount: 0, volume: 0 } },
  }
  const codes = Object.keys(ticks.rows)
  let database: TestDatabase
  beforeAll(async () => {
    database = await testDatabase()
  })
  afterEach(() => database.db.deleteFrom('pushed').execute())
  afterAll(() => database.drop())

  test('ticks become quotes; before its first trade a stock has none', async () => {
    const deps = groundAt(now)
    const { offers } = xtdata(pushedIn(database.db), deps)
    await expect(offers.quotes!({ codes }, { signal })).rejects.toMatchObject({ kind: 'network', message: '还没有收到本地终端行情的推送' })
    await storePush(database.db, ticks, deps.now())
    const quotes = await offers.quotes!({ codes }, { signal })
    expect(quotes).toMatchObject({ date: '2024-06-18', codes: ['000001.SZ', '113050.SH'], suspended: ['600000.SH'] })
    expect(rowsOf(quotes)).toEqual({
      '000001.SZ': { open: 10.11, high: 10.16, low: 10.04, close: 10.08, pre_close: 10.1, vol: 70_065_300, amount: 70_782.947 },
      '113050.SH': { open: 112.5, high: 113, low: 112, close: 112.5, pre_close: 112.884, vol: 72_426, amount: 8_147.93 },
    })
    // What stands still is not given out as if it were now.
    await deps.sleep(31_000, signal)
    await expect(offers.quotes!({ codes }, { signal })).rejects.toMatchObject({ kind: 'network', message: '本地终端行情的推送已停止' })
  })

  test('a push that another release wrote is told, not taken for none', async () => {
    await storePush(database.db, ticks, groundAt(now).now())
    await database.db
      .updateTable('pushed')
      .set({ body: gzipSync('{"kind":"levels"}') })
      .execute()
    await expect(xtdata(pushedIn(database.db), groundAt(now)).offers.quotes!({ codes }, { signal })).rejects.toMatchObject({
      kind: 'shape',
      message: '行情桥接程序推送的数据无法识别，可能由其他版本写入',
    })
  })

  test('bars of a day, each market by itself; suspended ones are named; other days are empty', async () => {
    const bar = { open: 10.11, high: 10.16, low: 10.04, close: 10.08, preClose: 10.1, amount: 707_829_470, volume: 700_653, suspendFlag: 0 }
    const rows = { '000001.SZ': bar, '600000.SH': { ...bar, suspendFlag: 1 }, '113050.SH': { ...bar, volume: 7_006_530 } }
    await storePush(database.db, { kind: 'bars', date: '2024-06-18', rows }, 0)
    const { offers } = xtdata(pushedIn(database.db), groundAt(now))
    const day = await offers['stock-day']!({ date: '2024-06-18' }, { signal })
    expect(day).toMatchObject({ codes: ['000001.SZ'], suspended: ['600000.SH'] })
    expect(rowsOf(day)['000001.SZ']).toMatchObject({ vol: 70_065_300, amount: 70_782.947, pre_close: 10.1 })
    expect((await offers['bond-day']!({ date: '2024-06-18' }, { signal })).codes).toEqual(['113050.SH'])
    expect((await offers['stock-day']!({ date: '2024-06-17' }, { signal })).codes).toEqual([])
  })

  test('of two pushes the later counts, whichever came in first; after a week they go', async () => {
    const at = Date.now()
    const of = (lastPrice: number): BridgePush => ({ kind: 'ticks', rows: { '000001.SZ': { ...tick, time: at, lastPrice } } })
    await storePush(database.db, of(10.08), at)
    await storePush(database.db, of(10.05), at - 1_000)
    await storePush(database.db, { kind: 'bars', date: '2024-06-18', rows: {} }, at - 8 * 86_400_000)
    const { offers } = xtdata(pushedIn(database.db), { ...groundAt(now), now: () => at })
    expect(rowsOf(await offers.quotes!({ codes }, { signal }))['000001.SZ']).toMatchObject({ close: 10.08 })
    await sweepPushed(database.db)
    expect(await database.db.selectFrom('pushed').select('kind').execute()).toEqual([{ kind: 'ticks' }])
  })

  const shared = recorded('xtdata_get_full_tick.json')
  test.skipIf(shared === null)(`a recorded tick${shared === null ? ` (skipped: ${whyNoRecords})` : ''}`, async () => {
    const deps = groundAt('2023-07-05T15:00:10+08:00')
    await storePush(database.db, { kind: 'ticks', rows: JSON.parse(shared!.toString('utf8')) }, deps.now())
    const quotes = await xtdata(pushedIn(database.db), deps).offers.quotes!({ codes: ['113050.SH'] }, { signal })
    expect(rowsOf(quotes)['113050.SH']).toMatchObject({ close: 112.5, pre_close: 112.884, vol: 72_426, amount: 8_147.93 })
    expect(quotes.date).toBe('2023-07-05')
  })
})
