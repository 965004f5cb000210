/** A published market looked through once more: every file against its checksum, its days against the calendar, its rows against the checks. */

import type { Finding } from '../db/tables/quality.ts'
import { readChecked } from './column-file.ts'
import { judgeDays } from './import/day-checks.ts'
import { judgeRows } from './import/judge-rows.ts'
import { fieldsOf, readingOf } from './import/mapping.ts'
import { presets } from './import/presets.ts'
import type { Rows } from './import/rows.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { loadDays } from './panels.ts'
import { parseSecurities, readDates, readDays, readMask, readSecuritiesText, roomFor } from './read-store.ts'
import { BrokenSnapshot, type Snapshot, snapshotPath } from './snapshot.ts'
import type { StoredColumn } from './store.ts'

export interface Checked {
  readonly files: number
  readonly bytes: number
  readonly days: number
  /** Rows that were judged: of the last days. */
  readonly rows: number
  readonly findings: readonly Finding[]
}

/** @param lastDays how many days are judged row by row; all files are read in any case */
export async function checkSnapshot(dataDir: string, snapshot: Snapshot, lastDays = 250): Promise<Checked> {
  const folder = snapshotPath(dataDir, snapshot)
  try {
    const manifest = await readManifest(folder, snapshot.manifestSha256)
    const bytes = await readAll(folder, manifest)
    const { rows, from, table } = await rowsOf(folder, manifest, lastDays)
    const preset = presets.find(({ name }) => name === manifest.source.preset) ?? null
    const board = new Map(table.securities.map((security) => [security.code, security.board]))
    const judged = judgeRows(manifest.kind, rows, { adjust: manifest.adjust }, preset, { from, boardOf: (code) => board.get(code)! })
    const findings = [...judged.findings, ...judgeDays(table, preset)]
    return { files: Object.keys(manifest.files).length, bytes, days: manifest.rows, rows: judged.inside, findings }
  } catch (error) {
    if (!(error instanceof BrokenSnapshot)) throw error
    const fault: Finding = { check: 'broken', level: 'fault', count: 1, text: '数据文件缺失、不完整或被改动', examples: [error.message] }
    return { files: 0, bytes: 0, days: 0, rows: 0, findings: [fault] }
  }
}

async function readAll(folder: string, manifest: Manifest): Promise<number> {
  let bytes = 0
  for (const [name, entry] of Object.entries(manifest.files)) {
    await readChecked(`${folder}/${name}`, new Uint8Array(entry.bytes), entry)
    bytes += entry.bytes
  }
  return bytes
}

/** The last days as rows; six days before them are only compared with. */
async function rowsOf(folder: string, manifest: Manifest, lastDays: number) {
  const { kind, stride } = manifest
  const [dates, text, listed, traded] = await Promise.all([
    readDates(folder, manifest),
    readSecuritiesText(folder, manifest),
    readMask(folder, manifest, 'listed'),
    readMask(folder, manifest, 'traded'),
  ])
  const securities = parseSecurities(text)
  const first = Math.max(0, dates.length - lastDays)
  const start = Math.max(0, first - 8)
  const known = new Map(fieldsOf(kind).map((field) => [field.key, field]))
  const columns = new Map<string, Float64Array>()
  for (const field of manifest.fields) {
    if (!known.has(field.key)) continue
    const column = roomFor(manifest)
    if (kind === 'index') await readDays(folder, manifest, field, column, { from: start, to: dates.length })
    else {
      const panel = { kind, dates, listed, traded, stride }
      await loadDays(folder, { manifest, panel, stocks: null, securities: text }, field, column, { from: start, to: dates.length })
    }
    columns.set(field.key, column.subarray(start * stride))
  }
  const cells: number[] = []
  let from = 0
  for (let t = start; t < dates.length; t++) {
    if (t === first) from = cells.length
    for (let i = 0; i < securities.length; i++) if (traded[t * stride + i] === 1) cells.push((t - start) * stride + i)
  }
  const label = (row: number) => `${securities[cells[row]! % stride]!.code} ${dates[start + Math.floor(cells[row]! / stride)]}`
  const rows: Rows = {
    count: cells.length,
    code: Int32Array.from(cells, (cell) => cell % stride),
    date: Int32Array.from(cells, (cell) => Math.floor(cell / stride)),
    codes: securities.map(({ code }) => code),
    dates: dates.slice(start),
    fields: new Map([...columns].map(([key, column]) => [key, Float64Array.from(cells, (cell) => column[cell]!)])),
    readings: [...columns.keys()].map((key) => readingOf(known.get(key)!, key)),
    listed: null,
    traded: new Uint8Array(cells.length).fill(1),
    unreadable: new Map(),
    findings: [],
    texts: new Map(),
    whereIs: () => manifest.data_version,
    labelOf: label,
  }
  const stored = new Map<string, StoredColumn>([...columns].map(([key, cells]) => [key, { store: 'f64', cells, origin: 'file' }]))
  const cut = { listed: listed.subarray(start * stride), traded: traded.subarray(start * stride) }
  return { rows, from, table: { kind, dates: dates.slice(start), securities, stride, columns: stored, ...cut } }
}
