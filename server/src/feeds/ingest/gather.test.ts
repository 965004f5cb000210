import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chain } from '../chain.ts'
import type { Feed } from '../feed.ts'
import { gather } from './gather.ts'

const day = '2024-06-18'
let dataDir: string
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'gather-'))
})
afterAll(() => rmSync(dataDir, { recursive: true }))

const source = (name: string, close: number): Feed => ({
  name,
  label: name,
  offers: {
    'stock-day': async (_, { keep }) => {
      keep?.({ what: `${name} day`, bytes: Buffer.from(String(close)) })
      return { date: day, codes: ['000001.SZ'], columns: new Map([['close', Float64Array.of(close)]]) }
    },
  },
})

test('bars without a factor: of whose previous close is another than their close before, ex-days are asked', async () => {
  const asked: string[] = []
  const bars: Feed = {
    name: 'baostock',
    label: 'baostock',
    offers: {
      'stock-day': async () => ({
        date: day,
        codes: ['000001.SZ', '000002.SZ', '000003.SZ'],
        columns: new Map([
          ['close', Float64Array.of(10, 20, 30)],
          ['pre_close', Float64Array.of(9.9, 20.1, 30)],
        ]),
      }),
      'ex-days': async ({ codes, date }) => {
        asked.push(...codes)
        return codes.map((code) => ({ code, date }))
      },
    },
  }
  const closes = new Map([
    ['000001.SZ', 10],
    ['000002.SZ', 20.1],
  ])
  const known = {
    day,
    codes: [],
    ...{ repriced: () => [], parts: null, askedAt: new Date(0), answers: {} },
    hasNames: true,
    isFirst: true,
    statementsFrom: day,
    isKnown: () => true,
    closeBefore: (code: string) => closes.get(code) ?? Number.NaN,
  }
  const ground = { chain: chain([bars], () => 0), dataDir, signal: new AbortController().signal }
  const { kept } = await gather(ground, 'stk', 'quotes', known)
  // Of whom no close is known, nothing has stepped.
  expect(asked).toEqual(['000001.SZ'])
  expect(kept.map(({ need }) => need)).toEqual(['stock-day', 'ex-days'])
})

test.each<[string, readonly Feed[], readonly RegExp[]]>([
  ['alone is believed', [source('tushare', 10.08)], [/^股票列表：没有启用/, /^曾用名（ST）：没有启用/]],
  [
    'that another agrees with has nothing to tell',
    [source('tushare', 10.08), source('baostock', 10.08)],
    [/^股票列表：没有启用/, /^曾用名（ST）：没有启用/],
  ],
  [
    'that another contradicts is believed, and the difference told',
    [source('tushare', 10.08), source('baostock', 10.8)],
    [/^tushare 与 baostock 比对 1 处，1 处不同：000001\.SZ 的 close 为 10\.08 与 10\.8$/, /^股票列表：没有启用/, /^曾用名（ST）：没有启用/],
  ],
])('a source %s; what both said is kept', async (_, feeds, notes) => {
  const asked = {
    day,
    codes: [],
    ...{ repriced: () => [], parts: null, askedAt: new Date(0), answers: {} },
    hasNames: true,
    isFirst: true,
    statementsFrom: day,
    isKnown: () => true,
    closeBefore: () => Number.NaN,
  }
  const gathered = await gather({ chain: chain(feeds, () => 0), dataDir, signal: new AbortController().signal }, 'stk', 'quotes', asked)
  expect(gathered.waits).toBeNull()
  expect(gathered.notes).toEqual(notes.map((note) => expect.stringMatching(note)))
  expect(gathered.kept).toHaveLength(1)
  expect(readdirSync(join(dataDir, 'raw'))).toEqual(expect.arrayContaining(feeds.map(({ name }) => name)))
})
