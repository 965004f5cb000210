import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { MarketId } from '@convexa/contract'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { carryForward, equalWeight, type Panel } from '../src/panel/panel.ts'
import { security } from './security.ts'

/** The folder beside the repository that holds the reference cases and the real data; not part of the project. */
export const shared = fileURLToPath(new URL('../../../shared', import.meta.url))
export const sharedIsThere = existsSync(`${shared}/reference/README.md`) && existsSync(`${shared}/data`)

type Row = Record<string, unknown>
const date = (value: unknown) => (value as Date).toISOString().slice(0, 10)
const number = (value: unknown) => (value === null || value === undefined ? Number.NaN : Number(value))

async function read(path: string, columns: string[]): Promise<Row[]> {
  return await parquetReadObjects({ file: await asyncBufferFromFile(path), compressors, columns })
}

/** What a row of a file gives, by field. */
interface Reading {
  readonly path: string
  readonly code: string
  readonly date: string
  readonly needs: string[]
  readonly fields: Record<string, (row: Row) => number>
  listed(row: Row): boolean
  traded(row: Row): boolean
  /** The last day listed and traded is the end of a security that is not listed on the file's last day. */
  readonly ends: boolean
}

const readings: Record<MarketId, Reading> = {
  cb: {
    path: 'data/cb_daily_2017_2023/cb_daily.parquet',
    code: 'ts_code',
    date: 'trade_date',
    needs: ['close', 'open', 'conv_prem_pct', 'remain_yi', 'is_listed', 'is_traded'],
    fields: {
      close: (row) => number(row['close']),
      open: (row) => number(row['open']),
      conv_prem: (row) => number(row['conv_prem_pct']) / 100,
      remain_size: (row) => number(row['remain_yi']),
    },
    listed: (row) => row['is_listed'] === true,
    traded: (row) => row['is_traded'] === true,
    ends: true,
  },
  stk: {
    path: 'data/a_share_qfq_2017_2023/all_market_2022_2023.parquet',
    code: 'ts_code',
    date: 'trade_date',
    needs: ['close_e4', 'open_e4', 'amount_yuan'],
    fields: {
      close: (row) => number(row['close_e4']) / 10_000,
      open: (row) => number(row['open_e4']) / 10_000,
      amount: (row) => number(row['amount_yuan']) / 10_000,
    },
    listed: () => true,
    traded: () => true,
    ends: false,
  },
}

/** The panel of a reference case, read as ../shared/reference/README.md says and no further. */
export async function referencePanel(kind: MarketId): Promise<Panel> {
  const reading = readings[kind]
  const rows = await read(`${shared}/${reading.path}`, [reading.code, reading.date, ...reading.needs])
  const dates = [...new Set(rows.map((row) => date(row[reading.date])))].sort()
  const codes = [...new Set(rows.map((row) => String(row[reading.code])))].sort()
  const dayOf = new Map(dates.map((day, t) => [day, t]))
  const indexOf = new Map(codes.map((code, i) => [code, i]))
  const stride = codes.length
  const cells = dates.length * stride
  const listed = new Uint8Array(cells)
  const traded = new Uint8Array(cells)
  const columns = new Map(Object.keys(reading.fields).map((key) => [key, new Float64Array(cells).fill(Number.NaN)]))
  for (const row of rows) {
    if (!reading.listed(row)) continue
    const at = (dayOf.get(date(row[reading.date])) as number) * stride + (indexOf.get(String(row[reading.code])) as number)
    listed[at] = 1
    traded[at] = reading.traded(row) ? 1 : 0
    for (const [key, value] of Object.entries(reading.fields)) (columns.get(key) as Float64Array)[at] = value(row)
  }
  // A missing row inside the window is a suspension.
  const lastDay = new Map<number, string>()
  for (let i = 0; i < stride; i++) {
    let first = -1
    let last = -1
    let lastTraded = -1
    for (let t = 0; t < dates.length; t++) {
      if (listed[t * stride + i] === 0) continue
      if (first < 0) first = t
      last = t
      if (traded[t * stride + i] === 1) lastTraded = t
    }
    const to = reading.ends ? last : dates.length - 1
    if (first >= 0) for (let t = first; t <= to; t++) listed[t * stride + i] = 1
    if (reading.ends && last < dates.length - 1 && lastTraded >= 0) lastDay.set(i, dates[lastTraded])
  }
  for (const key of ['close', 'conv_prem']) {
    const column = columns.get(key)
    if (column) carryForward(column, { listed, traded, stride }, 0, dates.length)
  }
  const close = columns.get('close') as Float64Array
  return {
    kind,
    dates,
    securities: codes.map((code, i) => security({ code, lastDay: lastDay.get(i) ?? null })),
    stride,
    columns,
    listed,
    traded,
    benchmarks: new Map([[`${kind}_ew`, equalWeight(close, traded, listed, dates.length, stride)]]),
    dataMode: 'imported',
    dataVersion: 'reference',
  }
}
