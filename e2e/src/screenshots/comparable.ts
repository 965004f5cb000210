// What makes two sets of screenshots comparable: a folder for each, and one evening on which both are taken.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endLater } from '../closing.ts'

/** A trading day after its close: the demo market ends on it, and no market is open. */
const evening = '2026-10-21T20:30:00+08:00'

/** The folder of a set of screenshots, with a slash at its end: below e2e/artefacts, unless the path is absolute. */
export const folderOf = (name: string): string => fileURLToPath(new URL(`${name}/`, new URL('../../artefacts/', import.meta.url)))

/**
 * Lets the processes that are started from now on begin on that evening; PostgreSQL and this process keep the machine's clock, from which
 * Playwright reckons.
 * @returns the moment of that evening, for the clock of a page
 */
export function beginOnEvening(): () => Date {
  const folder = mkdtempSync(join(tmpdir(), 'convexa-clock-'))
  endLater(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'offset')
  const offset = Date.parse(evening) - Date.now()
  writeFileSync(file, String(offset))
  process.env['CLOCK_OFFSET_FILE'] = file
  process.env['NODE_OPTIONS'] =
    `${process.env['NODE_OPTIONS'] ?? ''} --import ${fileURLToPath(new URL('../moved-clock.mjs', import.meta.url))}`
  return () => new Date(Date.now() + offset)
}
