import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { couponsOf, readCompanions } from './companions.ts'

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

describe('coupons out of the text of a bond', () => {
  const text = (...percents: string[]) => percents.map((percent, k) => `${2020 + k}0414-${2021 + k}0413,票面利率:${percent}%`).join(';')
  it.each([
    {
      name: 'all years',
      said: text('0.40', '0.80', '1.00', '1.50', '2.50', '3.00'),
      years: 6,
      yearly: [0.4, 0.8, 1, 1.5, 2.5, 3],
      filled: 0,
    },
    {
      name: 'ended after two years: usual steps, never lower',
      said: text('0.40', '1.20'),
      years: 6,
      yearly: [0.4, 1.2, 1.2, 1.5, 1.8, 2],
      filled: 4,
    },
    { name: 'a full-width colon', said: '20200414-20210413,票面利率：0.5%', years: 1, yearly: [0.5], filled: 0 },
    { name: 'more than the years', said: text('1', '1', '1'), years: 2, yearly: [1, 1], filled: 0 },
    { name: 'no text', said: null, years: 6, yearly: [], filled: 0 },
    { name: 'no years', said: text('0.40'), years: null, yearly: [], filled: 0 },
  ])('$name', ({ said, years, yearly, filled }) => {
    expect(couponsOf(said, years)).toEqual({ yearly, filled })
  })
})
