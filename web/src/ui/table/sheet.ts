import { keepsFiles, noFilesWords } from '../keeps-files.ts'
import { toast } from '../toast.tsx'

/** Tables for spreadsheets. */

export type SheetCell = string | number | null | undefined

/**
 * A number as a person writes it may begin with a sign; any other text that begins like a formula would be run by a spreadsheet, also in full
 * width and behind a NUL (OWASP, CSV Injection).
 */
const harmless = /^[+-]?[\d,]*\.?\d+%?$/
const asText = (cell: SheetCell): string => {
  const text = cell === null || cell === undefined || Number.isNaN(cell) ? '' : signsOf(String(cell))
  return /^[=+\-@\t\r\n\0＝＋－＠]/.test(text) && !harmless.test(text) ? `'${text}` : text
}
const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const minus = /−(?=[\d.])/g

/** A text of the page as a program reads it: its minus, its spaces, its groups of digits, its sign of what is missing. */
export const machineText = (text: string): string =>
  text === '—'
    ? ''
    : text
        .replace(minus, '-')
        .replace(/[\u00a0\u2007\u2009\u202f]/g, ' ')
        .replace(/(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])/g, (digits) => digits.replaceAll(',', ''))

/** Figures are written for machines; a name keeps all but a minus. */
const signsOf = (text: string): string => (/\p{L}/u.test(text) ? text.replace(minus, '-') : machineText(text))

/** Lines of CSV; the mark at the start tells Excel that it is UTF-8. */
export const csv = (lines: readonly (readonly SheetCell[])[]): string =>
  `\uFEFF${lines.map((line) => line.map((cell) => quoted(asText(cell))).join(',')).join('\r\n')}\r\n`

/** Lines for the clipboard: a tab between cells, none within. */
export const tsv = (lines: readonly (readonly SheetCell[])[]): string =>
  lines.map((line) => line.map((cell) => asText(cell).replace(/[\t\r\n]+/g, ' ')).join('\t')).join('\n')

/** Hands a text to the browser as a file. */
export const saveText = (name: string, text: string, type: string): void =>
  saveBlob(name, new Blob([text], { type: `${type};charset=utf-8` }))

export function saveBlob(name: string, content: Blob): void {
  if (!keepsFiles()) return void toast.error(noFilesWords)
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has taken its own hold of the data by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Puts a text on the clipboard; false where the browser forbids it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByHand(text)
  }
}

/** Without https there is no clipboard to write to; a copied selection still works. */
function copyByHand(text: string): boolean {
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  return done
}
