/**
 * The exchanges' holiday notice as an operator saves it: its own sentences, or a date or a range of dates a line.
 *
 *     # what begins so is not read
 *     （一）元旦：1月1日（星期五）至1月3日（星期日）休市，1月4日（星期一）起照常开市。
 *     2027-02-05 至 2027-02-11
 *     10月1日至7日
 */
import { addDays, weekdayOf } from './calendar.ts'

/** `problems`: Chinese sentences with their lines. */
export type ReadNotice =
  | { readonly ok: true; readonly closed: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] }

const day = String.raw`(?:(\d{4})\s*[-年/]\s*)?(\d{1,2})\s*[-月/]\s*(\d{1,2})(?!\d)\s*[日号]?`
const dayOnly = String.raw`()()(\d{1,2})\s*[日号]`
const weekday = String.raw`(?:\s*[（(]\s*(?:星期|周)([一二三四五六日天])\s*[）)])?`
const stretch = new RegExp(`${day}${weekday}(?:\\s*(?:至|到|[-~～—–－]+)\\s*(?:${day}|${dayOnly})${weekday})?`, 'g')
/** What is left of a date that was not understood. */
const looksLikeDate = /\d+\s*[月日号]|\d{4}\s*[-/]\s*\d/
/** A line that says so in words names every date's part in it; one without is a list of closed dates. */
const says = /休市|开市|放假|上班/
const closes = /休市|放假/
/** Trading goes on, so it is said; weekends on which offices work are closed all the same. */
const opens = /开市|恢复交易/
const works = /上班/

/**
 * Closed dates that a text names for a year; weekends may be among them, days of other years are left out.
 */
export function readNotice(text: string, year: number): ReadNotice {
  const problems: string[] = []
  const closed = new Set<string>()
  const open = new Map<string, number>()
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  for (const [i, line] of lines.entries()) {
    if (line.trim().startsWith('#')) continue
    const problem = (words: string) => problems.push(`第 ${i + 1} 行：${words}`)
    for (const clause of line.split(/[，,。；;]/)) {
      const rest = clause.replace(stretch, (whole, ...found: (string | undefined)[]) => {
        const read = datesIn(found, year)
        if (typeof read === 'string') problem(`“${whole.trim()}”${read}`)
        else if (opens.test(clause)) for (const date of read) open.set(date, i + 1)
        else if (closes.test(clause) || !says.test(line)) for (const date of read) closed.add(date)
        else if (!works.test(clause)) problem(`“${whole.trim()}”没有写明是否休市，不是休市日的请删去`)
        return ''
      })
      if (looksLikeDate.test(rest)) problem(`看不懂“${clause.trim().slice(0, 60)}”里的日期`)
    }
  }
  for (const [date, line] of open) if (closed.has(date)) problems.push(`第 ${line} 行：${date} 写明开市，却又在休市的日期里`)
  if (problems.length === 0 && closed.size === 0) problems.push('没有找到休市日期')
  return problems.length > 0 ? { ok: false, problems } : { ok: true, closed: [...closed].sort() }
}

/** The dates of a stretch that fall into the year; a Chinese rest of a sentence when they are none. */
function datesIn(found: readonly (string | undefined)[], year: number): string[] | string {
  const [fromYear, fromMonth, fromDay, fromWeekday, toYear, toMonth, toDay, , , onlyDay, toWeekday] = found
  const from = dateOf(fromYear ?? String(year), fromMonth, fromDay)
  const to =
    (toDay ?? onlyDay) === undefined
      ? from
      : dateOf(toYear ?? (toMonth ? String(year) : (fromYear ?? String(year))), toMonth ?? fromMonth, toDay ?? onlyDay)
  if (from === null || to === null) return '里没有这一天'
  for (const [date, said] of [
    [from, fromWeekday],
    [to, toWeekday],
  ] as const)
    if (said !== undefined && !weekdayOf(date).endsWith(said.replace('天', '日'))) return `里的星期不对，${date} 是${weekdayOf(date)}`
  if (to < from) return '的结束早于开始'
  if (to > addDays(from, longest)) return `超过 ${longest} 天，请核对`
  const dates: string[] = []
  for (let date = from; date <= to; date = addDays(date, 1)) if (date.startsWith(`${year}-`)) dates.push(date)
  return dates.length > 0 ? dates : `不在 ${year} 年`
}
/** No holiday was longer than twelve days. */
const longest = 16

function dateOf(year: string, month: string | undefined, day: string | undefined): string | null {
  const date = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`
  const read = Date.parse(`${date}T00:00:00Z`)
  return Number.isNaN(read) || new Date(read).toISOString().slice(0, 10) !== date ? null : date
}
