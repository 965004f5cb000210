/** A moment as the wire writes it: `2026-11-21T21:49:00+08:00`, the clock of Asia/Shanghai (no daylight saving since 1991). */
export function shanghaiTime(at: Date): string {
  return `${new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19)}+08:00`
}
