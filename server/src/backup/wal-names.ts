/** Names of WAL segments: eight hex digits each of timeline, log and segment. Segments have 16 MB, 256 of them a log. */

const shape = /^[0-9A-F]{24}$/
const historyShape = /^[0-9A-F]{8}\.history$/

export const isSegment = (name: string): boolean => shape.test(name)
/** What a timeline branched off from. */
export const isHistory = (name: string): boolean => historyShape.test(name)

export const timelineOf = (name: string): number => Number.parseInt(name.slice(0, 8), 16)
/** Place of a segment in the WAL, the same on all timelines. */
export const placeOf = (segment: string): number => Number.parseInt(segment.slice(8, 16), 16) * 256 + Number.parseInt(segment.slice(16), 16)

/** Where a file of the archive lies among the backups. */
export const walKey = (name: string): string => `wal/${name.slice(0, 8)}/${name}`

export function segmentAt(timeline: number, place: number): string {
  const hex = (number: number) => number.toString(16).toUpperCase().padStart(8, '0')
  return hex(timeline) + hex(Math.floor(place / 256)) + hex(place % 256)
}
