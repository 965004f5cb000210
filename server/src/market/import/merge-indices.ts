/** Index series of several files, and those of the imported snapshot before that the new files do not bring, as one table. */

import type { Kysely } from 'kysely'
import { BrokenSnapshot } from '../../base/broken-snapshot.ts'
import type { Database } from '../../db/tables.ts'
import { readManifest } from '../manifest.ts'
import { readColumn, readDates, readMask, readSecurities } from '../read-store.ts'
import { indexSnapshotFor, snapshotPath } from '../snapshot.ts'
import { type StoredColumn, strideFor } from '../store.ts'
import type { Arranged } from './arrange.ts'

/** Where snapshots are. */
interface Stored {
  readonly db: Kysely<Database>
  readonly dataDir: string
}

export async function mergeIndices(tables: readonly Arranged[], { db, dataDir }: Stored, notes: string[]): Promise<Arranged> {
  const before = await readBefore({ db, dataDir }).catch((error: unknown) => {
    if (!(error instanceof BrokenSnapshot)) throw error
    notes.push('此前导入的指数已损坏，无法读取，没有保留；需要的请重新导入。')
    return null
  })
  if (before !== null) {
    const fresh = new Set(tables.flatMap((table) => table.securities.map(({ code }) => code)))
    const kept = before.securities.filter(({ code }) => !fresh.has(code)).map(({ code }) => code)
    if (kept.length > 0) notes.push(`保留此前导入的指数：${kept.join('、')}。`)
  }
  const codesOf = tables.map((table) => table.securities.map(({ code }) => code))
  const twice = [...new Set(codesOf.flatMap((own, k) => own.filter((code) => codesOf.slice(k + 1).some((later) => later.includes(code)))))]
  if (twice.length > 0) notes.push(`几种格式的文件里都有的指数，采用文件名在后的一种：${twice.sort().join('、')}。`)
  // Later tables win: the old one comes first.
  const all = before === null ? tables : [before, ...tables]
  const dates = [...new Set(all.flatMap((table) => table.dates))].sort()
  const owner = new Map(all.flatMap((table) => table.securities.map((security, i) => [security.code, { table, i, security }] as const)))
  const codes = [...owner.keys()].sort()
  const stride = strideFor(codes.length)
  const rowOf = new Map(dates.map((date, t) => [date, t]))
  const cells = () => new Float64Array(dates.length * stride).fill(Number.NaN)
  const columns = new Map<string, StoredColumn>()
  const listed = new Uint8Array(dates.length * stride)
  const traded = new Uint8Array(dates.length * stride)
  codes.forEach((code, place) => {
    const { table, i } = owner.get(code)!
    table.dates.forEach((date, t) => {
      const to = rowOf.get(date)! * stride + place
      const from = t * table.stride + i
      traded[to] = table.traded[from]!
      for (const [key, column] of table.columns) {
        if (!columns.has(key)) columns.set(key, { store: 'f64', cells: cells(), origin: 'file' })
        columns.get(key)!.cells[to] = column.cells[from]!
      }
    })
  })
  // A series is there from its first day on, whatever other series its file had beside it.
  for (let place = 0; place < codes.length; place++) {
    for (let t = 0, isThere = 0; t < dates.length; t++) listed[t * stride + place] = isThere |= traded[t * stride + place]!
  }
  const securities = codes.map((code) => ({ ...owner.get(code)!.security, listed: null }))
  return { kind: 'index', dates, securities, stride, columns, listed, traded }
}

async function readBefore({ db, dataDir }: Stored): Promise<Arranged | null> {
  const snapshot = await indexSnapshotFor(db, { dataMode: 'imported' })
  if (snapshot === null) return null
  const folder = snapshotPath(dataDir, snapshot)
  const manifest = await readManifest(folder)
  const columns = new Map<string, StoredColumn>()
  for (const field of manifest.fields)
    columns.set(field.key, { store: 'f64', cells: await readColumn(folder, manifest, field), origin: 'file' })
  return {
    kind: 'index',
    dates: await readDates(folder, manifest),
    securities: await readSecurities(folder, manifest),
    stride: manifest.stride,
    columns,
    listed: await readMask(folder, manifest, 'listed'),
    traded: await readMask(folder, manifest, 'traded'),
  }
}
