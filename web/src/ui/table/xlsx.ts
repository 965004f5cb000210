import { type SheetCell, saveBlob } from './sheet.ts'

/** One table of a workbook; its first rows stay in sight and are bold. */
export interface WorkbookSheet {
  name: string
  rows: readonly (readonly SheetCell[])[]
  /** How many of them; one when not told. */
  headRows?: number
}

/** Texts by their paths in the archive. */
export type ArchiveFiles = Record<string, string>

const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'

/** Tables as an XLSX file (ECMA-376): numbers are numbers, texts are texts and never formulas, what is absent is empty. */
export const xlsxOf = async (sheets: readonly WorkbookSheet[]): Promise<Blob> => new Blob([await zipped(workbookFiles(sheets))], { type })

/** Hands tables to the browser as a file; `name` without the ending. */
export const saveXlsx = async (name: string, sheets: readonly WorkbookSheet[]): Promise<void> =>
  saveBlob(`${name}.xlsx`, await xlsxOf(sheets))

/**
 * Packs a ZIP archive in a worker, so that the page answers meanwhile.
 * @throws where the worker's code does not come
 */
async function zipped(files: ArchiveFiles): Promise<BlobPart> {
  const worker = new Worker(new URL('./zip-worker.ts', import.meta.url), { type: 'module', name: 'zip' })
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<BlobPart>) => resolve(data)
      worker.onerror = ({ message }) => reject(new Error(message || 'the worker that packs archives did not start'))
      worker.postMessage(files)
    })
  } finally {
    worker.terminate()
  }
}

/** The files of a workbook, before they are packed. */
export function workbookFiles(sheets: readonly WorkbookSheet[]): ArchiveFiles {
  const numbers = sheets.map((_, i) => i + 1)
  const part = (path: string, kind: string) =>
    `<Override PartName="${path}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml"/>`
  const relation = (id: string, kind: string, target: string) => `<Relationship Id="${id}" Type="${relations}/${kind}" Target="${target}"/>`
  return {
    '[Content_Types].xml': xml(
      `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${part('/xl/workbook.xml', 'sheet.main')}${part('/xl/styles.xml', 'styles')}${numbers.map((n) => part(`/xl/worksheets/sheet${n}.xml`, 'worksheet')).join('')}</Types>`,
    ),
    '_rels/.rels': xml(
      `<Relationships xmlns="${packages}/relationships">${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    ),
    'xl/workbook.xml': xml(
      `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${sheets
        .map(({ name }, i) => `<sheet name="${escaped(sheetName(name))}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
        .join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': xml(
      `<Relationships xmlns="${packages}/relationships">${numbers
        .map((n) => relation(`rId${n}`, 'worksheet', `worksheets/sheet${n}.xml`))
        .join('')}${relation('rIdStyles', 'styles', 'styles.xml')}</Relationships>`,
    ),
    'xl/styles.xml': xml(styles),
    ...Object.fromEntries(sheets.map((sheet, i) => [`xl/worksheets/sheet${i + 1}.xml`, xml(sheetOf(sheet))])),
  }
}

/** Style 0 is plain, style 1 is bold. */
const styles = `<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`

const xml = (body: string) => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${body}`

function sheetOf({ rows, headRows = 1 }: WorkbookSheet): string {
  const widths = (rows[headRows - 1] ?? []).map((_, column) => widthOf(rows, column))
  const columns = widths.map((width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`).join('')
  const lines = rows
    .map((row, i) => `<row r="${i + 1}">${row.map((cell, column) => cellOf(cell, column, i, i < headRows)).join('')}</row>`)
    .join('')
  return `<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="${headRows}" topLeftCell="A${headRows + 1}" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${columns ? `<cols>${columns}</cols>` : ''}<sheetData>${lines}</sheetData></worksheet>`
}

function cellOf(cell: SheetCell, column: number, row: number, head: boolean): string {
  if (cell === null || cell === undefined || cell === '' || (typeof cell === 'number' && !Number.isFinite(cell))) return ''
  const place = `${columnName(column)}${row + 1}`
  const style = head ? ' s="1"' : ''
  if (typeof cell === 'number') return `<c r="${place}"${style}><v>${cell}</v></c>`
  return `<c r="${place}"${style} t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
}

/** A, B, … Z, AA: letters of a column. */
export function columnName(index: number): string {
  let name = ''
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) name = String.fromCharCode(65 + ((rest - 1) % 26)) + name
  return name
}

/** What a sheet's name may not hold is left out; 31 letters at most. */
const sheetName = (name: string) => name.replace(/[[\]*?/\\:]/g, '').slice(0, 31) || '表'

/** Letters that XML 1.0 has no way to write are left out. */
const escaped = (text: string) =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** As wide as the first rows need, in letters; a Chinese one counts twice. */
function widthOf(rows: WorkbookSheet['rows'], column: number): number {
  const letters = (text: string) => [...text].reduce((sum, letter) => sum + (letter.charCodeAt(0) > 255 ? 2 : 1), 2)
  return rows.slice(0, 40).reduce((most, row) => Math.min(60, Math.max(most, letters(String(row[column] ?? '')))), 8)
}
