import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { madeUpYear } from '../../test/fixtures/market/made-up-year.ts'
import { builtInYear, learnYears, tradingDays } from './calendar.ts'
import { simulateDemo } from './demo.ts'
import { expectedDaysBehind, expectedTradingDays, isBeyondCalendar, lastExpectedDay, nextExpectedDay } from './expected-days.ts'

/** The first year whose closed days this program does not have: each case is about its weekdays. */
const year = builtInYear + 1
const at = (text: string) => new Date(`${text}+08:00`)

describe('trading days of a year whose closed days are not known yet', () => {
  it('are its weekdays but 1 January; those of known years stay what they are', () => {
    const days = expectedTradingDays(`${builtInYear}-12-01`, `${year}-12-31`)
    expect(days.filter((day) => day < `${year}`)).toEqual(tradingDays(`${builtInYear}-12-01`, `${builtInYear}-12-31`))
    const after = days.filter((day) => day > `${year}`)
    expect([after.length > 255, after.includes(`${year}-01-01`)]).toEqual([true, false])
    expect(after.every((day) => new Date(day).getUTCDay() % 6 !== 0)).toBe(true)
    expect([isBeyondCalendar(`${builtInYear}-12-31`), isBeyondCalendar(`${year}-01-01`)]).toEqual([false, true])
  })

  it('give way to the calendar as soon as the year is known', () => {
    const guessed = expectedTradingDays(`${year}-01-01`, `${year}-12-31`)
    learnYears(new Map([[year, madeUpYear(year)]]))
    const known = expectedTradingDays(`${year}-01-01`, `${year}-12-31`)
    expect(known).toEqual(tradingDays(`${year}-01-01`, `${year}-12-31`))
    expect(known.every((day) => guessed.includes(day))).toBe(true)
    expect(isBeyondCalendar(`${year}-06-01`)).toBe(false)
    learnYears(new Map())
  })

  it.runIf(year === 2027)('go on over New Year and years later', () => {
    expect(['2026-12-30', '2026-12-31', '2027-01-08', '2028-02-28'].map(nextExpectedDay)).toEqual([
      ...['2026-12-31', '2027-01-04', '2027-01-11', '2028-02-29'],
    ])
    expect(
      ['2026-12-31T14:59:59', '2026-12-31T15:00:00', '2027-01-03T12:00:00', '2027-01-04T15:00:00', '2028-03-01T09:00:00'].map((now) =>
        lastExpectedDay(at(now)),
      ),
    ).toEqual([...['2026-12-30', '2026-12-31', '2026-12-31', '2027-01-04', '2028-02-29']])
    const data = { dataMode: 'imported', lastDate: '2026-12-30' } as const
    expect(['2026-12-31T15:00:00', '2027-01-04T15:00:00', '2027-01-08T16:00:00'].map((now) => expectedDaysBehind(data, at(now)))).toEqual([
      1, 2, 6,
    ])
    expect(expectedDaysBehind({ ...data, dataMode: 'demo' }, at('2028-03-01T09:00:00'))).toBe(0)
  })
})

test('the demo market reaches the last expected day', () => {
  const { dates } = simulateDemo({ size: 'small', through: `${year + 1}-02-29` })
  expect(dates).toEqual(expectedTradingDays(dates[0]!, `${year + 1}-02-29`))
})

test('only demo markets, pages and previews ask for expected days', () => {
  const folder = new URL('..', import.meta.url).pathname
  const files = globSync('**/*.ts', { cwd: folder }).filter(
    (file) => !file.endsWith('.test.ts') && readFileSync(`${folder}${file}`, 'utf8').includes('/expected-days.ts'),
  )
  expect(files.sort()).toEqual([
    // What a page shows of the day behind the last, or of how old data are.
    'compute/live-days.ts',
    ...['market/demo.ts', 'market/demo/climate.ts', 'market/demo/company.ts', 'market/demo/demo-main.ts', 'market/panels.ts'],
    // The dry run is a preview; whatever goes to a terminal passes `needTradable`, which refuses such a day.
    'qmt/market-day.ts',
    'quant/data-sheet.ts',
    // Leaves such days of a demo market unrecorded.
    'strategy/followed-days.ts',
  ])
})
