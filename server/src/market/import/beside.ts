/** Tables that lie beside a market file and add to it: in the folder that is imported, or in a folder of their own beside the file. */
import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { addDays } from '../calendar.ts'
import { openSource, type RawColumn, type SourceFile, tableExtensions } from './source-file.ts'

export async function filesBeside(
  paths: readonly string[],
  ownFolder: string,
  is: (columns: readonly string[]) => boolean,
): Promise<SourceFile[]> {
  const found: SourceFile[] = []
  for (const path of paths) {
    const folder = (await stat(path)).isDirectory() ? path : dirname(path)
    const folders = folder === path ? [folder, join(folder, ownFolder)] : [join(folder, ownFolder)]
    for (const each of folders) {
      if (!existsSync(each)) continue
      for (const name of (await readdir(each)).sort()) {
        if (!tableExtensions.includes(extname(name).toLowerCase()) || name === 'SOURCE.txt') continue
        const file = await openSource(join(each, name))
        if (is(file.columns)) found.push(file)
      }
    }
  }
  return found
}

export type Cell = (column: string, row: number) => string | number | null

/** Reads the wanted columns that a file has; what is not there is null in every row. */
export async function cellsOf(file: SourceFile, wanted: readonly string[]): Promise<{ rows: number; cell: Cell }> {
  const { rows, columns } = await file.read(wanted.filter((column) => file.columns.includes(column)))
  const cell: Cell = (column, row) => {
    const raw: RawColumn | undefined = columns.get(column)
    if (!raw) return null
    const value = raw.values[row] ?? null
    return typeof value === 'number' && Number.isNaN(value) ? null : value
  }
  return { rows, cell }
}

/** `20250428`, `2025-04-28`, 20250428 or days since 1970; null where it is no day. */
export function dateOf(cell: string | number | null): string | null {
  if (cell === null) return null
  if (typeof cell === 'number' && cell < 1_000_000) return addDays('1970-01-01', cell)
  const digits = String(cell).replaceAll(/[-/]/g, '').slice(0, 8)
  if (!/^(19|20)\d{6}$/.test(digits)) return null
  const date = `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
  return Number.isNaN(Date.parse(date)) ? null : date
}
