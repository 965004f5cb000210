import { mkdir, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { importing } from '../../test/importing.ts'
import { bondRows, csv, type FileRow, stockRows } from '../../test/market-file.ts'
import type { ImportReport } from './import.ts'

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

  it('a header cell may hold a comma in quotes', async () => {
    const text = csv(stockRows()).replace('close', '"close, 元"')
    const mapping = await mapped({ code: 'ts_code', date: 'trade_date', fields: { close: 'close, 元' } })
    expect(await importText('stk', text, mapping)).toMatchObject({ ok: true })
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
