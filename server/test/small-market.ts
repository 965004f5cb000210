import type { MarketId } from '@convexa/contract'
import { type BondTerms, equalWeight, type Security, unknownTerms } from '@convexa/engine'
import type { Kysely } from 'kysely'
import { claimDataDir } from '../src/base/data-dir.ts'
import type { Database } from '../src/db/tables.ts'
import { tradingDays } from '../src/market/calendar.ts'
import { publish, type Snapshot } from '../src/market/snapshot.ts'
import { type MarketTable, type StoredColumn, strideFor } from '../src/market/store.ts'

export interface SmallMarket {
  readonly kind: MarketId
  readonly from: string
  readonly to: string
  readonly securities: number
  readonly seed?: number
  /** Codes and boards as the exchanges have them, all of them made up. */
  readonly real?: boolean
  /** Bonds that may be called: of the first eight days of fifteen are counted, the second was called on the last day. */
  readonly calls?: boolean
  /** Last trading day of the first security, public from the first day on. */
  readonly lastDay?: string
  /** What its prices are said to be; 'raw' unless told. */
  readonly adjust?: 'raw' | 'hfq'
  /** Names of the files that it is said to come of. */
  readonly files?: readonly string[]
  /** Made by an importer of before. */
  readonly isOlder?: boolean
}

/** Publishes a small made-up market: random walks of a close, and what a double-low rule reads. Deterministic by its seed. */
export async function publishSmallMarket(db: Kysely<Database>, dataDir: string, given: SmallMarket): Promise<Snapshot> {
  claimDataDir(dataDir)
  const source = { preset: 'test', files: (given.files ?? []).map((name) => ({ name, bytes: 1, sha256: name })) }
  const table = smallMarket(given)
  const quality = {
    rows: table.dates.length * given.securities,
    listedRows: table.dates.length * given.securities,
    securities: given.securities,
    firstDate: table.dates[0]!,
    lastDate: table.dates.at(-1)!,
    adjust: given.adjust ?? 'raw',
    preset: 'test',
    source: [],
    quarantined: 0,
    findings: [],
    notes: [],
  }
  return (
    await publish({
      db,
      dataDir,
      table,
      mode: given.real ? 'imported' : 'demo',
      adjust: given.adjust ?? 'raw',
      source,
      quality,
      ...(given.isOlder && { reading: { importer: null } }),
    })
  ).snapshot
}

function smallMarket({ kind, from, to, securities: count, seed = 1, real = false, calls = false, lastDay }: SmallMarket): MarketTable {
  const dates = tradingDays(from, to)
  const stride = strideFor(count)
  const random = generator(seed)
  const cells = () => new Float64Array(dates.length * stride).fill(Number.NaN)
  const [close, open, prem, size] = [cells(), cells(), cells(), cells()]
  const [stock, conversion, status] = [cells(), cells(), cells()]
  const listed = new Uint8Array(close.length)
  const traded = new Uint8Array(close.length)
  for (let i = 0; i < count; i++) {
    let price = 100 + 20 * random()
    for (let t = 0; t < dates.length; t++) {
      const at = t * stride + i
      open[at] = round(price * (1 + 0.01 * (random() - 0.5)))
      price *= 1 + 0.04 * (random() - 0.495)
      close[at] = round(price)
      prem[at] = round(0.6 * random())
      size[at] = 1 + (i % 10)
      listed[at] = traded[at] = 1
    }
  }
  if (calls) {
    for (let at = 0; at < close.length; at++) if (traded[at]) [stock[at], conversion[at], status[at]] = [10, 10, 0]
    for (let t = dates.length - 8; t < dates.length; t++) stock[t * stride] = 13
    status[(dates.length - 1) * stride + 1] = 3
  }
  const column = (values: Float64Array): StoredColumn => ({ store: 'f64', cells: values, origin: 'model' })
  const called = calls ? { close_stk: stock, conv_price: conversion, call_status: status } : {}
  const columns = kind === 'cb' ? { close, open, conv_prem: prem, remain_size: size, ...called } : { close, open, total_mv: size }
  return {
    kind,
    dates,
    securities: Array.from({ length: count }, (_, i) => ({
      ...security(kind, i, dates, real),
      ...(calls && { terms: termsFrom(dates[0]!) }),
      ...(lastDay !== undefined && i === 0 && { lastDay, lastDayKnown: dates[0]! }),
    })),
    stride,
    columns: new Map(Object.entries(columns).map(([key, values]) => [key, column(values)])),
    listed,
    traded,
    benchmarks: new Map([[`${kind}_ew`, equalWeight(close, traded, listed, dates.length, stride)]]),
  }
}

/** First codes that no exchange has given out, with their boards; securities take them in turn. */
const realCodes = {
  cb: [
    [110_901, 'SH', 'SSE_MAIN'],
    [123_901, 'SZ', 'CHINEXT'],
  ],
  stk: [
    [1, 'SZ', 'SZSE_MAIN'],
    [688_901, 'SH', 'STAR'],
    [839_901, 'BJ', 'BSE'],
    [609_901, 'SH', 'SSE_MAIN'],
  ],
} as const

function codeOf(kind: MarketId, i: number, real: boolean): Pick<Security, 'code' | 'board'> {
  if (!real) return { code: `${String((kind === 'cb' ? 900_001 : 800_001) + i)}.DM`, board: 'SZSE_MAIN' }
  const [first, market, board] = realCodes[kind][i % realCodes[kind].length]!
  return { code: `${String(first + Math.floor(i / realCodes[kind].length)).padStart(6, '0')}.${market}`, board }
}

const security = (kind: MarketId, i: number, dates: readonly string[], real: boolean): Security => ({
  ...codeOf(kind, i, real),
  name: `演示${i + 1}`,
  pinyin: `ys${i + 1}`,
  listed: dates[0]!,
  delisted: null,
  lastDay: null,
  lastDayKnown: null,
  redemptionPrice: null,
  issuer: `S${i}`,
  attributes: {},
})

const termsFrom = (conversionStart: string): BondTerms => ({
  ...unknownTerms,
  ...{ conversionStart, redeem: { days: 15, window: 30, trigger: 1.3 } },
})

const round = (value: number): number => Math.round(value * 1_000) / 1_000

/** xorshift32 in [0, 1). */
function generator(seed: number): () => number {
  let state = seed * 2_654_435_761 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
