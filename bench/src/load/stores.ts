import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MarketId } from '@convexa/contract'
import type { Manifest } from '@convexa/server/market/manifest'
import { type MarketTable, type StoredColumn, strideFor, writeStore } from '@convexa/server/market/store'
import { chance } from '../../../engine/test/fixtures/chance.ts'
import { codesOf, securitiesOf, store, weekdays } from '../inputs.ts'

/** A made-up market of a true one's size. */
export interface MadeStore {
  readonly kind: MarketId
  readonly folder: string
  readonly fields: readonly string[]
  readonly days: number
  readonly securities: number
  readonly bytes: number
  /** Of the manifest, which holds the checksum of every file. */
  readonly sha256: string
}

interface Shape {
  readonly days: number
  readonly securities: number
  readonly store: 'f64' | 'f32'
  readonly fields: readonly string[]
}

export const shapes: Readonly<Record<MarketId, Shape>> = {
  cb: {
    days: 1336,
    securities: 804,
    store: 'f64',
    fields: ['close', 'open', 'high', 'low', 'pre_close', 'vol', 'amount', 'conv_price', 'remain_size', 'close_stk', 'pure_value'],
  },
  stk: {
    days: 2500,
    securities: 5500,
    store: 'f32',
    fields: ['close', 'open', 'high', 'low', 'pre_close', 'vol', 'amount', 'turnover', 'total_mv', 'circ_mv'],
  },
}

/** The snapshot folder of a made-up market, written once by the server's own store and kept in bench/.store. */
export async function madeStore(kind: MarketId): Promise<MadeStore> {
  const shape = shapes[kind]
  const folder = join(store, 'loads', `${kind}-${shape.securities}x${shape.days}`)
  if (!existsSync(join(folder, 'manifest.json'))) {
    process.stderr.write(`making a market of ${shape.securities} × ${shape.days} …\n`)
    const aside = `${folder}.new`
    await rm(aside, { recursive: true, force: true })
    await mkdir(aside, { recursive: true })
    await writeStore(aside, marketTable(kind, shape), { mode: 'demo', adjust: 'raw', source: { preset: 'bench', files: [] } })
    await rm(folder, { recursive: true, force: true })
    await rename(aside, folder)
  }
  const text = await readFile(join(folder, 'manifest.json'))
  const manifest: Manifest = JSON.parse(text.toString())
  const ofFields = Object.entries(manifest.files).filter(([name]) => /\.f(32|64)$/.test(name))
  return {
    kind,
    folder,
    fields: manifest.fields.map(({ key }) => key),
    days: manifest.rows,
    securities: manifest.securities,
    bytes: ofFields.reduce((sum, [, { bytes }]) => sum + bytes, 0),
    sha256: createHash('sha256').update(text).digest('hex'),
  }
}

/** Prices that walk, a third of the securities listed later than the first day, two in a hundred days without a trade. */
export function marketTable(kind: MarketId, { days, securities, store: element, fields }: Shape): MarketTable {
  const stride = strideFor(securities)
  const luck = chance(kind === 'cb' ? 11 : 12)
  const listed = new Uint8Array(days * stride)
  const traded = new Uint8Array(days * stride)
  const first = Int32Array.from({ length: securities }, () => (luck.next() < 0.67 ? 0 : luck.below(days - 50)))
  for (let t = 0; t < days; t++) {
    for (let i = 0; i < securities; i++) {
      if (t < first[i]!) continue
      listed[t * stride + i] = 1
      traded[t * stride + i] = luck.next() < 0.98 ? 1 : 0
    }
  }
  const columns = new Map<string, StoredColumn>()
  for (const key of fields) {
    const cells = element === 'f64' ? new Float64Array(days * stride).fill(Number.NaN) : new Float32Array(days * stride).fill(Number.NaN)
    for (let t = 0; t < days; t++) {
      for (let i = 0; i < securities; i++) {
        const at = t * stride + i
        if (traded[at] === 1) cells[at] = Math.round(10_000 + (i % 90) * 100 + luck.next() * 2_000) / 100
      }
    }
    columns.set(key, { store: element, cells, origin: 'file' })
  }
  return {
    kind,
    dates: weekdays(days),
    securities: securitiesOf(codesOf(securities), () => 0),
    stride,
    columns,
    listed,
    traded,
    benchmarks: new Map(),
  }
}

/** What a peer must know to read the raw column files: written beside them. */
export async function writeShape(made: MadeStore): Promise<string> {
  const manifest: Manifest = JSON.parse(await readFile(join(made.folder, 'manifest.json'), 'utf8'))
  const path = join(store, 'loads', `${made.kind}.json`)
  const { rows, stride, securities, years, fields } = manifest
  await writeFile(path, JSON.stringify({ folder: made.folder, rows, stride, securities, years, fields, parquet: `${made.folder}.parquet` }))
  return path
}
