import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ScreenResult } from '@convexa/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { publishSmallMarket } from '../../test/fixtures/market/small-market.ts'
import { parameters } from '../../test/fixtures/requests.ts'
import type { LiveQuotes } from '../feeds/live/quote-store.ts'
import { snapshotPath } from '../market/snapshot.ts'
import { type ComputeChild, computeChild } from './child-handle.ts'
import type { DataFiles } from './protocol.ts'

// The day that is not over, through a real compute child with its threads.

let database: TestDatabase
let dataDir: string
let real: DataFiles
let demo: DataFiles
let child: ComputeChild

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 's3-live-'))
  const publish = async (isReal: boolean): Promise<DataFiles> => {
    const given = { kind: 'cb', from: '2023-11-01', to: '2023-12-28', securities: 60, real: isReal } as const
    const snapshot = await publishSmallMarket(database.db, dataDir, given)
    return {
      kind: 'cb',
      snapshotId: snapshot.id,
      indexSnapshotId: null,
      stockSnapshotId: null,
      folder: snapshotPath(dataDir, snapshot),
      indexFolder: null,
      stockFolder: null,
    }
  }
  demo = await publish(false)
  real = await publish(true)
  child = computeChild({ dataDir, threads: 3, panelMb: 512, headroomMb: 512, hungAfterMs: 60_000, log: () => {} })
})

afterAll(async () => {
  await child.close()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

type Told = ScreenResult

const screen = async (files: DataFiles, over: { live?: boolean; date?: string; factor?: string } = {}): Promise<Told> => {
  const { live = true, date, factor = 'close' } = over
  const input = { parameters: parameters('cb', factor, 5, 5), live, ...(date !== undefined && { date }) }
  const outcome = await child.run({ files, work: { call: 'screen', input } })
  if (!outcome.ok) throw new Error(outcome.message)
  return JSON.parse(new TextDecoder().decode(outcome.value as Uint8Array)) as Told
}

const codes = async (files: DataFiles) => (await screen(files, { live: false })).list_items.map(({ code }) => code).sort()

/** All codes at one price. */
const quotesAt = (seq: number, price: number, known: readonly string[], date = '2023-12-29'): LiveQuotes => {
  const all = (value: number) => new Float64Array(known.length).fill(value)
  const columns = new Map([
    ['close', all(price)],
    ['pre_close', all(price - 1)],
    ['vol', all(10)],
    ['amount', all(1)],
  ] as const)
  return { seq, date, codes: known, columns, quotedAt: `2023-12-29T10:00:${String(seq).padStart(2, '0')}+08:00` }
}

const closes = ({ list_items }: Told) => [...new Set(list_items.map(({ values }) => values['close']))]

test('without quotes, or on demo data, the newest day is the last one of the data', async () => {
  expect(await screen(real)).toMatchObject({ trade_date: '2023-12-28' })
  expect(await screen(real)).toMatchObject({ realtime: false })
  child.tell(quotesAt(1, 101, await codes(demo)))
  expect(await screen(demo)).toMatchObject({ trade_date: '2023-12-28' })
  expect(await screen(demo)).toMatchObject({ realtime: false })
})

test('with quotes it is the day that is not over; who asks for a day, or not for live, gets that of the data', async () => {
  const known = await codes(real)
  child.tell(quotesAt(2, 102, known))
  const live = await screen(real)
  expect(live).toMatchObject({ trade_date: '2023-12-29', data_time: '2023-12-29T10:00:02+08:00', realtime: true })
  expect(closes(live)).toEqual([102])
  expect(closes(await screen(real, { live: false }))).not.toEqual([102])
  // A field that is loaded later is laid too.
  const bySize = await screen(real, { factor: 'formula: close + remain_size' })
  expect(bySize.trade_date).toBe('2023-12-29')
  expect(closes(bySize)).toEqual([102])
  expect(bySize.selected).toBe(5)
})

test('fifty screens while quotes change: each is of one set of quotes', async () => {
  const known = await codes(real)
  const asked: Promise<Told>[] = []
  for (let seq = 3; seq < 13; seq++) {
    child.tell(quotesAt(seq, 100 + seq, known))
    for (let k = 0; k < 5; k++) asked.push(screen(real, { factor: `formula: close + ${k}` }))
    await asked.at(-1)
  }
  const seen = new Set<string>()
  for (const told of await Promise.all(asked)) {
    expect(closes(told)).toHaveLength(1)
    expect(told.data_time).toBe(`2023-12-29T10:00:${String(Number(closes(told)[0]) - 100).padStart(2, '0')}+08:00`)
    seen.add(told.data_time)
  }
  expect(seen.size).toBeGreaterThan(5)
})

test('quotes of a day that the data have are not looked at', async () => {
  child.tell(quotesAt(20, 150, await codes(real), '2023-12-28'))
  expect(await screen(real)).toMatchObject({ realtime: false })
})

test('a child that dies knows the quotes again', async () => {
  child.tell(quotesAt(21, 121, await codes(real)))
  process.kill(child.pid!, 'SIGKILL')
  await expect
    .poll(async () => closes(await screen(real).catch(() => ({ list_items: [] }) as unknown as Told)), { timeout: 60_000 })
    .toEqual([121])
})
