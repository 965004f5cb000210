import { type SheetCell, saveBlob } from '../../ui/table/sheet.ts'
import { xlsxOf } from '../../ui/table/xlsx.ts'

/** Saves lines as an Excel file: the second line are the heads, numbers stay numbers. Fetched when somebody asks for it. */
export async function saveBook(name: string, lines: readonly (readonly SheetCell[])[]): Promise<void> {
  saveBlob(name, await xlsxOf([{ name: '名单', rows: lines, headRows: 2 }]))
}
