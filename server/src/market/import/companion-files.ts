/** Companion files, tables beside a market file that add to it: in the folder that is imported, or in a folder of their own beside the file. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { shown } from '@convexa/contract'
import { dayOf } from './cells/day.ts'
import { isEmpty } from './cells/text.ts'
import { openSource, type RawColumn, type SourceFile, tablesIn } from './source-file.ts'

export async function companionFiles(
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
      for (const table of await tablesIn(each)) {
        const file = await openSource(table)
        if (is(file.columns)) found.push(file)
      }
    }
  }
  return found
}

/** Where a cell stands that cannot be read, for the report. */
export const placeOf = (file: SourceFile, row: number, column: string, cell: string | number | null): string =>
  `${file.name} 第 ${row + 1} 条 ${shown(column, 40)} 列：“${shown(String(cell ?? ''), 40)}”`

export type Cell = (column: string, row: number) => string | number | null

/** A day; `null`: nothing there, `unreadable`: what is there is no day, as the file writes it. */
export type DayCell = { readonly day: string | null; readonly unreadable: string | null }

export interface Cells {
  readonly rows: number
  readonly cell: Cell
  day(column: string, row: number): DayCell
}

/**
 * Reads the wanted columns that a file has; what is not there, or empty, is null in every row.
 * @param isPossible false: a day of the column that no table can mean, which is unreadable
 */
export async function cellsOf(
  file: SourceFile,
  wanted: readonly string[],
  isPossible: (column: string, day: string) => boolean = () => true,
): Promise<Cells> {
  const { rows, columns } = await file.read(wanted.filter((column) => file.columns.includes(column)))
  const cell: Cell = (column, row) => {
    const raw: RawColumn | undefined = columns.get(column)
    if (!raw) return null
    const value = raw.values[row] ?? null
    if (typeof value === 'number') return Number.isNaN(value) ? null : value
    return value === null || isEmpty(value) ? null : value
  }
  // Each writing of a day is read once.
  const days = new Map(wanted.map((column) => [column, new Map<string | number, DayCell>()]))
  const day = (column: string, row: number): DayCell => {
    const value = cell(column, row)
    if (value === null) return { day: null, unreadable: null }
    const known = days.get(column)!
    let found = known.get(value)
    if (found === undefined) {
      const raw = columns.get(column)
      const read = dayOf(value, raw?.kind === 'number' && raw.isDays === true)
      const isDay = read !== null && isPossible(column, read)
      known.set(value, (found = isDay ? { day: read, unreadable: null } : { day: null, unreadable: String(value) }))
    }
    return found
  }
  return { rows, cell, day }
}
