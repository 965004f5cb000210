import { carryForward, markets, type Panel } from '@convexa/engine'
import { BrokenSnapshot } from './column-file.ts'
import { type Manifest, readBenchmark, readColumn, readDates, readManifest, readMask, readReports, readSecurities } from './store.ts'

/**
 * Loads a market's snapshot: the asked columns in shared memory (post the Panel to threads, nothing is copied), checksums verified,
 * price-like fields carried forward inside listing windows, and the market's benchmarks: its own series and those of the index
 * snapshot at the market's days, NaN where an index has no value that day.
 * Of the published statements just the items asked for.
 * A field that the snapshot lacks is left out of `columns`; a file that is missing or changed throws BrokenSnapshot.
 */
export async function loadPanel(snapshotPath: string, indexSnapshotPath: string | null, fields: Iterable<string> | 'all'): Promise<Panel> {
  const manifest = await readManifest(snapshotPath)
  const { kind } = manifest
  if (kind === 'index') throw new BrokenSnapshot(`not a market: ${snapshotPath}`)
  const wanted = fields === 'all' ? null : new Set(fields)
  const [dates, securities, listed, traded] = await Promise.all([
    readDates(snapshotPath, manifest),
    readSecurities(snapshotPath, manifest),
    readMask(snapshotPath, manifest, 'listed'),
    readMask(snapshotPath, manifest, 'traded'),
  ])
  const carried = new Set(markets[kind].fields.filter((field) => field.carry).map((field) => field.key))
  const columns = new Map<string, Float64Array>()
  await Promise.all(
    manifest.fields
      .filter((field) => wanted === null || wanted.has(field.key))
      .map(async (field) => {
        const carry = (column: Float64Array, from: number, rows: number) => carryForward(column, listed, rows, manifest.stride, from)
        columns.set(field.key, await readColumn(snapshotPath, manifest, field, carried.has(field.key) ? carry : undefined))
      }),
  )
  const reports = await readReports(snapshotPath, manifest, (item) => wanted === null || wanted.has(item))
  return {
    kind,
    dates,
    securities,
    stride: manifest.stride,
    // In the manifest's order, whichever file was read first.
    columns: new Map(manifest.fields.flatMap(({ key }) => (columns.has(key) ? [[key, columns.get(key)!]] : []))),
    listed,
    traded,
    ...(reports && { reports }),
    benchmarks: await benchmarksOf(snapshotPath, manifest, dates, indexSnapshotPath),
    dataMode: manifest.data_mode,
    dataVersion: manifest.data_version,
  }
}

async function benchmarksOf(
  folder: string,
  manifest: Manifest,
  dates: readonly string[],
  indexFolder: string | null,
): Promise<Map<string, Float64Array>> {
  const benchmarks = new Map<string, Float64Array>()
  for (const code of manifest.benchmarks) benchmarks.set(code, await readBenchmark(folder, manifest, code))
  if (indexFolder === null) return benchmarks
  const index = await readManifest(indexFolder)
  // Within a market never a mixture of demo and real numbers.
  if ((index.data_mode === 'demo') !== (manifest.data_mode === 'demo')) return benchmarks
  const close = index.fields.find((field) => field.key === 'close')
  if (close === undefined) return benchmarks
  const [cells, codes, indexDates] = await Promise.all([
    readColumn(indexFolder, index, close),
    readSecurities(indexFolder, index),
    readDates(indexFolder, index),
  ])
  const rowOf = new Map(indexDates.map((date, row) => [date, row]))
  codes.forEach(({ code }, i) => {
    const series = new Float64Array(new SharedArrayBuffer(dates.length * 8))
    dates.forEach((date, t) => {
      const row = rowOf.get(date)
      series[t] = row === undefined ? Number.NaN : cells[row * index.stride + i]!
    })
    benchmarks.set(code, series)
  })
  return benchmarks
}
