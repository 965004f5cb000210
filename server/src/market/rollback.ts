/**
 * An older version of a market, published again: a folder of its own on the same files, and a row like any other. Readers see the newest
 * before and the older one after, nothing between; the version that was taken back stays where it is.
 */

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { modesBeside } from '@convexa/contract/enums/data-mode'
import type { Kysely } from 'kysely'
import { flushFolder } from '../base/flush-folder.ts'
import type { Database } from '../db/tables.ts'
import { shareFile } from './column-file.ts'
import { readManifest } from './manifest.ts'
import { nameAndUpload } from './name-snapshot.ts'
import { announce, localFolder, newestSnapshot, openAside, publishing, type Snapshot, type SnapshotKind, snapshotById } from './snapshot.ts'

export type RolledBack =
  | { readonly ok: true; readonly from: Snapshot; readonly to: Snapshot; readonly undone: readonly string[] }
  | { readonly ok: false; readonly refused: string }

/** `undone`: ids of the snapshots that are no longer what anybody sees; `made`: of those that the version seen now was made by. */
export interface Change {
  readonly from: Snapshot
  readonly to: Snapshot
  readonly undone: readonly string[]
  readonly made: readonly string[]
}

/**
 * @param version a `data_version` that is kept; without one the version before the newest
 * @param hold is done together with it, or not at all
 * @returns `undone`: ids of the snapshots that are no longer what anybody sees
 */
export async function rollback(
  db: Kysely<Database>,
  dataDir: string,
  kind: SnapshotKind,
  version: string | undefined,
  hold: (transaction: Kysely<Database>, change: Change) => Promise<unknown>,
): Promise<RolledBack> {
  const newest = await newestSnapshot(db, kind)
  if (newest === null) return { ok: false, refused: '还没有行情数据' }
  const rows = await db
    .selectFrom('market_snapshot')
    .select(['id', 'data_version'])
    .where('kind', '=', kind)
    .where('data_mode', 'in', modesBeside(newest.dataMode))
    .orderBy('published_at')
    .orderBy('id')
    .execute()
  // A version published again is as old as its first publication.
  const versions = [...new Set(rows.map((row) => row.data_version))]
  const now = versions.indexOf(newest.dataVersion)
  const wanted = version === undefined ? now - 1 : versions.indexOf(version)
  if (version !== undefined && wanted < 0) return { ok: false, refused: `没有保留版本 ${version}` }
  if (wanted < 0) return { ok: false, refused: '没有更早的版本可以恢复' }
  if (wanted === now) return { ok: false, refused: `当前就是版本 ${newest.dataVersion}` }
  const first = rows.findIndex((row) => row.data_version === versions[wanted])
  const older = (await snapshotById(db, rows[first]!.id))!
  const undone = rows.slice(first + 1).flatMap((row) => (row.data_version === older.dataVersion ? [] : [row.id]))
  const made = makersOf(rows).get(older.dataVersion)!
  let aside: string | null = null
  try {
    const id = await publishing(db, async (transaction) => {
      const folder = await localFolder(dataDir, older)
      const manifest = await readManifest(folder, older.manifestSha256)
      aside = await openAside(dataDir)
      for (const name of [...Object.keys(manifest.files), 'manifest.json']) await shareFile(join(folder, name), join(aside, name))
      await flushFolder(aside)
      const named = await nameAndUpload(dataDir, aside, manifest, older)
      await hold(transaction, { from: newest, to: older, undone, made })
      return announce(transaction, dataDir, aside, named, { manifest, sha256: older.manifestSha256 }, older.quality)
    })
    return { ok: true, from: newest, to: (await snapshotById(db, id))!, undone }
  } finally {
    if (aside !== null) await rm(aside, { recursive: true, force: true })
  }
}

/** Of each version the snapshots that it was made by, one on the other; a version published again goes on from what it was. */
function makersOf(rows: readonly { readonly id: string; readonly data_version: string }[]): Map<string, readonly string[]> {
  const makers = new Map<string, readonly string[]>()
  let now: readonly string[] = []
  for (const { id, data_version } of rows) {
    now = [...(makers.get(data_version) ?? now), id]
    makers.set(data_version, now)
  }
  return makers
}
