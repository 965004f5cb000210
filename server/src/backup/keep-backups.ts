/** How long backups are kept: those of seven days with all that was written since, then one a week for four weeks. */
import { type BackupInfo, infoKey, listBackups, momentOfName, readInfo } from './backup-info.ts'
import { chunkKey, type FileList, listChunks, listLists, momentOfList, readList } from './data-files.ts'
import type { BackupPlace } from './pieces.ts'
import { isSegment, placeOf, timelineOf } from './wal-names.ts'

const dayMs = 86_400_000
const wholeDays = 7
const weeks = 4
/** After so many days nothing of a backup is there any more. */
export const keptDays = wholeDays + weeks * 7

/** Of names of backups, the newest first, those that stay. */
export function keptBackups(names: readonly string[], now: Date): Set<string> {
  const kept = new Set(names.slice(0, 1))
  const seen = new Set<number>()
  for (const name of names) {
    const days = (now.getTime() - momentOfName(name).getTime()) / dayMs
    const week = Math.floor((days - wholeDays) / 7)
    if (days < wholeDays) kept.add(name)
    else if (week < weeks && !seen.has(week)) {
      seen.add(week)
      kept.add(name)
    }
  }
  return kept
}

/** Removes what is too old. Nothing may be put meanwhile. @returns how many backups went */
export async function removeOldBackups(place: BackupPlace, now = new Date()): Promise<number> {
  const { objects } = place
  const { whole, partial } = await listBackups(place)
  const kept = keptBackups(whole, now)
  const infos: BackupInfo[] = []
  // One that cannot be read says nothing of what it needs: nothing is removed then.
  for (const name of kept) infos.push(await readInfo(place, name))
  const gone = whole.filter((name) => !kept.has(name))
  for (const name of gone) await objects.remove(infoKey(name))
  for (const name of [...gone, ...partial]) for (const key of await keysOf(place, `base/${name}/`)) await objects.remove(key)
  await removeOldWal(place, infos, now)
  await removeOldFiles(place, infos, now)
  return gone.length
}

async function removeOldWal(place: BackupPlace, infos: readonly BackupInfo[], now: Date): Promise<void> {
  const recent = infos.filter(({ name }) => now.getTime() - momentOfName(name).getTime() < wholeDays * dayMs)
  const oldest = (recent.length > 0 ? recent : infos).at(-1)
  if (!oldest) return
  const needed = (segment: string): boolean =>
    (timelineOf(segment) >= oldest.timeline && placeOf(segment) >= placeOf(oldest.first_segment)) ||
    infos.some(
      ({ timeline, first_segment, last_segment }) =>
        timelineOf(segment) === timeline && placeOf(segment) >= placeOf(first_segment) && placeOf(segment) <= placeOf(last_segment),
    )
  for (const key of await keysOf(place, 'wal/')) {
    const name = key.slice(key.lastIndexOf('/') + 1)
    if (isSegment(name) && !needed(name)) await place.objects.remove(key)
  }
}

async function removeOldFiles(place: BackupPlace, infos: readonly BackupInfo[], now: Date): Promise<void> {
  const all = await listLists(place)
  const kept = new Set(keptLists(all, now))
  for (const { files, ended_at } of infos) {
    kept.add(files.key)
    const next = all.find((key) => momentOfList(key) >= new Date(ended_at))
    if (next !== undefined) kept.add(next)
  }
  const lists: FileList[] = []
  for (const key of all) if (kept.has(key)) lists.push(await readList(place, key))
  for (const key of all) if (!kept.has(key)) await place.objects.remove(key)
  const used = new Set(lists.flatMap(({ files }) => files.flatMap(({ chunks }) => chunks)))
  for (const name of await listChunks(place)) if (!used.has(name)) await place.objects.remove(chunkKey(name))
}

/** Of a day all; of seven days the last of each hour; the newest. `keys`: the oldest first. */
export function keptLists(keys: readonly string[], now: Date): readonly string[] {
  const hours = new Map<number, string>()
  const kept = new Set(keys.slice(-1))
  for (const key of keys) {
    const age = now.getTime() - momentOfList(key).getTime()
    if (age < dayMs) kept.add(key)
    else if (age < wholeDays * dayMs) hours.set(Math.floor(age / 3_600_000), key)
  }
  return [...kept, ...hours.values()]
}

async function keysOf({ objects }: Pick<BackupPlace, 'objects'>, prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of objects.list(prefix)) keys.push(key)
  return keys
}
