import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serverFolder } from './program-files.ts'

/** Version of this program, `1.2.3`, as the package states it. */
export const programVersion: string = JSON.parse(readFileSync(join(serverFolder, 'package.json'), 'utf8')).version

/** Order of two versions `1.2.3`, by numbers from the left: negative, 0 or positive. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number))
  for (let at = 0; at < Math.max(left!.length, right!.length); at++) {
    const difference = (left![at] ?? 0) - (right![at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/**
 * Whether an api of one version calls a worker of the other: of the same minor version, or of one beside it. While a site is upgraded workers come
 * first, so the worker may be the newer one. A major version follows the last minor one before it, whichever that was.
 */
export function areNeighbours(a: string, b: string): boolean {
  const [older, newer] = [a, b].sort(compareVersions).map((version) => version.split('.').map(Number)) as [number[], number[]]
  const majors = newer[0]! - older[0]!
  return majors === 0 ? newer[1]! - older[1]! <= 1 : majors === 1 && newer[1] === 0
}
