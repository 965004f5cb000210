// Where a program of others lies: among what `npm run tools` brought, else in PATH.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))
/** Left out of git; may be deleted at any time. */
export const cache = join(root, '.cache')
export const bin = join(cache, 'bin')

/** Folders of programs for administrators are not in everybody's PATH. */
const places = () => [bin, ...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']

/** @returns its path, null where it is not to be found */
export function findTool(name) {
  for (const folder of places()) {
    if (folder === '') continue
    try {
      accessSync(join(folder, name), constants.X_OK)
      return join(folder, name)
    } catch {
      // The next place.
    }
  }
  return null
}
