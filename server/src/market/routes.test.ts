import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { demoApp } from '../../test/fixtures/demo-app.ts'
import { bondRows, csv, stockRows } from '../../test/fixtures/market/market-file.ts'
import { builtInYear } from './calendar.ts'
import { importMarket } from './import.ts'
import { routes } from './routes.ts'

const here = demoApp(routes)
const { get } = here

const bring = async (kind: 'cb' | 'stk', text: string, mapping?: object) => {
  const { dataDir, database } = here
  const mappingFile = join(dataDir, 'mapping.json')
  await writeFile(join(dataDir, `${kind}.csv`), text)
  if (mapping) await writeFile(mappingFile, JSON.stringify(mapping))
  const given = { kind, paths: [join(dataDir, `${kind}.csv`)], dataDir, db: database.db }
  const report = await importMarket({ ...given, ...(mapping && { mapping: mappingFile }) })
  expect(report.ok).toBe(true)
}

describe('options', () => {
  it('of a market without data say so', async () => {
    expect(await get('/v1/quant/convertible-bond/options')).toMatchObject({ status: 503, code: 21008 })
  })

  it('are the securities of the newest snapshot with their status on its last day', async () => {
    await bring('cb', csv(bondRows()))
    const { status, code, data } = await get('/v1/quant/convertible-bond/options')
    expect([status, code]).toEqual([200, 0])
    expect(data).toHaveLength(20)
    expect(data[0]).toEqual({
      code: '123001.SZ',
      name: '测试转债1',
      pinyin: 'cszz1',
      market: '创业板',
      board: 'CHINEXT',
      stock_code: '300001.SZ',
      list_date: null,
      delist_date: null,
      last_trade_date: null,
      status: 'listed',
    })
    expect(data[3]).toMatchObject({ code: '123004.SZ', status: 'delisted' })
    expect(data[3].last_trade_date < data[3].delist_date).toBe(true)
  })

  it('follow the next snapshot at once', async () => {
    const last = bondRows().at(-1)!['trade_date']
    await bring(
      'cb',
      csv(bondRows().map((row) => (row['trade_date'] === last && row['ts_code'] === '123001.SZ' ? { ...row, is_traded: false } : row))),
    )
    const { data } = await get('/v1/quant/convertible-bond/options')
    expect(data[0].status).toBe('suspended')
  })

  it('of stocks need a login, and have the industry that the data say', async () => {
    await bring('stk', csv(stockRows()))
    expect(await get('/v1/quant/stock/options')).toMatchObject({ status: 401, code: 40100 })
    const { data } = await get('/v1/quant/stock/options', true)
    expect(data).toHaveLength(20)
    expect(data[0]).toMatchObject({ code: '600001.SH', board: 'SSE_MAIN', status: 'listed' })
    expect(data[0].industry).toBeUndefined()
    const fields = Object.fromEntries(['close', 'open', 'high', 'low'].map((key) => [key, key]))
    const mapping = { code: 'ts_code', date: 'trade_date', adjust: 'raw', attributes: { industry_1: '行业' }, fields }
    await bring('stk', csv(stockRows().map((row) => ({ ...row, 行业: '银行' }))), mapping)
    const told = (await get('/v1/quant/stock/options', true)).data
    expect(told[0]).toMatchObject({ code: '600001.SH', industry: '银行' })
  })
})

describe('closed dates', () => {
  const closed = (year: string, login = true) => get(`/v1/quant/trade-calender/${year}/closed-dates`, login)

  it('of a year are all of them, weekends included', async () => {
    const { status, data } = await closed('2026')
    expect(status).toBe(200)
    expect(data).toHaveLength(365 - 242)
    expect(data.slice(0, 4)).toEqual(['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04'])
  })

  it.each([
    ['a year without data', String(builtInYear + 1), 404, 21009],
    ['a year before the exchanges', '1990', 404, 21009],
    ['what is no year', 'next', 400, 40000],
  ])('of %s are refused', async (_case, year, status, code) => {
    expect(await closed(year)).toMatchObject({ status, code, data: null })
  })

  it('need a login', async () => {
    expect(await closed('2026', false)).toMatchObject({ status: 401, code: 40100 })
  })
})
