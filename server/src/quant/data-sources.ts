import type { DataSource, MarketId } from '@convexa/contract'
import type { Kysely } from 'kysely'
import { feedLabel } from '../config/feeds.ts'
import type { Database } from '../db/tables.ts'
import { type Manifest, readManifest } from '../market/manifest.ts'
import { memoizeRead } from '../market/memoize-read.ts'
import { type Snapshot, snapshotOfVersion, snapshotPath } from '../market/snapshot.ts'

/** Where published data came from, as their manifests name it. */

/** Some lines each: as many as a list of runs may be of. */
const known = memoizeRead<DataSource[]>(200)

/** In the order in which they came; empty where the snapshot's files are not there any more. */
export function sourcesOfSnapshot(dataDir: string, snapshot: Pick<Snapshot, 'folder' | 'quality'>): Promise<DataSource[]> {
  const folder = snapshotPath(dataDir, snapshot)
  return known(folder, async () => sourcesOf(await readManifest(folder), snapshot)).catch(() => [])
}

/** The same of a data version; empty where it is kept no longer. */
export async function sourcesOfVersion(db: Kysely<Database>, dataDir: string, kind: MarketId, version: string): Promise<DataSource[]> {
  const snapshot = await snapshotOfVersion(db, kind, version)
  return snapshot ? sourcesOfSnapshot(dataDir, snapshot) : []
}

/** Ingested files are named `<source>/<need>/<day>`; an import's are files of its user. */
const ingested = /^([a-z]+)\/([a-z-]+)\/(\d{4}-\d{2}-\d{2})$/

/** Of a file for every stock only the first is named: nobody reads a list of thousands, and no run carries one. */
const mostNamed = 10
const inFew = (files: readonly string[]): readonly string[] =>
  files.length > mostNamed ? [`${files[0]} 等 ${files.length} 个文件`] : files

/** Files of an import first, then the sources that went on, each with its newest day. */
export function sourcesOf(
  { source }: Pick<Manifest, 'source'>,
  { quality }: { quality: Pick<Snapshot['quality'], 'source'> },
): DataSource[] {
  const days = new Map<string, string>()
  const files = new Set<string>()
  for (const { name } of source.files) {
    const [, feed, , day] = ingested.exec(name) ?? []
    if (feed === undefined || day === undefined) files.add(name)
    else if (day > (days.get(feed) ?? '')) days.set(feed, day)
  }
  const imported = files.size > 0 ? [...files] : days.size > 0 ? [] : quality.source
  return [
    ...inFew(imported).map((label) => ({ label, last: null })),
    ...[...days].map(([feed, last]) => ({ label: feedLabel(feed), last })),
  ]
}
