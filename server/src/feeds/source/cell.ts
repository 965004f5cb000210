/** Single values as providers write them, read as imports read cells. What cannot be read is a fault, never a guess. */
import type { MarketId } from '@convexa/contract'
import { readCode } from '../../market/import/cells/code.ts'
import { dayOf } from '../../market/import/cells/day.ts'
import { type Quantity, readNumber, readPlainNumber } from '../../market/import/cells/number.ts'
import { readName, readText } from '../../market/import/cells/text.ts'
import { FeedError } from '../feed.ts'

/** Jisilu's word for what only its members see. */
const membersOnly = 'buy'

/** A number, from a number or its text, in the unit of `quantity` where there is one; NaN = nothing there. */
export function numberCell(raw: unknown, where: string, quantity?: Quantity): number {
  const cell = cellOf(raw)
  const read = cell === membersOnly ? Number.NaN : quantity ? readNumber(cell, quantity) : readPlainNumber(cell)
  if (read === null || (cell === null && raw !== null && raw !== undefined))
    throw new FeedError('shape', `${where}应是数字，却是“${String(raw).slice(0, 20)}”`)
  return read
}

/** A text; null = nothing there. */
export function textCell(raw: unknown): string | null {
  const text = readText(cellOf(raw))
  return text === membersOnly ? null : text
}

/** A security's name; null = nothing there. */
export const nameCell = (raw: unknown): string | null => readName(cellOf(raw))

/** A day, however it is written, as `2024-06-14`; null = nothing there. */
export function dateCell(raw: unknown, where: string): string | null {
  const text = textCell(raw)
  // "None" as a date: xtdata's 0 and 99999999.
  if (text === null || text === '0' || text === '99999999') return null
  const day = dayOf(text)
  if (day === null) throw new FeedError('shape', `${where}应是日期，却是“${text.slice(0, 20)}”`)
  return day
}

/** A security's code as ours; null where there is none. */
export const codeCell = (raw: unknown, kind: MarketId): string | null => readCode(cellOf(raw), kind)

const cellOf = (raw: unknown): string | number | null => (typeof raw === 'string' || typeof raw === 'number' ? raw : null)

/** `2024-06-14` as `20240614`. */
export const compactDate = (date: string): string => date.replaceAll('-', '')
