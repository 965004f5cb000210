/** A day that was made, behind the newest snapshot, in the place of what it was, or as the first of its market. */
import type { Kysely } from 'kysely'
import type { Database } from '../../db/tables.ts'
import { putDay } from '../../market/append-day.ts'
import { fieldsOf } from '../../market/import/mapping.ts'
import { withFound } from '../../market/quality.ts'
import { publish, retain, type Snapshot, type SnapshotKind } from '../../market/snapshot.ts'
import { type MarketTable, strideFor } from '../../market/store.ts'
import type { Made } from './make-day.ts'

/** Snapshots of each kind that stay, for `feed rollback`; they share their files. */
const keptSnapshots = 10

export type NewDay = NonNullable<Made['day']>

export async function publishDay(
  { db, dataDir }: { readonly db: Kysely<Database>; readonly dataDir: string },
  kind: SnapshotKind,
  base: Snapshot | null,
  day: NewDay,
  made: Made,
): Promise<{ snapshot: Snapshot; how: 'published' | 'unchanged' } | { refused: string }> {
  if (base === null) {
    const { snapshot, unchanged } = await publish({ db, dataDir, ...begun(kind, day, made) })
    return { snapshot, how: unchanged ? 'unchanged' : 'published' }
  }
  const put = await putDay({ db, dataDir }, kind, day)
  if (!put.ok) return { refused: put.refused }
  if (put.how !== 'unchanged') await retain(db, dataDir, keptSnapshots)
  return { snapshot: put.snapshot, how: put.how === 'unchanged' ? 'unchanged' : 'published' }
}

/** A market that begins with this day. */
function begun(
  kind: SnapshotKind,
  day: NewDay,
  { rows, quarantined, findings }: Made,
): Omit<Parameters<typeof publish>[0], 'db' | 'dataDir'> {
  const stride = strideFor(day.securities.length)
  const stores = new Map(fieldsOf(kind).map(({ key, store }) => [key, store]))
  const laid = <C extends Float64Array | Uint8Array>(out: C, cells: ArrayLike<number>): C => {
    out.set(cells)
    return out
  }
  const table: MarketTable = {
    kind,
    dates: [day.date],
    securities: day.securities,
    stride,
    columns: new Map(
      [...day.columns].map(([key, cells]) => [
        key,
        { store: stores.get(key) ?? 'f64', cells: laid(new Float64Array(stride).fill(Number.NaN), cells), origin: 'file' },
      ]),
    ),
    listed: laid(new Uint8Array(stride), day.listed),
    traded: laid(new Uint8Array(stride), day.traded),
    benchmarks: new Map([...day.benchmarks].map(([code, value]) => [code, Float64Array.of(value)])),
    ...(day.missingBars && day.missingBars.length > 0 && { missingDays: { [day.date]: day.missingBars } }),
  }
  const files = day.sources ?? []
  const quality = {
    rows,
    listedRows: day.listed.reduce((sum, flag) => sum + flag, 0),
    securities: day.securities.length,
    firstDate: day.date,
    lastDate: day.date,
    adjust: 'raw' as const,
    preset: '数据源',
    source: [...new Set(files.map(({ name }) => name.split('/')[0]!))],
    quarantined: 0,
    findings: [],
    notes: [],
  }
  return {
    table,
    mode: 'imported',
    adjust: 'raw',
    source: { preset: 'feeds', files },
    quality: withFound(quality, day.date, { of: 'rows', quarantined, findings }),
  }
}
