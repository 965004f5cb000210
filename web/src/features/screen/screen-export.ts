import { demoLabel, isSynthetic } from '@convexa/contract/enums/data-mode'
import type { ScreenResult, ScreenRow } from '@convexa/contract/screen'
import type { TextColumn } from '../../market/text-columns.ts'
import type { SheetCell } from '../../ui/table/sheet.ts'
import { type Change, changeWords } from '../current-list/held-change.ts'
import { type Factors, shownAs, valueText, wordsOf } from '../rule/factors.ts'

/** A factor's name with the unit of its numbers, which are those of the page: `转股溢价率(%)`; a column of texts by its own. */
function headOf(ref: string, factors: Factors, texts: readonly TextColumn[]): string {
  const text = texts.find(({ key }) => key === ref)
  if (text) return text.label
  const { unit } = shownAs(factors.of(ref))
  return unit ? `${factors.nameOf(ref)}(${unit})` : factors.nameOf(ref)
}

export interface ScreenSheet {
  name: string
  result: ScreenResult
  rows: readonly ScreenRow[]
  /** The columns on the screen, and which of them are texts. */
  refs: readonly string[]
  texts: readonly TextColumn[]
  cell: (row: ScreenRow, ref: string) => number | string | null
  factors: Factors
  /** By code, against the list held. */
  changes?: ReadonlyMap<string, { change: Change; why: string }> | null | undefined
}

/** Rows of a screen for a spreadsheet: first what they are, of when, and whether it is demo data; then heads; then numbers as on the page. */
export function sheetOf({ name, result, rows, refs, texts, cell, factors, changes }: ScreenSheet): SheetCell[][] {
  const lead = [
    name,
    `数据 ${result.data_time}`,
    `版本 ${result.data_version}`,
    ...(isSynthetic(result.data_mode) ? [demoLabel] : []),
    ...(result.data_note ? [result.data_note] : []),
  ]
  const all = [...new Set([...refs, ...Object.keys(result.list_items[0]?.values ?? {})])]
  const value = (row: ScreenRow, ref: string): SheetCell => {
    const given = cell(row, ref) ?? row.values[ref] ?? null
    const factor = factors.of(ref)
    if (given === null) return null
    if (typeof given === 'string' || wordsOf(factor)) return valueText(factor, given)
    const { scale, decimals } = shownAs(factor)
    return Number((given * scale).toFixed(Math.max(4, decimals)))
  }
  return [
    lead,
    ['名次', '代码', '名称', '得分', '名单', ...(changes ? ['变化', '变化原因'] : []), ...all.map((ref) => headOf(ref, factors, texts))],
    ...rows.map((row) => [
      row.rank,
      row.code,
      row.name,
      row.score,
      row.selected ? '入选' : row.reserve ? '候补' : '',
      ...(changes ? [changeWords(changes.get(row.code)?.change), changes.get(row.code)?.why ?? ''] : []),
      ...all.map((ref) => value(row, ref)),
    ]),
  ]
}
