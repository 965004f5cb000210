import type { Holding } from '@convexa/contract'
import { codeParts, publishers } from '../market/import/cells/code.ts'

/** Names of the columns in tables that terminals and brokers write; of several the first that is there. */
const codeColumns = ['证券代码', '代码', '股票代码', '合约代码', 'code']
const volumeColumns = ['当前拥股', '持仓数量', '持有数量', '证券数量', '股份余额', '证券余额', '拥股数量', '持仓', '数量', 'volume']

export type HoldingsRead = { readonly ok: true; readonly holdings: Holding[] } | { readonly ok: false; readonly mistake: string }

/**
 * Holdings from the text of a table: a CSV file or pasted cells. With a header by its columns, without one the first code of a line and the
 * first whole number after it. `known` completes codes without their exchange.
 */
export function readHoldings(text: string, known: Iterable<string>): HoldingsRead {
  const suffixed = new Map([...known].map((code) => [code.slice(0, 6), code]))
  const lines = text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)
    .map(cellsOf)
  const header = lines.findIndex((cells) => cells.some((cell) => codeColumns.includes(cell)))
  const names = lines[header] ?? []
  const columns = header < 0 ? null : { code: placeOf(names, codeColumns), volume: placeOf(names, volumeColumns) }
  if (columns && columns.volume < 0) return { ok: false, mistake: `第 ${header + 1} 行没有数量一列` }
  const found = new Map<string, number>()
  for (const [i, cells] of lines.entries()) {
    if (i <= header || cells.every((cell) => cell === '')) continue
    const at = columns ? columns.code : cells.findIndex(isWholeCode)
    // A line of sums has no code.
    if (columns && !/\d/.test(cells[at] ?? '')) continue
    const parts = codeParts(cells[at] ?? '')
    if (parts === null || (parts.exchange ?? '') in publishers) return { ok: false, mistake: `第 ${i + 1} 行没有证券代码` }
    const { number, exchange } = parts
    const code = exchange ? `${number}.${exchange}` : suffixed.get(number)
    if (!code) return { ok: false, mistake: `第 ${i + 1} 行的 ${number} 不在行情数据中，请补上 .SH、.SZ 或 .BJ` }
    const volumeText = columns ? cells[columns.volume] : cells.slice(at + 1).find((cell) => /^\d[\d,]*(\.0*)?$/.test(cell))
    const volume = Number((volumeText ?? '').replaceAll(',', ''))
    if (!volumeText || !Number.isSafeInteger(volume) || volume < 0 || volume > 1e9)
      return { ok: false, mistake: `第 ${i + 1} 行的数量不是整数` }
    found.set(code, (found.get(code) ?? 0) + volume)
  }
  return { ok: true, holdings: [...found].map(([code, volume]) => ({ code, volume })) }
}

/** Where no header says which column has the codes, a number of fewer digits is no code. */
const isWholeCode = (cell: string): boolean => cell.replace(/[^\d０-９]/g, '').length >= 6 && codeParts(cell) !== null

/** Tabs where there are some, else commas, else spaces. Commas within quotes are thousands; `="000001"` of spreadsheets is the text. */
function cellsOf(line: string): string[] {
  const plain = line.trim().replace(/"([^"]*)"/g, (_, inner: string) => inner.replaceAll(',', ''))
  const separator = plain.includes('\t') ? '\t' : /[,，;]/.test(plain) ? /[,，;]/ : /\s+/
  return plain.split(separator).map((cell) =>
    cell
      .trim()
      .replace(/^[='"]+/, '')
      .replace(/"$/, ''),
  )
}

const placeOf = (cells: readonly string[], names: readonly string[]): number =>
  cells.indexOf(names.find((name) => cells.includes(name)) ?? ' ')
