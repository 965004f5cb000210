import writeBook, { type SheetData } from 'write-excel-file/universal'
import { type SheetCell, saveBlob } from '../ui/table/sheet.ts'

/** Saves lines as an Excel file: the second line are the heads, numbers stay numbers. Fetched when somebody asks for it. */
export async function saveBook(name: string, lines: readonly (readonly SheetCell[])[]): Promise<void> {
  const rows: SheetData = lines.map((line, index) =>
    line.map((cell) => {
      if (cell === null || cell === undefined || Number.isNaN(cell)) return null
      return index === 1 ? { value: String(cell), fontWeight: 'bold' } : { value: cell }
    }),
  )
  saveBlob(name, await writeBook(rows, { stickyRowsCount: 2 }).toBlob())
}
