import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { importMarket } from '../market/import.ts'
import type { SnapshotKind } from '../market/snapshot.ts'
import { withCommandContext } from './command-context.ts'
import { exits, Stop } from './exits.ts'
import { answer } from './output.ts'
import { progress } from './progress.ts'

/** `convexa import`: checks a file and publishes it, or says what is wrong with it and changes nothing. */
export const importFiles = (kind: SnapshotKind, path: string, options: FileOptions): Promise<void> => importFrom(kind, path, options, false)

/** `convexa update`: new days behind what is loaded, and known rows corrected. */
export const updateFrom = (kind: SnapshotKind, path: string, options: FileOptions): Promise<void> => importFrom(kind, path, options, true)

interface FileOptions {
  readonly preset?: string
  readonly mapping?: string
  readonly endsAfter?: number
}

async function importFrom(kind: SnapshotKind, path: string, options: FileOptions, onto: boolean): Promise<void> {
  for (const file of [path, options.mapping]) if (file && !existsSync(file)) throw new Stop(exits.refused, `找不到 ${file}`)
  await withCommandContext('database', async ({ db, config, stay }) => {
    const shown = progress()
    const report = await importMarket({
      kind,
      paths: [resolve(path)],
      onto,
      ...(options.preset && { preset: options.preset }),
      ...(options.mapping && { mapping: resolve(options.mapping) }),
      ...(options.endsAfter && { endsAfter: options.endsAfter }),
      dataDir: config.dataDir,
      db,
      beforePublishing: stay,
      onProgress: ({ percent, text }) => shown.show(percent, text),
    }).finally(() => shown.end())
    const { quality, text } = report
    if (!report.ok) {
      const faults = quality.findings.filter(({ level }) => level === 'fault')
      throw new Stop(exits.refused, text, { issues: faults.map((fault) => ({ path: fault.check, expected: fault.text })) })
    }
    answer({ snapshot: report.snapshot, unchanged: report.unchanged, quality }, () => text)
  })
}
