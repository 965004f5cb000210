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
