/** PostgreSQL's own base backup of the embedded database: its folder is copied between pg_backup_start and pg_backup_stop. */
import type { Dirent } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { programVersion } from '../base/program-version.ts'
import { keyIdOf } from '../base/secret.ts'
import { connectTimeoutMs, withSession } from '../db/session.ts'
import { type BackupInfo, backupFormat } from './backup-info.ts'
import { type BackupPlace, type Piece, putPiece } from './pieces.ts'
import { paddingOf, tarEnd, tarHead } from './tar.ts'
import { unlessGone } from './unless-gone.ts'

/** Tables whose rows a backup counts: what a site is about. */
const countedTables = [
  'app_user',
  'user_contact',
  'login_record',
  'audit',
  'strategy',
  'custom_factor',
  'backtest_run',
  'run_core',
  'report_share',
  'market_snapshot',
  'vip_order',
  'payment',
] as const

const pieceBytes = 64 * 1024 * 1024
const chunkBytes = 1024 * 1024
/** PostgreSQL fills these by itself, or they belong to one run of it. */
const emptyFolders = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const leftOut =
  /^(postmaster\..*|wal-out|wal-in|backup_label.*|tablespace_map.*|current_logfiles|pgsql_tmp.*|pg_internal\.init.*|recovery\.signal)$/
/** Until PostgreSQL has archived the last segment. */
const archiveMs = 600_000

export interface BaseDeps extends BackupPlace {
  readonly connectionString: string
  /** Of the database. */
  readonly folder: string
  /** Most bytes a second that are read; null: as fast as it goes. */
  readonly bytesPerSecond: number | null
}

export type Base = Omit<BackupInfo, 'files' | 'name'>

/** Copies the database into pieces below `base/{name}/`. It can be restored with the WAL from `first_segment` to `last_segment`. */
export async function takeBase(deps: BaseDeps, name: string): Promise<Base> {
  const client = new pg.Client({
    connectionString: withSession(deps.connectionString),
    application_name: 'convexa-backup',
    connectionTimeoutMillis: connectTimeoutMs,
  })
  client.on('error', () => {})
  await client.connect()
  try {
    const began = new Date()
    const { rows: started } = await client.query<{ lsn: string }>(`select pg_backup_start('convexa', true)::text as lsn`)
    const firstLsn = started[0]!.lsn
    const { rows: facts } = await client.query<{ system: string; timeline: number; version: number; segment: string }>(
      `select system_identifier::text as system, timeline_id as timeline, current_setting('server_version_num')::int as version,
        pg_walfile_name($1::pg_lsn) as segment from pg_control_system(), pg_control_checkpoint()`,
      [firstLsn],
    )
    const { system, timeline, version, segment } = facts[0]!
    const rows = await countRows(client)
    const writer = pieceWriter(deps, name)
    const bytes = await copyFolder(deps, writer)
    await client.query(`set statement_timeout = ${archiveMs}`)
    const { rows: stopped } = await client.query<{ lsn: string; label: string; segment: string }>(
      `select lsn::text, labelfile as label, pg_walfile_name(lsn) as segment from pg_backup_stop(true)`,
    )
    const { lsn, label, segment: last } = stopped[0]!
    const labelBytes = Buffer.from(label)
    for (const part of [tarHead('backup_label', labelBytes.length, 'file'), labelBytes, paddingOf(labelBytes.length), tarEnd()])
      await writer.write(part)
    return {
      format: backupFormat,
      program: programVersion,
      postgres: Math.floor(version / 10_000),
      system,
      timeline,
      key_id: keyIdOf(deps.secrets),
      began_at: began.toISOString(),
      ended_at: new Date().toISOString(),
      first_lsn: firstLsn,
      last_lsn: lsn,
      first_segment: segment,
      last_segment: last,
      bytes,
      pieces: await writer.end(),
      rows,
    }
  } finally {
    await client.end().catch(() => {})
  }
}

/** Rows of the counted tables; those that are not there are left out. */
export async function countRows(client: Pick<pg.Client, 'query'>): Promise<Record<string, number>> {
  const { rows: there } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) as name where to_regclass(name) is not null`,
    [countedTables],
  )
  const counts: Record<string, number> = {}
  for (const { name } of there) {
    const { rows } = await client.query<{ count: string }>(`select count(*)::text as count from ${pg.escapeIdentifier(name)}`)
    counts[name] = Number(rows[0]!.count)
  }
  return counts
}

interface PieceWriter {
  write(part: Buffer): Promise<void>
  end(): Promise<readonly Piece[] & Piece[]>
}

function pieceWriter(deps: BaseDeps, name: string): PieceWriter {
  const pieces: Piece[] = []
  let waiting: Buffer[] = []
  let size = 0
  const flush = async () => {
    const key = `base/${name}/${String(pieces.length + 1).padStart(5, '0')}.tar.zst`
    pieces.push(await putPiece(deps, key, Buffer.concat(waiting)))
    waiting = []
    size = 0
  }
  return {
    async write(part) {
      waiting.push(part)
      size += part.length
      if (size >= pieceBytes) await flush()
    },
    async end() {
      if (size > 0) await flush()
      return pieces
    },
  }
}

/** Files may change while they are copied, and come and go: the WAL makes up for it. pg_control comes last. @returns bytes */
async function copyFolder({ folder, bytesPerSecond }: BaseDeps, writer: PieceWriter): Promise<number> {
  const pace = paced(bytesPerSecond)
  let bytes = 0
  const copyFile = async (name: string) => {
    const file = await open(join(folder, name), 'r').catch(unlessGone)
    if (!file) return
    try {
      const { size } = await file.stat()
      await writer.write(tarHead(name, size, 'file'))
      for (let at = 0; at < size; ) {
        const part = await readPart(file, at, Math.min(chunkBytes, size - at))
        await writer.write(part)
        at += part.length
        await pace(part.length)
      }
      await writer.write(paddingOf(size))
      bytes += size
    } finally {
      await file.close()
    }
  }
  const walk = async (below: string) => {
    const entries: Dirent[] = (await readdir(join(folder, below), { withFileTypes: true }).catch(unlessGone)) ?? []
    for (const entry of entries) {
      const name = below === '' ? entry.name : `${below}/${entry.name}`
      if (leftOut.test(entry.name) || name === 'global/pg_control') continue
      if (entry.isDirectory()) {
        await writer.write(tarHead(name, 0, 'folder'))
        if (!emptyFolders.has(name)) await walk(name)
        else if (name === 'pg_wal')
          for (const own of ['archive_status', 'summaries']) await writer.write(tarHead(`${name}/${own}`, 0, 'folder'))
      } else if (entry.isFile()) await copyFile(name)
    }
  }
  await walk('')
  await copyFile('global/pg_control')
  return bytes
}

/** So many bytes of a file; where it was cut meanwhile, zeros: the WAL knows how long it is. */
async function readPart(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const part = Buffer.alloc(length)
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(part, done, length - done, at + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return part
}

function paced(bytesPerSecond: number | null): (bytes: number) => Promise<void> {
  if (bytesPerSecond === null) return async () => {}
  const began = performance.now()
  let done = 0
  return async (bytes) => {
    done += bytes
    const ahead = (done / bytesPerSecond) * 1_000 - (performance.now() - began)
    if (ahead > 20) await sleep(ahead)
  }
}
