import type { Security } from '@convexa/engine'
import { tradingDays } from '../src/market/calendar.ts'
import type { SnapshotKind } from '../src/market/manifest.ts'
import { type MarketTable, strideFor } from '../src/market/store.ts'

/**
 * A handful of securities over two months across a year's end, for tests of the store: security 0 is suspended on day 3, security 1
 * is listed from day 3 on and has cells before, `pb` is empty inside listing windows. `shift` makes other data of the same shape.
 */
export function smallTable(kind: SnapshotKind, given: { shift?: number; dates?: readonly string[] } = {}): MarketTable {
  const { shift = 0, dates = tradingDays('2023-12-01', '2024-01-31') } = given
  const codes = kind === 'index' ? ['000300'] : ['113001.SH', '123002.SZ', '127003.SZ']
  const stride = strideFor(codes.length)
  const cells = (make: (t: number, i: number) => number) =>
    Float64Array.from({ length: dates.length * stride }, (_, at) =>
      at % stride < codes.length ? make(Math.floor(at / stride), at % stride) : Number.NaN,
    )
  const suspended = (t: number, i: number) => kind !== 'index' && i === 0 && t === 3
  const before = (t: number, i: number) => i === 1 && t < 3
  const mask = (of: (t: number, i: number) => boolean) =>
    Uint8Array.from(
      cells((t, i) => (of(t, i) ? 1 : 0)),
      (flag) => flag || 0,
    )
  const price = (t: number, i: number) => 100 + i + Math.sin(t + shift) / 3
  const column = (store: 'f64' | 'f32', make: (t: number, i: number) => number) => ({ store, cells: cells(make), origin: 'file' }) as const
  return {
    kind,
    dates,
    securities: codes.map(security),
    stride,
    columns: new Map([
      ['close', column('f64', (t, i) => (suspended(t, i) ? Number.NaN : price(t, i)))],
      ['open', column('f64', (t, i) => (suspended(t, i) ? Number.NaN : price(t, i) - 0.1))],
      ['vol', column('f32', (t, i) => 1_000.1 * (t + 1) + i)],
      ['pb', column('f32', (t, i) => (before(t, i) ? 1 : Number.NaN))],
    ]),
    listed: mask((t, i) => !before(t, i)),
    traded: mask((t, i) => !before(t, i) && !suspended(t, i)),
    benchmarks: kind === 'index' ? new Map() : new Map([[`${kind}_ew`, Float64Array.from(dates, (_, t) => 1_000 + t + shift)]]),
  }
}

const security = (code: string): Security => ({
  code,
  name: code,
  pinyin: code,
  board: 'SZSE_MAIN',
  listed: null,
  delisted: null,
  lastDay: null,
  lastDayKnown: null,
  redemptionPrice: null,
  issuer: code,
  attributes: {},
})
