import { mkdir, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { expectRefused, findingOf, importing, withEach } from '../../test/fixtures/market/importing.ts'
import { bondRows, csv, type FileRow, stockRows } from '../../test/fixtures/market/market-file.ts'

const here = importing()
const { file, importText, importRows, mapped, panelOf } = here

const days = [...new Set(stockRows().map((row) => String(row['trade_date'])))]

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
      withEach(bondRows(), (row) => (row['ts_code'] === '123006.SZ' ? { rating: '' } : {})),
    )
    expect(report.text).toContain('最后一天 1 只无评级，未按评级剔除：123006.SZ。')
  })
})

describe('what cannot be read is refused with its column, a row and an example', () => {
  it.each<[string, FileRow, RegExp]>([
    ['not one day', { trade_date: '1/2/2024' }, /trade_date 列没有一个能识别的日期，例如market.csv 第 1 条：“1\/2\/2024”/],
    ['not one code', { ts_code: '6.00001E+05' }, /ts_code 列没有一个能识别的代码，例如market.csv 第 1 条：“6.00001E\+05”/],
    ['a column of days that is empty', { trade_date: null }, /trade_date 列没有一个能识别的日期，该列全部为空/],
  ])('%s', async (_case, change, sentence) =>
    expectRefused(
      await importRows(
        'stk',
        withEach(stockRows(), () => change),
      ),
      sentence,
    ),
  )

  it.each(['1989-12-29', '2094-01-04'])('a day that no market has: %s', async (day) => {
    const rows = withEach(stockRows(), (_, k) => (k === 7 ? { trade_date: day } : {}))
    expectRefused(
      await importRows('stk', rows),
      new RegExp(`trade_date 列有 ${day}（market.csv 第 8 条：“${day}”），不在 1990 年至交易日历`),
    )
  })

  it('a cell that is no number puts its row aside, and is named', async () => {
    const report = await importRows(
      'stk',
      withEach(stockRows(), (_, k) => (k === 7 ? { vol: '约 4 万' } : {})),
    )
    expect(findingOf(report, 'unreadable')).toMatchObject({ count: 1 })
    expect(findingOf(report, 'unreadable')!.examples[0]).toMatch(/market\.csv 第 8 条，vol 列：“约 4 万”/)
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
    expectRefused(report, /整批拒绝/)
    expect(findingOf(report, 'ohlc')?.count).toBeGreaterThan(500)
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
    const rows = withEach(stockRows(), ({ ts_code }) => ({ ts_code: `="${String(ts_code).slice(0, 6)}"` }))
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
    expectRefused(
      await importRows('stk', as('510050.SH')),
      /文件里的代码都不是 A 股的代码（指数、基金、债券、B 股等），未读入（例如 510050\.SH）/,
    )
    // Bare numbers, too.
    const bare = ['399300', '510050', '113001', '900901', '200002', '159915']
    expect(await importRows('stk', [...stockRows(), ...bare.flatMap((code) => as(code))])).toMatchObject({
      unchanged: true,
      quality: { findings: [{ check: 'foreign_codes', count: bare.length }] },
    })
    expect(findingOf(await importRows('cb', [...bondRows(), ...as('000001', 'cb'), ...as('510050', 'cb')]), 'foreign_codes')).toMatchObject(
      {
        examples: ['000001.SZ', '510050.SH'],
      },
    )
    const bonds = await importRows('cb', [...bondRows(), ...as('600001.SH', 'cb')])
    expect(findingOf(bonds, 'foreign_codes')).toMatchObject({ count: 1, examples: ['600001.SH'] })
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
    expect(findingOf(report, 'repeated_days')).toMatchObject({
      level: 'warning',
      count: 1,
      examples: [`${days[69]}：20 只与 ${days[68]} 相同`],
    })
    expect(findingOf(await importRows('stk', stockRows()), 'repeated_days')).toBeUndefined()
  })

  it('blank lines, the index of a data frame, days before the first one and volumes beyond 32 bits are a market like any other', async () => {
    const [head = '', ...lines] = csv(stockRows()).trimEnd().split('\n')
    const plain = await importRows('stk', stockRows())
    const same = { unchanged: true, snapshot: { id: plain.snapshot!.id } }
    expect(await importText('stk', [head, '', ...lines.slice(0, 9), '   ', ...lines.slice(9), '', ''].join('\n'))).toMatchObject(same)
    expect(await importText('stk', [`,${head}`, ...lines.map((line, k) => `${k},${line}`)].join('\n'))).toMatchObject(same)
    const large = (row: FileRow) => ({ vol: Number(row['vol']) * 1e6, amount: Number(row['amount']) * 1e6 })
    expect((await importRows('stk', withEach(stockRows(), large))).quality.findings).toEqual([])
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
    const brackets = withEach(bondRows(), () => ({ ytm_pct: '(1.5)' }))
    expectRefused(
      await importRows('cb', brackets),
      /没有一行可用（例如 123001\.SZ 2022-09-01（market\.csv 第 1 条，ytm_pct 列：“\(1\.5\)”））/,
    )
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
  ])('%s is told as what it is', async (_case, content, sentence) => expectRefused(await importText('stk', content, {}, 'a.csv'), sentence))

  it('of a mapped column that is there twice nobody knows which one is meant', async () => {
    const mapping = await mapped({ code: 'ts_code', date: 'trade_date', fields: { close: 'close' } })
    expectRefused(await importText('stk', text.replace('pre_close', 'close'), mapping), /的表头里“close”出现了 2 次，不能确定用哪一列/)
  })

  it('a mapping without a close is none', async () => {
    expectRefused(await importRows('stk', stockRows(), await mapped({ code: 'ts_code', date: 'trade_date', fields: {} })), /映射缺少收盘价/)
  })

  it('control characters of a cell stand in no report', async () => {
    const report = await importRows(
      'stk',
      withEach(stockRows(), (_, k) => (k === 7 ? { ts_code: '60\u00000001.SH' } : {})),
    )
    expect(findingOf(report, 'bad_code')!.examples[0]).toMatch(/^600001\.SH 2022-.*（market\.csv 第 8 条，ts_code 列：“600001\.SH”）$/)
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
