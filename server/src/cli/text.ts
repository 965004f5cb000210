import { type DataMode, dataModes } from '@convexa/contract/enums/data-mode'
import type { Row } from '@convexa/contract/enums/table'

/** Names in a file are no commands to a terminal: control characters are left out. */
export const printable = (text: string): string => text.replace(/[^\P{Cc}\n]/gu, '')

/** Columns of text, aligned for a terminal where a Chinese character is two cells wide. The first line is the heading. */
export function table(rows: readonly (readonly string[])[], right: readonly number[] = []): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => cells(row[column] ?? ''))))
  return rows
    .map((row) =>
      row
        .map((text, column) => pad(text, widths[column]!, right.includes(column)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const pad = (text: string, width: number, right: boolean): string => {
  const space = ' '.repeat(Math.max(0, width - cells(text)))
  return right ? space + text : text + space
}

/** East Asian wide and full-width forms take two cells. */
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g
export const cells = (text: string): number => text.length + (text.match(wide)?.length ?? 0)

/** Absent numbers are — and never 0. */
export const percentText = (value: number | null | undefined, decimals = 2): string =>
  value === null || value === undefined ? '—' : `${(value * 100).toFixed(decimals)}%`
export const numberText = (value: number | null | undefined, decimals = 2): string =>
  value === null || value === undefined ? '—' : value.toFixed(decimals)

/** `演示数据（模拟生成，非真实行情）`. */
export function modeText(mode: DataMode): string {
  const { label, hint }: Row = dataModes[mode]
  return hint === undefined ? label : `${label}（${hint}）`
}

export const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`
