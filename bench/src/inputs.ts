/**
 * The panels that ours and the peers read: raw files of doubles, day-major and dense, so that both read the same bytes.
 *
 *   panel.json                 days, codes, fields, SHA-256 of all files together
 *   close.f64 …                one field
 *   listed.u8, traded.u8
 *   industry_1.i32 …           a group's number for each security
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { equalWeight, type Panel, type Security } from '@convexa/engine'
import { loadPanel } from '@convexa/server/market/panels'
import { strideFor } from '@convexa/server/market/store'
import { chance } from '../../engine/test/fixtures/chance.ts'
import { sharedIsThere, snapshots } from './reference-data.ts'

export interface Input {
  readonly name: string
  readonly about: string
  readonly folder: string
  readonly dates: readonly string[]
  readonly codes: readonly string[]
  readonly fields: readonly string[]
  /** Of all files together, in the order of their names. */
  readonly sha256: string
}

export const groupKeys = ['industry_1', 'industry_2', 'industry_3'] as const
const groupCounts = { industry_1: 31, industry_2: 131, industry_3: 336 } as const
export const store = fileURLToPath(new URL('../.store', import.meta.url))

interface Made {
  readonly dates: readonly string[]
  readonly codes: readonly string[]
  readonly columns: Readonly<Record<string, Float64Array>>
  readonly listed: Uint8Array
  readonly traded: Uint8Array
}

/** A random walk: prices to the cent, so that some are equal; all listed and traded on all days. */
export function randomWalk(days: number, securities: number): Promise<Input> {
  return input(`random-${securities}x${days}`, `random walk, ${securities} securities × ${days} days, seed 1`, () =>
    walked(days, securities),
  )
}

export function walked(days: number, securities: number): Made {
  const column = () => new Float64Array(days * securities)
  const columns = { open: column(), high: column(), low: column(), close: column(), vol: column(), amount: column(), total_mv: column() }
  const luck = chance(1)
  const cents = (value: number) => Math.max(1, Math.round(value * 100)) / 100
  const normal = () => Math.sqrt(-2 * Math.log(1 - luck.next())) * Math.cos(2 * Math.PI * luck.next())
  for (let i = 0; i < securities; i++) {
    let price = 5 + luck.next() * 95
    const usual = 10 ** (5 + 2 * luck.next())
    const shares = 1 + luck.next() * 50
    for (let t = 0; t < days; t++) {
      const cell = t * securities + i
      const open = cents(price * (1 + 0.005 * normal()))
      price *= 1 + 0.02 * normal()
      const close = cents(price)
      columns.open[cell] = open
      columns.close[cell] = close
      columns.high[cell] = cents(Math.max(open, close) * (1 + 0.01 * luck.next()))
      columns.low[cell] = cents(Math.min(open, close) * (1 - 0.01 * luck.next()))
      columns.vol[cell] = 100 * Math.max(1, Math.round((usual * Math.exp(0.5 * normal())) / 100))
      const mean = columns.low[cell] + (columns.high[cell] - columns.low[cell]) * luck.next()
      columns.amount[cell] = Math.round(columns.vol[cell] * mean) / 10_000
      columns.total_mv[cell] = Math.round(close * shares * 100) / 100
    }
  }
  const whole = new Uint8Array(days * securities).fill(1)
  return { dates: weekdays(days), codes: codesOf(securities), columns, listed: whole, traded: whole }
}

/** All A shares of the reference data; null without them. */
export async function aShares(): Promise<Input | null> {
  if (!sharedIsThere) return null
  return await input('a-shares', 'A shares, forward-adjusted; market values and industries are made up', async () => {
    const { stk } = await snapshots()
    const panel = await loadPanel(stk.snapshot, null, ['open', 'high', 'low', 'close', 'vol', 'amount'])
    const count = panel.securities.length
    const dense = (column: Float64Array) => {
      const cells = new Float64Array(panel.dates.length * count)
      for (let t = 0; t < panel.dates.length; t++) cells.set(column.subarray(t * panel.stride, t * panel.stride + count), t * count)
      return cells
    }
    const mask = (cells: Uint8Array) => Uint8Array.from(dense(Float64Array.from(cells)))
    const columns = Object.fromEntries([...panel.columns].map(([key, column]) => [key, dense(column)]))
    const shares = chance(2)
    const issued = Float64Array.from({ length: count }, () => 1 + shares.next() * 50)
    columns.total_mv = columns.close!.map((price, cell) => price * issued[cell % count]!)
    return {
      dates: panel.dates,
      codes: panel.securities.map(({ code }) => code),
      columns,
      listed: mask(panel.listed),
      traded: mask(panel.traded),
    }
  })
}

async function input(name: string, about: string, make: () => Made | Promise<Made>): Promise<Input> {
  const folder = join(store, 'inputs', name)
  const page = join(folder, 'panel.json')
  if (!existsSync(page)) {
    process.stderr.write(`making ${name} …\n`)
    await writeInput(folder, name, about, await make())
  }
  return await readInput(folder)
}

export async function readInput(folder: string): Promise<Input> {
  return { ...JSON.parse(await readFile(join(folder, 'panel.json'), 'utf8')), folder }
}

/** Written aside and renamed, so that a folder that is there is whole. */
export async function writeInput(
  folder: string,
  name: string,
  about: string,
  { dates, codes, columns, listed, traded }: Made,
): Promise<void> {
  const aside = `${folder}.new`
  await rm(aside, { recursive: true, force: true })
  await mkdir(aside, { recursive: true })
  const hash = createHash('sha256')
  const keep = async (file: string, cells: Float64Array | Int32Array | Uint8Array) => {
    const bytes = new Uint8Array(cells.buffer, cells.byteOffset, cells.byteLength)
    hash.update(bytes)
    await writeFile(join(aside, file), bytes)
  }
  for (const [key, cells] of Object.entries(columns)) await keep(`${key}.f64`, cells)
  await keep('listed.u8', listed)
  await keep('traded.u8', traded)
  const luck = chance(3)
  for (const key of groupKeys) {
    await keep(
      `${key}.i32`,
      Int32Array.from(codes, () => luck.below(groupCounts[key])),
    )
  }
  const page = { name, about, dates, codes, fields: Object.keys(columns), sha256: hash.digest('hex') }
  await writeFile(join(aside, 'panel.json'), JSON.stringify(page))
  await rm(folder, { recursive: true, force: true })
  await rename(aside, folder)
}

/** The panel as the engine reads it: rows padded for new listings, in shared memory. */
export async function readPanel(folder: string): Promise<Panel> {
  const { name, dates, codes, fields }: Input = JSON.parse(await readFile(join(folder, 'panel.json'), 'utf8'))
  const count = codes.length
  const stride = strideFor(count)
  const bytes = async (file: string) => {
    const { buffer, byteOffset, byteLength } = await readFile(join(folder, file))
    return buffer.slice(byteOffset, byteOffset + byteLength)
  }
  const f64 = async (key: string) => {
    const cells = new Float64Array(await bytes(`${key}.f64`))
    const column = new Float64Array(new SharedArrayBuffer(dates.length * stride * 8)).fill(Number.NaN)
    for (let t = 0; t < dates.length; t++) column.set(cells.subarray(t * count, (t + 1) * count), t * stride)
    return column
  }
  const u8 = async (key: string) => {
    const cells = new Uint8Array(await bytes(`${key}.u8`))
    const mask = new Uint8Array(new SharedArrayBuffer(dates.length * stride))
    for (let t = 0; t < dates.length; t++) mask.set(cells.subarray(t * count, (t + 1) * count), t * stride)
    return mask
  }
  const groups = await Promise.all(groupKeys.map(async (key) => new Int32Array(await bytes(`${key}.i32`))))
  const securities = securitiesOf(codes, (key, i) => groups[groupKeys.indexOf(key)]![i]!)
  return {
    kind: 'stk',
    dates,
    securities,
    stride,
    columns: new Map(await Promise.all(fields.map(async (key) => [key, await f64(key)] as const))),
    listed: await u8('listed'),
    traded: await u8('traded'),
    benchmarks: new Map(),
    dataMode: 'demo',
    dataVersion: name,
  }
}

/** The same with the benchmark that a run of stocks needs. */
export async function readMarket(folder: string): Promise<Panel> {
  const panel = await readPanel(folder)
  const { dates, stride, traded, listed } = panel
  return { ...panel, benchmarks: new Map([['stk_ew', equalWeight(panel.columns.get('close')!, traded, listed, dates.length, stride)]]) }
}

/** A panel of independent random doubles, 1 % of them absent, in two fields. */
export function randomCells(days: number, securities: number): Panel {
  const stride = strideFor(securities)
  const luck = chance(5)
  const column = () => {
    const cells = new Float64Array(new SharedArrayBuffer(days * stride * 8)).fill(Number.NaN)
    for (let t = 0; t < days; t++) {
      for (let i = 0; i < securities; i++) cells[t * stride + i] = luck.next() < 0.01 ? Number.NaN : luck.next() * 100 - 20
    }
    return cells
  }
  const whole = new Uint8Array(days * stride).fill(1)
  return {
    kind: 'stk',
    dates: weekdays(days),
    securities: securitiesOf(codesOf(securities), (key) => luck.below(groupCounts[key])),
    stride,
    columns: new Map([
      ['close', column()],
      ['open', column()],
    ]),
    listed: whole,
    traded: whole,
    benchmarks: new Map(),
    dataMode: 'demo',
    dataVersion: 'random cells',
  }
}

/** A column as bytes, without the room for new listings. */
export function dense({ dates, securities, stride }: Panel, column: Float64Array): Uint8Array {
  const count = securities.length
  const cells = new Float64Array(dates.length * count)
  for (let t = 0; t < dates.length; t++) cells.set(column.subarray(t * stride, t * stride + count), t * count)
  return new Uint8Array(cells.buffer)
}

/** Moves one day of a panel by about a billionth, another each turn, so that no answer can be remembered; answers how to put it back. */
export function moveOneDay(panel: Panel, turn: number): () => void {
  const from = dayMoved(panel.dates.length, turn) * panel.stride
  const factor = 1 + (turn + 1) * 1e-9
  const kept = [...panel.columns.values()].map((column) => {
    const cells = column.slice(from, from + panel.stride)
    for (let i = 0; i < panel.stride; i++) column[from + i]! *= factor
    return { column, cells }
  })
  return () => {
    for (const { column, cells } of kept) column.set(cells, from)
  }
}

/** The same of the closes alone, where nothing else is ranked by. */
export function moveCloses(panel: Panel, turn: number): () => void {
  return moveOneDay({ ...panel, columns: new Map([['close', panel.columns.get('close')!]]) }, turn)
}

/** Runs steps to their end. */
export function finish<T>(steps: Generator<unknown, T>): T {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** Early enough to be in most windows. The peers in Python do the same sum. */
const dayMoved = (days: number, turn: number): number => Math.max(0, days - 20 - (turn % 10))

export const codesOf = (count: number): string[] => Array.from({ length: count }, (_, i) => `${600_000 + i}.SH`)

export function securitiesOf(codes: readonly string[], groupOf: (key: (typeof groupKeys)[number], i: number) => number): Security[] {
  return codes.map((code, i) => ({
    code,
    name: code,
    pinyin: '',
    board: 'SSE_MAIN',
    listed: null,
    delisted: null,
    lastDay: null,
    lastDayKnown: null,
    redemptionPrice: null,
    issuer: code,
    attributes: Object.fromEntries(groupKeys.map((key) => [key, `${key} ${groupOf(key, i)}`])),
  }))
}

export function weekdays(count: number): string[] {
  const dates: string[] = []
  for (let day = Date.UTC(2022, 0, 3); dates.length < count; day += 86_400_000) {
    const date = new Date(day)
    if (date.getUTCDay() % 6 !== 0) dates.push(date.toISOString().slice(0, 10))
  }
  return dates
}
