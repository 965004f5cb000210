import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('no source is on until the operator names it', () => {
  const reading = readConfig({})
  expect(reading.ok && reading.config.feeds).toMatchObject({
    on: [],
    tushare: { url: 'http://api.tushare.pro', token: '', perMinute: 200 },
    baostock: { host: 'public-api.baostock.com', port: 10_030 },
    file: { folder: null },
  })
})

test('names in any order and case, each with what it needs', () => {
  const reading = readConfig({
    ...{ FEEDS: 'Tencent, tushare,jisilu', TUSHARE_TOKEN: 'token', TUSHARE_PER_MINUTE: '500', TENCENT_URL: 'http://127.0.0.1:9/' },
    ...{ JISILU_COOKIE: 'a=b; c=d', BAOSTOCK_ADDRESS: '127.0.0.1:10030' },
  })
  expect(reading.ok && reading.config.feeds).toMatchObject({
    on: ['tushare', 'tencent', 'jisilu'],
    tushare: { token: 'token', perMinute: 500 },
    tencent: { url: 'http://127.0.0.1:9' },
    baostock: { host: '127.0.0.1', port: 10_030 },
  })
})

test.each([
  [
    { FEEDS: 'tushare,yahoo', TUSHARE_TOKEN: 'x' },
    '环境变量 FEEDS 需为 tushare、baostock、eastmoney、tencent、sina、jisilu、xtdata、file 中的若干个，以逗号分隔，现在有“yahoo”',
  ],
  [{ FEEDS: 'tushare' }, '环境变量 FEEDS 启用了 tushare，还需设置 TUSHARE_TOKEN'],
  [{ FEEDS: 'jisilu' }, '环境变量 FEEDS 启用了 jisilu，还需设置 JISILU_COOKIE'],
  [{ FEEDS: 'file' }, '环境变量 FEEDS 启用了 file，还需设置 FEED_FOLDER'],
  [{ FEEDS: 'xtdata', XTDATA_KEY: 'canary' }, '环境变量 XTDATA_KEY 需至少 32 个字符'],
  [{ JISILU_COOKIE: 'canary\r\nx: y' }, '环境变量 JISILU_COOKIE 只能有可打印的 ASCII 字符'],
  [{ TUSHARE_URL: 'file:///canary' }, '环境变量 TUSHARE_URL 需为 https:// 或 http:// 开头的地址'],
  [{ BAOSTOCK_ADDRESS: 'x' }, '环境变量 BAOSTOCK_ADDRESS 需为 主机:端口，现在是“x”'],
])('%j is refused in a sentence that repeats no secret', (env, sentence) => {
  const reading = readConfig(env)
  expect(reading).toEqual({ ok: false, problems: [sentence] })
  expect(JSON.stringify(reading)).not.toContain('canary')
})
