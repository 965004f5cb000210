import { shown } from '@convexa/contract'
import { shanghaiDate, shanghaiTime } from '../base/time.ts'
import { type CalendarReach, calendarReach, changesOf, changeWords } from '../feeds/calendar-lines.ts'
import { type ClosedWeekdays, closedWeekdaysIn, closedWeekdaysOf, datesOf, isWeekend, lastYear, weekdayOf } from '../market/calendar.ts'
import { besidesHolidays, closures, holidays, openDays, yearFaults } from '../market/calendar-checks.ts'
import { readNotice } from '../market/calendar-file.ts'
import { forgetYear, readCalendar, setYear } from '../market/calendar-years.ts'
import { withCommandContext } from './command-context.ts'
import { exits, Stop } from './exits.ts'
import { answer, print } from './output.ts'
import { table } from './text.ts'
import { textOf } from './text-file.ts'

/** `convexa feed calendar show`: the last day with a known calendar, and the source of each year. */
export async function calendarShow(): Promise<void> {
  await withCommandContext('database', async ({ db }) => {
    const reach = await calendarReach(db)
    answer(reach, () => calendarText(reach))
  })
}

export function calendarText({ through, lines }: CalendarReach): string {
  const rows = lines.map(({ year, from, days, since, note }) => [
    String(year),
    from ?? '未知',
    days === null ? '—' : String(days),
    since ? shanghaiTime(since).slice(0, 16).replace('T', ' ') : '—',
    note,
  ])
  return `交易日历到 ${through}\n${table([['年份', '来自', '交易日', '得知', '说明'], ...rows], [2])}`
}

/** `convexa feed calendar set`: the operator's word on a year. Nothing is kept of a file that is not a whole year. */
export async function calendarSet(year: number, file: string, { check, besides }: { check?: boolean; besides?: boolean }): Promise<void> {
  const today = shanghaiDate(new Date())
  await withCommandContext('database', async ({ db, stay }) => {
    const why = whyNotSet(year, today)
    if (why !== null) throw new Stop(exits.refused, why)
    const closed = closedIn(file, year, besides === true)
    print(yearText(year, closed))
    const before = closedWeekdaysOf(year)
    const changes = before === null ? [] : changesOf(year, before, closed)
    if (before !== null) print(changes.length > 0 ? `与现有的日历不同：${changeWords(changes)}。` : '与现有的日历相同。')
    if (changes.some(({ date }) => date <= today)) print('其中有已经过去的日子：已发布的行情不会因此改变。')
    if (check) {
      print('检查通过，没有保存。')
      return
    }
    stay()
    await setYear(db, year, closed)
    print('已保存，运行中的服务随即使用。')
  })
}

/**
 * Why a year is not set today, as a Chinese sentence; null: it is. One that went by unknown is still wanted: days are counted through it to those of now.
 */
export function whyNotSet(year: number, today: string): string | null {
  const now = Number(today.slice(0, 4))
  if (year > now + 1 || (year < now && year <= lastYear()))
    return `只能设置今年（${now}）或明年（${now + 1}）的休市日：过去的年份不再改变，更晚的交易所还没有公布`
  return year > lastYear() + 1 ? `交易日历只到 ${lastYear()} 年，请先设置 ${lastYear() + 1} 年` : null
}

/** `convexa feed calendar forget`: the operator's word is taken back. */
export async function calendarForget(year: number): Promise<void> {
  await withCommandContext('database', async ({ db, stay }) => {
    stay()
    if (!(await forgetYear(db, year))) throw new Stop(exits.refused, `没有设置过 ${year} 年的休市日`)
    await readCalendar(db)
    print(`已撤销 ${year} 年的设置。\n\n${calendarText(await calendarReach(db))}`)
  })
}

/** @throws Stop 3 with every line that is wrong, or every holiday that is missing */
function closedIn(file: string, year: number, besides: boolean): ClosedWeekdays {
  const refuse = (why: string): never => {
    throw new Stop(exits.refused, `${shown(file, 200)} 没有被接受：${why}`)
  }
  const text = textOf(file, refuse)
  if (text.includes('\ufffd')) return refuse('它不是 UTF-8 编码的文本，请把通知另存为 UTF-8 的文本文件')
  const found = readNotice(text, year)
  if (!found.ok) return refuse(`\n${found.problems.map((each) => `  ${each}`).join('\n')}`)
  const closed = closedWeekdaysIn(found.closed)
  const faults = [...yearFaults(year, closed), ...(besides ? [] : slips(year, closed))]
  return faults.length > 0 ? refuse(`\n${faults.map((each) => `  ${each}`).join('\n')}`) : closed
}

const slips = (year: number, closed: ClosedWeekdays): string[] =>
  besidesHolidays(year, closed).map((date) => `${date}（${weekdayOf(date)}）前后没有法定节假日；确实休市的，加 --besides`)

/** The year as it will be: every stretch of closed days with its holidays, weekends at its ends among them. */
function yearText(year: number, closed: ClosedWeekdays): string {
  const rows = closures(year, closed).map((dates) => {
    const names = new Set(holidays(year).flatMap(({ date, name }) => (dates.includes(date) ? name : [])))
    const [first = '', last = first] = [dates[0], dates.at(-1)]
    const days = first === last ? dayText(first) : `${dayText(first)} 至 ${dayText(last)}`
    return [[...names].join('、') || '其他', days, `${dates.filter((date) => !isWeekend(date)).length} 个工作日`]
  })
  return `${year} 年：${openDays(year, closed)} 个交易日，周末之外休市 ${datesOf(year, closed).length} 天\n${table([['节日', '休市', '其中'], ...rows])}`
}

const dayText = (date: string): string => `${date.slice(5)}（${weekdayOf(date)}）`
