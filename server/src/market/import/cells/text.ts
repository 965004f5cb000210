/** Texts of cells, before anything is read out of them. A cell is given, empty, or unreadable; empty is absent, never 0 and never "no". */

/** How files write "nothing", in lower case. */
const emptyWords: ReadonlySet<string> = new Set(['', '-', '--', '—', '——', 'nan', 'na', 'n/a', '#n/a', 'nat', '<na>', 'null', 'none'])

/** No longer text is one of them. */
export const longestEmpty = Math.max(...[...emptyWords].map((word) => word.length))

export function isEmpty(text: string): boolean {
  const trimmed = text.trim()
  return trimmed.length <= longestEmpty && emptyWords.has(trimmed.toLowerCase())
}

/** Half width and trimmed, without what keeps a spreadsheet from taking a text for a number: `'600001` and `="600001"` are `600001`. */
export function plainText(text: string): string {
  const plain = text.normalize('NFKC').trim()
  return /^=\s*"([^"]*)"$/.exec(plain)?.[1]?.trim() ?? plain.replace(/^'/, '')
}

/**
 * A security's name: exchanges and downloads pad short ones with blanks and write letters full width (`万  科Ａ`, `五 粮 液`), which says
 * nothing and is found by nobody who types the name. null = nothing there.
 */
export function readName(cell: string | number | null): string | null {
  const text = readText(cell)
    ?.replaceAll(/[Ａ-Ｚａ-ｚ０-９＊]/g, (sign) => sign.normalize('NFKC'))
    .replaceAll(/\s+/g, '')
  return text ? text : null
}

/** A text that is kept as it is written, without control characters; null = nothing there. */
export function readText(cell: string | number | null): string | null {
  const text = String(cell ?? '')
    .replace(/\p{Cc}/gu, '')
    .trim()
  return isEmpty(text) ? null : text
}
