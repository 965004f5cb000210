/** Single values as providers write them. What none of them is known to write is a fault, never a guess. */
import { FeedFault } from '../feed.ts'

/** How they write "nothing"; `buy` is Jisilu's for what only its members see. */
const nothing = new Set(['', '-', '--', '—', 'null', 'None', 'nan', 'NaN', 'buy'])

/** A number, from a number or its text; NaN = nothing there. */
export function numberCell(raw: unknown, where: string): number {
  if (typeof raw === 'number' && Number.isFinite(raw)) return raw
  if (raw === null || raw === undefined) return Number.NaN
  if (typeof raw === 'string') {
    const text = raw.trim()
    if (nothing.has(text)) return Number.NaN
    if (/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?%?$/i.test(text)) return Number.parseFloat(text)
  }
  throw new FeedFault('shape', `${where}应是数字，却是“${String(raw).slice(0, 20)}”`)
}

/** A text; null = nothing there. */
export function textCell(raw: unknown): string | null {
  if (typeof raw === 'number') return String(raw)
  if (typeof raw !== 'string') return null
  const text = raw.trim()
  return nothing.has(text) ? null : text
}

/** `20240614`, `2024-06-14`, `2024-06-14 00:00:00`, 20240614 as `2024-06-14`; null = nothing there. */
export function dateCell(raw: unknown, where: string): string | null {
  const text = textCell(raw)
  // "None" as a date: xtdata's 0 and 99999999.
  if (text === null || text === '0' || text === '99999999') return null
  const found = /^(\d{4})-?(\d{2})-?(\d{2})(?:[ T]00:00:00(?:\.0+)?)?$/.exec(text)
  const date = found && `${found[1]}-${found[2]}-${found[3]}`
  if (date && !Number.isNaN(Date.parse(`${date}T00:00:00Z`)) && new Date(`${date}T00:00:00Z`).toISOString().startsWith(date)) return date
  throw new FeedFault('shape', `${where}应是日期，却是“${text.slice(0, 20)}”`)
}

/** `2024-06-14` as `20240614`. */
export const compactDate = (date: string): string => date.replaceAll('-', '')
