/** What is restored from where: chosen and checked before anything is written. */
import { StartError } from '../base/start-error.ts'
import { postgresMajor } from '../db/binaries.ts'
import { type BackupInfo, listBackups, momentOfName, readInfo, requireUsable } from './backup-info.ts'
import { listLists, momentOfList } from './data-files.ts'
import { type BackupPlace, checkPiece, DamagedPiece, getPiece } from './pieces.ts'
import { isHistory, isSegment, placeOf, walKey } from './wal-names.ts'
import { type WalPath, walPath } from './wal-path.ts'

export interface Wanted {
  /** The last moment that is wanted; null: all there is. */
  readonly toTime: Date | null
  /** Name of the backup to begin with; null: the newest before `toTime`. */
  readonly base: string | null
  /** The one to follow; null: the newest. */
  readonly timeline: number | null
  /** What is damaged is left out where the rest can be restored without it. */
  readonly skipDamaged: boolean
}

export interface RestorePlan {
  readonly info: BackupInfo
  readonly wal: WalPath
  /** Names and texts of history files. */
  readonly histories: ReadonlyMap<string, string>
  /** Key of the list of files. */
  readonly list: string
  /** What the operator must know: gaps, and what is left out. */
  readonly warnings: readonly string[]
}

/** @throws StartError, each naming what is missing, damaged, under another key or of another version */
export async function planRestore(place: BackupPlace, wanted: Wanted): Promise<RestorePlan> {
  const warnings: string[] = []
  const info = await chooseBase(place, wanted)
  requireUsable(info, postgresMajor())
  for (const piece of info.pieces) await checkPiece(place, piece)

  const names: string[] = []
  for await (const { key } of place.objects.list('wal/')) names.push(key.slice(key.lastIndexOf('/') + 1))
  const histories = new Map<string, string>()
  for (const name of names.filter(isHistory)) histories.set(name, (await getPiece(place, walKey(name)))?.toString('utf8') ?? '')
  const found = new Set(names.filter(isSegment))
  const before = await lastPlace(place, info, wanted)
  let wal = walPath(info, found, histories, before, wanted.timeline)
  for (const name of wal.segments) {
    try {
      if ((await getPiece(place, walKey(name))) === null) throw new DamagedPiece(walKey(name), '不存在')
    } catch (error) {
      if (!(error instanceof DamagedPiece)) throw error
      if (!wanted.skipDamaged) throw new StartError(`${error.message}；加 --skip-damaged 可恢复到它之前为止`, { cause: error })
      warnings.push(error.message)
      found.delete(name)
      wal = walPath(info, found, histories, before, wanted.timeline)
      break
    }
  }
  if (wal.gap !== null) warnings.push(`缺少 WAL 段 ${wal.gap}：只能恢复到它之前，其后的写入无法恢复`)
  return { info, wal, histories, list: await chooseList(place, info, wanted.toTime), warnings }
}

async function chooseBase(place: BackupPlace, { toTime, base }: Wanted): Promise<BackupInfo> {
  const { whole } = await listBackups(place)
  if (whole.length === 0) throw new StartError('这里没有完整的备份（找不到 backup.json）')
  if (base !== null) {
    if (!whole.includes(base)) throw new StartError(`没有名为 ${base} 的备份，可用：${whole.slice(0, 10).join('、')}`)
    const info = await readInfo(place, base)
    if (toTime !== null && new Date(info.ended_at) > toTime)
      throw new StartError(`备份 ${base} 到 ${info.ended_at} 才完成，不能恢复到更早的时刻`)
    return info
  }
  for (const name of whole) {
    if (toTime !== null && momentOfName(name) > toTime) continue
    const info = await readInfo(place, name).catch((error: unknown) => {
      const others = whole.filter((one) => one !== name)
      if (!(error instanceof DamagedPiece) || others.length === 0) throw error
      throw new StartError(`${error.message}；可用 --base 选择另一个备份：${others.slice(0, 5).join('、')}`, { cause: error })
    })
    if (toTime === null || new Date(info.ended_at) <= toTime) return info
  }
  throw new StartError(`没有在这个时刻之前完成的备份，最早的备份是 ${whole.at(-1)}（UTC）`)
}

/** The base that follows the wanted moment shows where the WAL of that moment ends. */
async function lastPlace(place: BackupPlace, info: BackupInfo, { toTime }: Wanted): Promise<number | null> {
  if (toTime === null) return null
  const { whole } = await listBackups(place)
  for (const name of whole.toReversed()) {
    if (momentOfName(name) <= toTime) continue
    const next = await readInfo(place, name).catch((error: unknown) => {
      // A damaged one says nothing of its WAL: a later one may.
      if (error instanceof DamagedPiece) return null
      throw error
    })
    if (next?.timeline === info.timeline && new Date(next.began_at) > toTime) return placeOf(next.last_segment)
  }
  return null
}

/** The first list that was made after the wanted moment has what was there then; else the newest. */
async function chooseList(place: BackupPlace, info: BackupInfo, toTime: Date | null): Promise<string> {
  const lists = await listLists(place)
  const later = toTime === null ? undefined : lists.find((key) => momentOfList(key) >= toTime)
  return later ?? lists.at(-1) ?? info.files.key
}
