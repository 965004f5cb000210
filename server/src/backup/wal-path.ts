import { StartError } from '../base/start-error.ts'
import type { BackupInfo } from './backup-info.ts'
import { isHistory, isSegment, placeOf, segmentAt, timelineOf } from './wal-names.ts'

export interface WalPath {
  /** The one to follow. */
  readonly timeline: number
  /** In the order in which they are needed. */
  readonly segments: readonly string[]
  /** The first one that is missing although later ones are there; null: none. */
  readonly gap: string | null
}

/**
 * The WAL that leads from a base on: along the newest timeline that goes back to it.
 * @param names of all files of the archive
 * @param histories text of each `.history` file by its name
 * @param before the place of the last segment that is wanted; null: all
 * @param wanted the timeline to follow; null: the newest, where nothing was written on the others after it went off
 * @throws StartError where a segment is missing without which the base cannot be used, or nobody can say which timeline is the site's
 */
export function walPath(
  base: Pick<BackupInfo, 'name' | 'timeline' | 'first_segment' | 'last_segment'>,
  names: Iterable<string>,
  histories: ReadonlyMap<string, string>,
  before: number | null,
  wanted: number | null = null,
): WalPath {
  const there = new Set([...names].filter(isSegment))
  const first = placeOf(base.first_segment)
  const needed = placeOf(base.last_segment)
  const line = newestLine(base.timeline, needed, histories, wanted)
  if (wanted === null) requireOneSite(line, there)
  const last = Math.min(before ?? Number.POSITIVE_INFINITY, Math.max(...[...there].map(placeOf), needed))
  const segments: string[] = []
  for (let place = first; place <= last; place++) {
    // The segment of a branch has the beginning of the one before it.
    const either = line.filter(({ from, to }) => place >= from && place <= to).map(({ timeline }) => segmentAt(timeline, place))
    const found = either.filter((name) => there.has(name))
    if (found.length > 0) {
      segments.push(...found)
      continue
    }
    const missing = either.at(-1)!
    if (place <= needed) throw new StartError(`备份 ${base.name} 缺少 WAL 段 ${missing}，无法恢复：请用 --base 选择另一个备份`)
    const isMore = [...there].some(
      (name) => placeOf(name) > place && line.some(({ timeline, from }) => timelineOf(name) === timeline && placeOf(name) >= from),
    )
    return { timeline: line.at(-1)!.timeline, segments, gap: isMore ? missing : null }
  }
  return { timeline: line.at(-1)!.timeline, segments, gap: null }
}

interface Stretch {
  readonly timeline: number
  /** Places of its first and last segment. */
  readonly from: number
  readonly to: number
}

/** A trial of a restored copy that wrote into the same backups, or a site that went on after it: only the operator knows. */
function requireOneSite(line: readonly Stretch[], there: ReadonlySet<string>): void {
  const other = line.slice(0, -1).find(({ timeline, to }) => [...there].some((name) => timelineOf(name) === timeline && placeOf(name) > to))
  if (!other) return
  const { timeline } = line.at(-1)!
  throw new StartError(
    `备份里时间线 ${other.timeline} 在分出时间线 ${timeline} 之后还有写入：请用 --timeline ${timeline} 恢复后来的站点，或用 --timeline ${other.timeline} 恢复原来的`,
  )
}

function newestLine(timeline: number, needed: number, histories: ReadonlyMap<string, string>, wanted: number | null): readonly Stretch[] {
  if (wanted === timeline) return [{ timeline, from: 0, to: Number.POSITIVE_INFINITY }]
  const newest = [...histories]
    .filter(([name]) => isHistory(name) && timelineOf(name) > timeline && (wanted === null || timelineOf(name) === wanted))
    .sort(([a], [b]) => timelineOf(b) - timelineOf(a))
  for (const [name, text] of newest) {
    const branches = text
      .split('\n')
      .map((row) => /^(\d+)\s+([\dA-F]+)\/([\dA-F]+)/.exec(row.trim()))
      .filter((row) => row !== null)
      .map(([, id, high, low]) => ({
        timeline: Number(id),
        to: Number.parseInt(high!, 16) * 256 + Math.floor(Number.parseInt(low!, 16) / 2 ** 24),
      }))
    const at = branches.findIndex((one) => one.timeline === timeline)
    if (at < 0 || branches[at]!.to < needed) continue
    const after = branches.slice(at)
    return [
      ...after.map((one, k) => ({ timeline: one.timeline, from: k === 0 ? 0 : after[k - 1]!.to, to: one.to })),
      { timeline: timelineOf(name), from: after.at(-1)!.to, to: Number.POSITIVE_INFINITY },
    ]
  }
  if (wanted !== null) throw new StartError(`备份里没有从这个备份延续的时间线 ${wanted}`)
  return [{ timeline, from: 0, to: Number.POSITIVE_INFINITY }]
}
