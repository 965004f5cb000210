import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Dictionary, dictionaryKeys } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { demoApp } from '../../test/fixtures/demo-app.ts'
import { csv, stockRows } from '../../test/fixtures/market/market-file.ts'
import { importMarket } from '../market/import.ts'
import { routes } from './routes.ts'

const here = demoApp(routes)

async function items(query: string) {
  const { status, code, msg, data } = await here.get(`/v1/dictionary/items${query}`, true)
  return { status, code, msg, data: data as Dictionary[] }
}
const labelsOf = async (key: string) => (await items(`?keys=${key}`)).data[0]?.options.map(({ label }) => label)

describe('the dictionaries', () => {
  it('need a login', async () => {
    expect((await here.get('/v1/dictionary/items?keys=order_status')).status).toBe(401)
  })

  it('come as they were asked for by repeated keys, each once', async () => {
    const { status, code, data } = await items('?keys=order_status&keys=cb_call_status&keys=order_status')
    expect([status, code]).toEqual([200, 0])
    expect(data.map(({ dictionary_key: key }) => key)).toEqual(['order_status', 'cb_call_status'])
    expect(data[0]?.options[0]).toEqual({ value: 0, label: '待支付' })
    expect(data[1]?.options[3]).toEqual({ value: 'announced', label: '已公告强赎' })
  })

  it('number the order statuses and the run statuses from 0 to 6', async () => {
    const { data } = await items('?keys=order_status&keys=run_status')
    for (const { options } of data) expect(options.map(({ value }) => value)).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  it('name the benchmarks of both markets once, each market’s own first', async () => {
    expect(await labelsOf('benchmark')).toEqual(['可转债等权', '沪深300', '中证转债', '中证1000', '股票等权', '中证500', '中证2000'])
  })

  it('name what a rank may be made neutral to in the words of both markets', async () => {
    expect(await labelsOf('neutralization')).toEqual(['无', '剩余规模/市值', '正股市值', '行业', '市值与行业'])
  })

  it('name the rotations by their markets', async () => {
    expect(await labelsOf('rotation_type')).toEqual(['可转债轮动', '股票轮动'])
  })

  it('name the indices of shares, none that is computed here', async () => {
    expect(await labelsOf('stk_index')).toEqual(['沪深300', '中证500', '中证1000', '中证2000'])
  })

  it.each([
    ['an unknown key', '?keys=order_status&keys=nonsense', '名称列表'],
    ['no key', '', '名称列表'],
    ['a key of another language', '?keys=订单状态', '名称列表'],
    ['more keys than there are', `?${'keys=operation&'.repeat(dictionaryKeys.length + 1)}`, '名称列表'],
  ])('refuse %s', async (_, query, field) => {
    expect(await items(query)).toMatchObject({ status: 400, code: 40000, msg: `请求参数有误：${field}`, data: null })
  })

  it('of a market without data are empty, all others are not', async () => {
    const { data } = await items(`?${dictionaryKeys.map((key) => `keys=${key}`).join('&')}`)
    expect(data).toHaveLength(dictionaryKeys.length)
    const empty = data.filter(({ options }) => options.length === 0).map(({ dictionary_key: key }) => key)
    expect(empty).toEqual(dictionaryKeys.filter((key) => /_(industry_1|org_type|area|yy_rating)$/.test(key)))
    for (const { options } of data) expect(new Set(options.map(({ value }) => value)).size).toBe(options.length)
  })

  it('of the loaded market are the values that its securities have, in Chinese order, and follow the next import', async () => {
    await bring((i) => (i < 10 ? '银行' : '传媒'))
    expect(await labelsOf('stk_industry_1')).toEqual(['传媒', '银行'])
    expect(await labelsOf('stk_area')).toEqual([])
    await bring((i) => (i < 10 ? '银行' : '煤炭'))
    expect(await labelsOf('stk_industry_1')).toEqual(['煤炭', '银行'])
  })
})

async function bring(industry: (stock: number) => string) {
  const rows = stockRows().map((row) => ({ ...row, 行业: industry(Number(String(row['ts_code']).slice(0, 6)) - 600001) }))
  const fields = Object.fromEntries(['close', 'open', 'high', 'low'].map((key) => [key, key]))
  const mapping = { code: 'ts_code', date: 'trade_date', adjust: 'raw', attributes: { industry_1: '行业' }, fields }
  const { dataDir, database } = here
  const file = join(dataDir, 'stk.csv')
  const mappingFile = join(dataDir, 'mapping.json')
  await Promise.all([writeFile(file, csv(rows)), writeFile(mappingFile, JSON.stringify(mapping))])
  const report = await importMarket({ kind: 'stk', paths: [file], dataDir, db: database.db, mapping: mappingFile })
  expect(report.text).toMatch(/已导入/)
}
