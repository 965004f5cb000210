import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readCompanions } from './companions.ts'

describe('a list beside a market file that cannot be used', () => {
  it.each([
    ['damaged', 'stock_basic.parquet', 'PAR1 cut short', /^a_share_2024_raw_adj\/stock_basic\.parquet：.*\p{Script=Han}/u],
    ['a folder of that name', 'stock_basic.csv', null, /stock_basic\.csv：.*\p{Script=Han}/u],
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
