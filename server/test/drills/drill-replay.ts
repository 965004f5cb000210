/**
 * `npm run drill:replay`: a recorded year of stocks (../shared/data) given to ingestion day by day, beside one import of the whole file. Laid out
 * alike, both are the same bytes, file by file.
 */
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from '../../src/db/connect.ts'
import { openEmbedded } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { ingest } from '../../src/feeds/ingest/ingest.ts'
import type { DayTable } from '../../src/feeds/rows.ts'
import { ownBenchmarks } from '../../src/market/benchmark.ts'
import { readStored } from '../../src/market/import/merge-into-market.ts'
import { presetFor } from '../../src/market/import/presets.ts'
import { readRows } from '../../src/market/import/read-rows.ts'
import { openSource } from '../../src/market/import/source-file.ts'
import { importMarket } from '../../src/market/import.ts'
import { newestSnapshot, type Snapshot } from '../../src/market/snapshot.ts'
import { type MarketTable, type StoredColumn, strideFor, writeStore } from '../../src/market/store.ts'
import { openFigures } from '../fixtures/figures.ts'
import { scriptedChain } from '../stand-ins/scripted-feed.ts'
import { readDrillOptions, skipDrill } from './drill-options.ts'

// Under a minute: `--quick` leaves nothing out.
readDrillOptions({})

const recorded = fileURLToPath(new URL('../../../../shared/data/a_share_2024_raw_adj/daily_raw_adj.parquet', import.meta.url))
if (!existsSync(recorded)) skipDrill('行情数据 ../shared/data/a_share_2024_raw_adj 不在，这项演练需要它')
const figures = openFigures()
const dataDir = await mkdtemp(join(tmpdir(), 'convexa-replay-'))
const postgres = await openEmbedded(dataDir, 'command')
const { db, close } = connect(postgres.connectionString, { max: 4 })
try {
  await migrate(db)
  // Without the tables beside it, which know more than a source of bars does.
  await mkdir(join(dataDir, 'file'))
  const path = join(dataDir, 'file', 'daily.parquet')
  await copyFile(recorded, path)
  const report = await importMarket({ kind: 'stk', paths: [path], dataDir, db })
  console.log(report.text)
  const bulk = await laidOut(report.snapshot!)
  await db.deleteFrom('market_snapshot').execute()

  const days = await daysOf(path)
  const dates = [...days.keys()].sort()
  const none = (date: string): DayTable => ({ date, codes: [], columns: new Map() })
  const chain = scriptedChain({ 'stock-day': async ({ date }) => days.get(date) ?? none(date) })
  const since = performance.now()
  const done = await ingest(
    { db, dataDir, chain, signal: new AbortController().signal },
    { through: dates.at(-1)!, from: dates[0]!, kinds: ['stk'] },
  )
  const seconds = (performance.now() - since) / 1000
  const found = done.filter(({ text }) => text.includes('\n')).map(({ text }) => text)
  for (const text of found.slice(0, 5)) console.log(text)
  figures.fact('took', `${seconds.toFixed(1)} s, something was told of ${found.length} results`)
  const replayed = await laidOut((await newestSnapshot(db, 'stk'))!)

  const names = new Set([...Object.keys(bulk.files), ...Object.keys(replayed.files)])
  const other = [...names].filter(
    (name) => bulk.files[name]?.crc32 !== replayed.files[name]?.crc32 || bulk.files[name]?.bytes !== replayed.files[name]?.bytes,
  )
  const ingested = done.filter(({ state }) => state === 'published').length
  figures.goal('days ingested', String(ingested), String(dates.length), ingested === dates.length)
  figures.none(`of ${names.size} files, other bytes than those of one import`, other)
} finally {
  await close()
  await postgres.close()
  await rm(dataDir, { recursive: true, force: true })
}
process.exit(figures.end())

/** A snapshot with the room that one import of all of it would leave for new listings. */
async function laidOut(snapshot: Snapshot) {
  const { dates, securities, columns, listed, traded, manifest } = await readStored(dataDir, snapshot)
  const stride = strideFor(securities.length)
  const laid = <C extends Float64Array | Uint8Array>(out: C, cells: ArrayLike<number>): C => {
    for (let t = 0; t < dates.length; t++) for (let i = 0; i < securities.length; i++) out[t * stride + i] = cells[t * manifest.stride + i]!
    return out
  }
  const size = dates.length * stride
  const stores = new Map(manifest.fields.map(({ key, store }) => [key, store]))
  const table: Omit<MarketTable, 'benchmarks'> = {
    kind: 'stk',
    dates,
    securities,
    stride,
    columns: new Map(
      [...columns].map(([key, cells]): [string, StoredColumn] => [
        key,
        { store: stores.get(key)!, cells: laid(new Float64Array(size).fill(Number.NaN), cells), origin: 'file' },
      ]),
    ),
    listed: laid(new Uint8Array(size), listed),
    traded: laid(new Uint8Array(size), traded),
  }
  const folder = await mkdtemp(join(dataDir, 'laid-'))
  const about = { mode: 'imported', adjust: 'raw', source: manifest.source } as const
  const { manifest: made } = await writeStore(folder, { ...table, benchmarks: ownBenchmarks(table) }, about)
  return made
}

/** The file's rows by day, in our units. */
async function daysOf(path: string): Promise<Map<string, DayTable>> {
  const file = await openSource(path)
  const preset = presetFor('stk', file.columns)!
  const rows = await readRows('stk', [file], preset.mapping, preset, () => {})
  const byDay = new Map<string, number[]>()
  for (let row = 0; row < rows.count; row++) {
    const date = rows.dates[rows.date[row]!]!
    const list = byDay.get(date)
    if (list) list.push(row)
    else byDay.set(date, [row])
  }
  const codeOf = (row: number) => rows.codes[rows.code[row]!]!
  return new Map(
    [...byDay].map(([date, list]) => {
      const sorted = list.sort((a, b) => (codeOf(a) < codeOf(b) ? -1 : 1))
      const columns = new Map([...rows.fields].map(([key, cells]) => [key, Float64Array.from(sorted, (row) => cells[row]!)]))
      return [date, { date, codes: sorted.map(codeOf), columns }]
    }),
  )
}
