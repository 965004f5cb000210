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
    hasBar: new Set<string>(),
  }
  const deps = { chain: chain([bars], () => 0), dataDir, signal: new AbortController().signal }
  const { kept } = await gather(deps, 'stk', 'quotes', known)
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
    hasBar: new Set<string>(),
    closeBefore: () => Number.NaN,
  }
  const gathered = await gather({ chain: chain(feeds, () => 0), dataDir, signal: new AbortController().signal }, 'stk', 'quotes', asked)
  expect(gathered.waits).toBeNull()
  expect(gathered.notes).toEqual(notes.map((note) => expect.stringMatching(note)))
  expect(gathered.kept).toHaveLength(1)
  expect(readdirSync(join(dataDir, 'raw'))).toEqual(expect.arrayContaining(feeds.map(({ name }) => name)))
})

test('a list is held against the last one of its own source: one without an exchange is short once, one that loses as many is short', async () => {
  const codesFrom = (first: number, count: number, exchange: string) =>
    Array.from({ length: count }, (_, i) => `${String(first + i).padStart(6, '0')}.${exchange}`)
  const [inland, beijing] = [codesFrom(600_001, 180, 'SH'), codesFrom(920_001, 20, 'BJ')]
  const row = (code: string) => ({ code, name: code, industry: null, listed: '2010-01-04', delisted: null })
  const folder = mkdtempSync(join(tmpdir(), 'lists-'))
  /** Whether the list of a day with these codes is taken; if not, the note on it. */
  const listOn = async (on: string, given: readonly string[]) => {
    const bars = { date: on, codes: ['600001.SH'], columns: new Map([['close', Float64Array.of(10)]]) }
    const feed: Feed = {
      name: 'baostock',
      label: '证券宝',
      offers: { 'stock-day': async () => bars, 'stock-list': async () => given.map(row) },
    }
    const known = {
      ...{ day: on, codes: [...inland, ...beijing], repriced: () => [], parts: null, askedAt: new Date(0), answers: {} },
      ...{
        hasNames: true,
        isFirst: false,
        statementsFrom: on,
        hasBar: new Set<string>(),
        isKnown: () => true,
        closeBefore: () => Number.NaN,
      },
    }
    // Another process: nothing is remembered but what is on the disk.
    const deps = { chain: chain([feed], () => 0), dataDir: folder, signal: new AbortController().signal }
    const { kept, notes } = await gather(deps, 'stk', 'quotes', known)
    return kept.some(({ need }) => need === 'stock-list') ? 'taken' : notes.find((note) => note.includes('列表'))
  }
  const short = (count: number) => `股票列表：证券宝的列表缺少 ${count} 只前一交易日还在上市的证券，未采用`
  try {
    expect(await listOn('2024-06-17', inland)).toBe(short(20))
    // Asked again on the same day it is compared with the store as before.
    expect(await listOn('2024-06-17', inland)).toBe(short(20))
    expect(await listOn('2024-06-18', inland)).toBe('taken')
    expect(await listOn('2024-06-19', inland.slice(0, -11))).toBe(short(11))
    expect(await listOn('2024-06-20', [...inland, ...beijing])).toBe('taken')
    expect(await listOn('2024-06-21', inland)).toBe(short(20))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
