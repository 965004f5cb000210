import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { type ImportReport, type ImportRequest, importMarket } from '../src/market/import.ts'
import { loadPanel } from '../src/market/panels.ts'
import { snapshotPath } from '../src/market/snapshot.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { bondRows, csv, type FileRow, stockRows } from './market-file.ts'

export type Kind = ImportRequest['kind']
type Change = Partial<ImportRequest>

export const rowsOf = { cb: bondRows, stk: stockRows }
export const changed = (row: FileRow, change: FileRow): FileRow => ({ ...row, ...change })

/** A database of one test file; for each of its tests no snapshot, an empty data directory, and in it a folder for files. */
export function importing() {
  let database: TestDatabase
  let dataDir = ''
  beforeAll(async () => {
    database = await testDatabase()
  })
  afterAll(() => database.drop())
  beforeEach(async () => {
    await database.db.deleteFrom('market_snapshot').execute()
    dataDir = await mkdtemp(join(tmpdir(), 'convexa-import-'))
    await mkdir(join(dataDir, 'files'))
    return () => rm(dataDir, { recursive: true })
  })

  const file = (name: string) => join(dataDir, 'files', name)
  async function importText(kind: Kind, content: string | Uint8Array, more: Change = {}, name = 'market.csv'): Promise<ImportReport> {
    await writeFile(file(name), content)
    return importMarket({ kind, paths: [file(name)], dataDir, db: database.db, ...more })
  }
  return {
    file,
    importText,
    importRows: (kind: Kind, rows: readonly FileRow[], more: Change = {}) => importText(kind, csv(rows), more),
    /** What was imported, loaded whole. */
    panelOf(report: ImportReport) {
      expect(report.text).toMatch(/已导入/)
      return loadPanel(snapshotPath(dataDir, report.snapshot!), null, 'all')
    },
    get db() {
      return database.db
    },
    get dataDir() {
      return dataDir
    },
  }
}
