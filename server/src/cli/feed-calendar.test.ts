import { afterEach, expect, test } from 'vitest'
import { madeUpYear } from '../../test/fixtures/market/made-up-year.ts'
import { builtInYear, learnYears } from '../market/calendar.ts'
import { whyNotSet } from './feed-calendar.ts'

const [last, next, after] = [builtInYear, builtInYear + 1, builtInYear + 2]
afterEach(() => learnYears(new Map()))

test.each([
  ['this year, corrected', last, last, null],
  ['the next', next, last, null],
  ['one that is over and known', last - 1, last, `只能设置今年（${last}）或明年`],
  ['one that nobody can know', after, last, `只能设置今年（${last}）或明年`],
  ['one behind a gap', after, next, `请先设置 ${next} 年`],
  ['one behind a gap that went by', after, after, `请先设置 ${next} 年`],
  ['the gap that went by', next, after, null],
])('%s', (_case, year, now, why) => {
  expect(whyNotSet(year, `${now}-05-12`)).toEqual(why === null ? null : expect.stringContaining(why))
})

test('a gap that is filled changes no more', () => {
  learnYears(new Map([[next, madeUpYear(next)]]))
  expect(whyNotSet(next, `${after}-05-12`)).toContain(`只能设置今年（${after}）或明年`)
  expect(whyNotSet(after, `${after}-05-12`)).toBeNull()
})
