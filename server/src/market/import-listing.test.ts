import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectRefused, findingOf, importing, withEach } from '../../test/fixtures/market/importing.ts'
import { bondRows, type FileRow, stockRows } from '../../test/fixtures/market/market-file.ts'
import type { ImportReport } from './import.ts'

const here = importing()
const { file, importRows, mapped, panelOf } = here

const days = [...new Set(stockRows().map((row) => String(row['trade_date'])))]

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
  expect(findingOf(report, 'listing_unknown')).toBeUndefined()
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
    expect(findingOf(report, 'before_listing')).toMatchObject({
      level: 'warning',
      count: 40,
      text: '参考资料所载上市日之前的行，不作为行情（其中 40 行有成交，请核对参考资料）',
      examples: [`600002.SH 上市日 ${days[40]}，40 行，其中 40 行有成交`],
    })
    expect(findingOf(report, 'behind_delisting')).toMatchObject({
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
    expectRefused(
      await read(list),
      /没有一行在上市期内，请检查参考资料的上市日与退市日（600001\.SH 上市日 2023-06-01，70 行，其中 70 行有成交）/,
    )
  })

  it('says nothing of what its own rows contradict, in any order; what they agree on stays', async () => {
    const head = 'ts_code,list_date,delist_date,name,industry'
    const lines = [`600002.SH,20040115,,甲股份,银行`, `600002.SH,${days[40]},${days[50]},甲股份,`, '600002.SH,,,,保险']
    for (const told of [lines, lines.toReversed()]) {
      const report = await read([head, ...told, ''].join('\n'))
      if (told !== lines) expect(report).toMatchObject({ ok: true, unchanged: true })
      else expect(await securityOf(report, '600002.SH')).toMatchObject({ name: '甲股份', listed: null, delisted: days[50], attributes: {} })
      expect(findingOf(report, 'list_contradicts')).toMatchObject({
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
    return { listed: securities.find(({ code }) => code === '600002.SH')!.listed, told: findingOf(report, 'listing_day') }
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

describe('rows in any order', () => {
  const renamed = (rows: readonly FileRow[]) =>
    withEach(rows, ({ trade_date }) => ({
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
    expect(findingOf(report, 'text_contradicts')).toMatchObject({
      ...{ level: 'warning', count: 1 },
      examples: [`600001.SH ${last['trade_date']} name 列：“他名股份”、“新名股份”`],
    })
    expect((await panelOf(report)).securities[0]).toMatchObject({ name: '600001.SH', attributes: { area: '北京' } })
    expect(await importRows('stk', said.toReversed(), await mapping())).toMatchObject({ ok: true, unchanged: true })
    const marked = said.map((row, k) => ({ ...row, update_flag: k < rows.length ? 1 : 0 }))
    for (const order of [marked.toReversed(), marked]) {
      const corrected = await importRows('stk', order, await mapping())
      expect(findingOf(corrected, 'text_contradicts')).toBeUndefined()
      if (order !== marked) expect((await panelOf(corrected)).securities[0]).toMatchObject({ name: '新名股份' })
      else expect(corrected).toMatchObject({ unchanged: true })
    }
  })

  it('the share of a bond is the newest that is given', async () => {
    const rows = withEach(bondRows(), ({ trade_date, stk_cd }) => ({ stk_cd: String(trade_date) < days[30]! ? '000022.SZ' : stk_cd! }))
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
    for (const report of [plain, turned]) expect(findingOf(report, 'duplicate')).toMatchObject({ level: 'quarantine', count: 2 })
    expect(turned).toMatchObject({ unchanged: true, snapshot: { id: plain.snapshot!.id } })
    expect((await panelOf(plain)).traded[7 * 24]).toBe(0)
  })

  it('an update_flag says which of them is the correction', async () => {
    const rows = withEach(twice({ close: stockRows()[7]!['pre_close']! }), (_, k) => ({ update_flag: k === stockRows().length ? 1 : 0 }))
    const report = await importRows('stk', rows)
    expect(findingOf(report, 'superseded')).toMatchObject({ level: 'warning', count: 1 })
    const panel = await panelOf(report)
    expect(panel.columns.get('close')![7 * panel.stride]).toBe(stockRows()[7]!['pre_close'])
  })
})

describe('a day without a trade', () => {
  const out = (change: (row: FileRow) => FileRow) =>
    withEach(stockRows(), (row) => (row['ts_code'] === '600001.SH' && days.indexOf(String(row['trade_date'])) === 20 ? change(row) : {}))
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
    expect(findingOf(report, 'repeated_rows')).toMatchObject({ level: 'warning', count: 1, examples: ['600001.SH 2022-09-30'] })
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
    expect(findingOf(report, 'repeated_rows')).toMatchObject({ level: 'warning', count: 1, examples: [`600001.SH ${days[60]}`] })
  })

  it('a whole day without volumes says nothing of who traded', async () => {
    const rows = withEach(stockRows(), ({ trade_date }) => (trade_date === days[20] ? { vol: '', amount: '' } : {}))
    const panel = await panelOf(await importRows('stk', rows))
    expect(panel.traded[20 * panel.stride]).toBe(1)
  })
})

describe('flags and words', () => {
  const mapping = (more: object) => mapped({ code: 'ts_code', date: 'trade_date', fields: { close: 'close' }, ...more })
  const state = (words: readonly [string, string]) => withEach(stockRows(), (_, k) => ({ state: words[k === 7 ? 1 : 0], st: '正常' }))

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
    expect(findingOf(report, 'unreadable')).toMatchObject({ count: 1, examples: [expect.stringContaining('state 列：空')] })
  })

  it.each(['traded', 'listed'])('a word that %s does not know refuses the file, with words and counts', async (key) => {
    const report = await importRows('stk', state(['1', '集合竞价']), await mapping({ [key]: 'state' }))
    expectRefused(report, /state 列有不认识的取值 “集合竞价”（1 次）/)
  })

  it('ST in words, an unknown one refused, an empty one absent', async () => {
    const fields = { close: 'close', is_st: 'state' }
    const report = await importRows('stk', state(['*ST', '']), await mapping({ fields }))
    const panel = await panelOf(report)
    const cells = panel.columns.get('is_st')!
    expect(cells[6 * panel.stride]).toBe(1)
    expect(cells[7 * panel.stride]).toBeNaN()
    expectRefused(await importRows('stk', state(['*ST', '摘帽']), await mapping({ fields })), /state 列有不认识的取值 “摘帽”（1 次）/)
  })

  it('ratings: full width and case do not matter, unknown ones are absent and told with their counts', async () => {
    const ratings = ['AAA', 'AA+', 'AA＋', 'aa', 'A-1', 'AA(sti)']
    const report = await importRows(
      'cb',
      withEach(bondRows(), (_, k) => ({ rating: ratings[k % 20] ?? 'AA' })),
    )
    const panel = await panelOf(report)
    expect([...panel.columns.get('rating')!.subarray(0, 3)]).toEqual([0, 1, 1])
    expect(panel.columns.get('rating')![5]).toBeNaN()
    expect(findingOf(report, 'word')).toMatchObject({
      level: 'warning',
      text: expect.stringContaining('rating 列有不认识的取值'),
      examples: ['“A-1” 70 次', '“AA(sti)” 70 次'],
    })
  })

  it('a cell says its unit', async () => {
    const rows = withEach(bondRows(), (row) => ({
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
