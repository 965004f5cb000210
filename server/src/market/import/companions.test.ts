import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readCompanions } from './companions.ts'

describe('rows of one bond in a list', () => {
  const terms = (coupons: string) => `123001.SZ,测试转债,,20200101,20190601,20191201,20250601,20250601,6,110,100000000,${coupons}`
  const head =
    'ts_code,bond_short_name,stk_short_name,list_date,value_date,conv_start_date,conv_end_date,maturity_date,maturity,maturity_price,issue_size,rate_clause'
  const one = '"20190601-20200531,票面利率:0.50%"'
  it.each([
    {
      what: 'the terms',
      name: 'cb_basic.csv',
      lines: [`${head},cb_type`, `${terms(one)},CB`, `${terms(one.replace('0.50', '0.60'))},EB`],
      told: ['123001.SZ 是否可交换债 否、是', '123001.SZ 票面利率'],
      left: {
        ...{ name: '测试转债', listed: '2020-01-01', attributes: {} },
        terms: {
          ...{ issueSize: 1, valueDate: '2019-06-01', conversionStart: '2019-12-01', conversionEnd: '2025-06-01' },
          ...{ maturityDate: '2025-06-01', maturityPrice: 110 },
        },
      },
    },
    {
      what: 'the notices of a call',
      name: 'cb_call_announcements.csv',
      lines: [
        'ts_code,ann_date,call_price,call_reg_date',
        '123001.SZ,20210601,100.5,20210620',
        '123001.SZ,20210601,100.6,20210620',
        '123001.SZ,20210608,100.6,',
      ],
      told: ['123001.SZ 2021-06-01 公告的赎回价 100.5、100.6'],
      left: {
        calls: ['2021-06-01', '2021-06-08'],
        notices: { '2021-06-01': { registration: '2021-06-20' }, '2021-06-08': { price: 100.6 } },
        attributes: {},
      },
    },
  ])('$what: what they contradict is told and used by none', async ({ name, lines, told, left }) => {
    const folder = await mkdtemp(join(tmpdir(), 'convexa-companions-'))
    const [columns, ...rows] = lines
    for (const order of [rows, rows.toReversed()]) {
      await writeFile(join(folder, name), [columns, ...order, ''].join('\n'))
      const { byCode, findings } = await readCompanions('cb', join(folder, 'market.csv'))
      expect(findings).toMatchObject([{ check: 'list_contradicts', count: told.length }])
      expect(findings[0]!.examples.map((text) => text.split('：')[1])).toEqual(told)
      expect(byCode.get('123001.SZ')).toEqual(left)
    }
    await rm(folder, { recursive: true })
  })
})

describe('a list beside a market file that cannot be used', () => {
  it.each([
    ['damaged', 'stock_basic.parquet', 'PAR1 cut short', /^a_share_2024_raw_adj\/stock_basic\.parquet：.*\p{Script=Han}/u],
    ['a folder of that name', 'stock_basic.csv', null, /stock_basic\.csv：无法读取（EISDIR）/],
    ['a folder of that name', 'stock_basic.parquet', null, /stock_basic\.parquet：无法读取（EISDIR）/],
    ['without its columns', 'stock_basic.csv', 'code,day\n600001.SH,20240102\n', /stock_basic\.csv：缺少列：ts_code、list_date$/],
  ])('is named: %s', async (_what, name, text, said) => {
    const folder = await mkdtemp(join(tmpdir(), 'convexa-companions-'))
    if (text === null) await mkdir(join(folder, name))
    else await writeFile(join(folder, name), text)
    const read = await readCompanions('stk', join(folder, 'market.csv'))
    expect([read.files, read.unused]).toEqual([[], [expect.stringMatching(said)]])
    await rm(folder, { recursive: true })
  })
})

describe('the table of clauses', () => {
  const columns =
    'ts_code,industry,maturity_price,redeem_span,redeem_maxspan,redeem_trigger,reset_span,reset_maxspan,reset_trigger,putback_span,putback_maxspan,putback_trigger,putback_start'
  const call = { days: 15, window: 30, trigger: 1.3 }
  const put = { days: 30, window: 30, trigger: 0.7, from: '2025-01-04' }
  it.each([
    ['as it stands', '15,30,130,15,30,85,30,30,70,20250104', { redeem: call, put }],
    ['with the call and the put under each other’s names', '30,30,70,15,30,85,15,30,130,20250104', { redeem: call, put }],
    ['with the put alone, named a call', '30,30,70,15,30,85,,,,20250104', { put }],
    ['with the call alone, named a put', ',,,15,30,85,15,30,130,20250104', { redeem: call }],
    ['with two calls', '15,30,130,15,30,85,15,30,130,20250104', { redeem: call }],
    ['with two puts', '30,30,70,15,30,85,30,30,70,20250104', { put }],
  ])('is read %s', async (_, cells, read) => {
    const folder = await mkdtemp(join(tmpdir(), 'convexa-companions-'))
    await writeFile(join(folder, 'cb_terms.csv'), `${columns}\n110001.SH,银行,110,${cells}\n`)
    const { byCode } = await readCompanions('cb', join(folder, 'market.csv'))
    expect(byCode.get('110001.SH')?.terms).toEqual({ maturityPrice: 110, reset: { days: 15, window: 30, trigger: 0.85 }, ...read })
    await rm(folder, { recursive: true })
  })
})
