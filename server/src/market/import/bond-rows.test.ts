/** Which rows of a file are rows of a bond of the market: those of other bonds are not, nor those of bonds that are over. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csv, type FileRow } from '../../../test/fixtures/market/market-file.ts'
import { isBond, isStock } from '../../feeds/source/codes.ts'
import { tradingDays } from '../calendar.ts'
import { otherBondOf } from '../other-bonds.ts'
import { arrange } from './arrange.ts'
import { addBondCalls, addBondTerms } from './bond-calls.ts'
import { readCode } from './cells/code.ts'
import type { Companion } from './companions.ts'
import { withoutEndedRows } from './ended-rows.ts'
import { judgeRows } from './judge-rows.ts'
import { Mapping } from './mapping.ts'
import { withoutOtherBonds } from './other-bond-rows.ts'
import { readRows } from './read-rows.ts'
import { openSource } from './source-file.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convexa-bond-rows-'))
})
afterAll(() => rm(folder, { recursive: true }))

type Kind = 'cb' | 'stk'
async function read(kind: Kind, rows: readonly FileRow[], more: object = {}) {
  const path = join(folder, 'market.csv')
  await writeFile(path, csv(rows))
  const fields = Object.fromEntries(
    ['close', 'conv_price', 'close_stk', 'vol_stk', 'remain_size', 'vol', 'amount', 'high', 'low']
      .filter((key) => rows.some((row) => key in row))
      .map((key) => [key, key]),
  )
  const mapping = Mapping.parse({ code: 'code', date: 'date', fields, ...more })
  return { mapping, rows: await readRows(kind, [await openSource(path)], mapping, null, () => {}) }
}

describe('codes that are no bonds of the market', () => {
  it.each([
    ['directed', '110801.SH 110892.SH 118500.SH 124001.SZ 124024.SZ 810010.BJ 810011.BJ'],
    ['private', '145001.SH 117001.SZ 121001.SZ'],
    ['exchangeable', '132018.SH 137001.SH 120002.SZ'],
    ['delisted', '404001.BJ 404002.SH'],
    // 创业转债 was public; the old prefixes are those of ordinary bonds.
    [
      null,
      '110874.SH 110001.SH 110317.SH 110971.SH 113050.SH 118001.SH 111006.SH 100001.SH 123028.SZ 125001.SZ 126002.SZ 127056.SZ 128012.SZ 129031.SZ',
    ],
  ])('%s', (kind, codes) => {
    const all = codes.split(' ')
    expect(all.map(otherBondOf)).toEqual(all.map(() => kind))
    expect(all.map(isBond)).toEqual(all.map(() => kind === null))
    expect(all.map(isStock)).toEqual(all.map(() => false))
  })

  it('are read by their number alone too, and are no shares', () => {
    const bare = ['110801', '118500', '124001', '132018', '120002', '810011', '404001', '117001', '145001', '110874']
    expect(bare.map((number) => readCode(number, 'cb'))).toEqual([
      ...['110801.SH', '118500.SH', '124001.SZ', '132018.SH', '120002.SZ', '810011.BJ', '404001.BJ', '117001.SZ', '145001.SH', '110874.SH'],
    ])
    expect(['830799.BJ', '430047.BJ', '404001.BJ', '810011.BJ'].map(isStock)).toEqual([true, true, false, false])
  })

  const row = (code: string | number, date: string): FileRow => ({ code, date, close: 101 })
  const dates = tradingDays('2021-01-04', '2021-01-15')
  const others = ['110801.SH', '118500.SH', '124001.SZ', '132018', '120002.SZ', '810011', '404001']

  it('are left out row by row with their number, and are no fault of the file', async () => {
    const all = dates.flatMap((date) => [...others, '110001.SH', '110874.SH'].map((code) => row(code, date)))
    const { rows } = await read('cb', all)
    const kept = withoutOtherBonds('cb', rows, { byCode: new Map() })
    const codes = new Set([...kept.code].map((place) => kept.codes[place]))
    expect([...codes].sort()).toEqual(['110001.SH', '110874.SH'])
    expect(judgeRows('cb', kept, { adjust: 'raw' }, null)).toMatchObject({ quarantined: 0, inside: 2 * dates.length })
    expect(kept.findings).toMatchObject([
      {
        level: 'warning',
        count: 7 * dates.length,
        text: '不属于本市场的代码，逐行略去，不计入有问题的行：定向可转债 4 只 40 行、可交换债 2 只 20 行、退市板块的转债 1 只 10 行',
      },
    ])
  })

  it('are what a list calls exchangeable', async () => {
    const { rows } = await read(
      'cb',
      dates.flatMap((date) => [row('110001.SH', date), row('110002.SH', date)]),
    )
    const byCode = new Map<string, Companion>([['110002.SH', { isExchangeable: true, attributes: {} }]])
    expect(withoutOtherBonds('cb', rows, { byCode }).count).toBe(dates.length)
  })

  it('alone they are refused by name', async () => {
    const { rows } = await read(
      'cb',
      dates.map((date) => row('124001.SZ', date)),
    )
    expect(() => withoutOtherBonds('cb', rows, { byCode: new Map() })).toThrow('文件里只有定向可转债 1 只 10 行，没有可以公开买卖的可转债')
  })
})

describe('volume against amount with the close alone', () => {
  const dates = tradingDays('2021-01-04', '2021-01-15')
  const rows = (change: FileRow) =>
    dates.flatMap((date) =>
      // 1,000 手 at 110 yuan are 110 万元.
      ['110001.SH', '110002.SH'].map((code) => ({ code, date, close: 110, vol: 1_000, amount: 110, ...change })),
    )
  it.each<[string, FileRow, number]>([
    ['right', {}, 0],
    ['a day that moved by half', { close: 165 }, 0],
    ['张 taken for 手', { vol: 10_000 }, 20],
    ['元 taken for 万元', { amount: 1_100_000 }, 20],
    ['a day without a trade', { vol: 0, amount: 0 }, 0],
  ])('%s', async (_, change, faulty) => {
    const { rows: all, mapping } = await read('cb', rows(change))
    const { findings, quarantined } = judgeRows('cb', all, mapping, null)
    expect([quarantined, findings.map(({ check }) => check)]).toEqual([faulty, faulty > 0 ? ['amount_close'] : []])
  })

  it('highest and lowest say more where they are there', async () => {
    const { rows: all, mapping } = await read('cb', rows({ high: 112, low: 108, vol: 900 }))
    expect(judgeRows('cb', all, mapping, null).findings).toMatchObject([{ check: 'amount', count: 20 }])
  })
})

describe('rows of a bond that is over', () => {
  const dates = tradingDays('2021-01-04', '2021-12-31')
  const at = (day: string) => dates.indexOf(day)
  /** Two bonds that trade to the end, and one whose rows go on without a trade from a day on. */
  const bonds = (halted: string, share: (t: number) => FileRow): FileRow[] =>
    dates.flatMap((date, t) => [
      ...['110001.SH', '110002.SH'].map((code) => ({
        code,
        date,
        close: 110,
        conv_price: 10,
        close_stk: 9,
        remain_size: 5,
        traded: 1,
        ...('vol_stk' in share(t) && { vol_stk: 100 }),
      })),
      {
        ...{ code: '110030.SH', date, close: 109.2, conv_price: 20, close_stk: 6, remain_size: 5, traded: date > halted ? 0 : 1 },
        ...share(t),
      },
    ])
  async function ended(rows: readonly FileRow[], about: ReadonlyMap<string, Companion> = new Map()) {
    const { rows: all, mapping } = await read('cb', rows, { traded: 'traded' })
    const { inside, findings } = withoutEndedRows('cb', { rows: all, inside: null }, about)
    const judged = judgeRows('cb', all, mapping, null, { inside })
    const table = arrange('cb', all, { inside, dropped: judged.dropped }, null, { endsAfter: 120, about })
    const companions = { files: [], byCode: about, unreadable: [], unused: [], findings: [], callLists: [] }
    addBondTerms(table, companions)
    addBondCalls(table, companions)
    const i = table.securities.findIndex(({ code }) => code === '110030.SH')
    return {
      security: table.securities[i]!,
      findings,
      listed: dates.filter((_, t) => table.listed[t * table.stride + i] === 1).at(-1),
      judged,
    }
  }
  const moving = (t: number): FileRow => ({ close_stk: 6 + (t % 2) / 100 })
  const matures = new Map<string, Companion>([['110030.SH', { terms: { maturityDate: '2021-08-16', maturityPrice: 110 }, attributes: {} }]])

  it('are none behind its maturity', async () => {
    const { security, findings, listed } = await ended(
      bonds('2021-07-30', () => ({})),
      matures,
    )
    expect(security).toMatchObject({ lastDay: '2021-07-30', exitReason: 'maturity', redemptionPrice: 110, lastDayKnown: '2021-07-02' })
    expect(listed).toBe('2021-08-16')
    expect(findings).toMatchObject([
      { check: 'over', level: 'warning', count: dates.length - 1 - at('2021-08-16'), examples: ['110030.SH 92 行'] },
    ])
  })

  it('are none though a vendor gives them numbers that refuse a file', async () => {
    const rows = bonds('2021-07-30', () => ({})).map((row) =>
      String(row['date']) > '2021-08-16' && row['code'] === '110030.SH' ? { ...row, remain_size: -1 } : row,
    )
    expect((await ended(rows, matures)).judged.quarantined).toBe(0)
    expect((await ended(rows)).judged.quarantined).toBe(92)
  })

  it('are none where its share trades on, whatever the vendor moves its close to', async () => {
    const { security, findings, listed } = await ended(
      bonds('2021-04-28', (t) => ({ ...moving(t), ...(t > at('2021-06-30') && { close: 101 }) })),
    )
    expect(security).toMatchObject({ lastDay: '2021-04-28', delisted: '2021-04-29', exitReason: 'unknown', lastDayKnown: null })
    expect(listed).toBe('2021-04-28')
    expect(findings).toMatchObject([{ check: 'halted', count: dates.length - 1 - at('2021-04-28') }])
  })

  it.each([
    ['whose share is suspended with it', '2021-04-28', () => ({})],
    ['whose share traded on ten of them', '2021-12-17', moving],
    ['whose share has no volume', '2021-04-28', (t: number) => ({ ...moving(t), vol_stk: t > at('2021-04-28') ? 0 : 100 })],
  ] as const)('are a suspension of one %s', async (_, halted, share) => {
    const { security, findings, listed } = await ended(bonds(halted, share))
    expect([security.lastDay, listed, findings]).toEqual([null, dates.at(-1), []])
  })

  it('are none whose share has a volume', async () => {
    const { security } = await ended(bonds('2021-04-28', () => ({ vol_stk: 100 })))
    expect(security.lastDay).toBe('2021-04-28')
  })
})
