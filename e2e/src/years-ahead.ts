import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { convexa } from './command-line.ts'

const program = fileURLToPath(new URL('../../server/test/fixtures/market/years-ahead.ts', import.meta.url))

/** Where the program's calendar ends before a month from now, its operator sets the years that are missing: made-up ones, for any date of a journey. */
export async function setYearsAhead(dataDir: string): Promise<void> {
  const { stdout } = await promisify(execFile)(process.execPath, [program])
  const years: { year: number; closed: string[] }[] = JSON.parse(stdout)
  if (years.length === 0) return
  const folder = mkdtempSync(join(tmpdir(), 'convexa-notices-'))
  try {
    for (const { year, closed } of years) {
      const notice = join(folder, `${year}.txt`)
      writeFileSync(notice, closed.join('\n'))
      await convexa(dataDir, ['feed', 'calendar', 'set', String(year), notice])
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
