import type { Announcement, Security } from '@convexa/engine'
import { expect, it } from 'vitest'
import type { DayTable } from '../rows.ts'
import { noPast, type Past } from './past.ts'
import { withRevisions } from './revised.ts'

const code = '110001.SH'
const proposal: Announcement = { date: '2024-03-04', kind: 'reset_proposal' }
const revision: Announcement = { date: '2024-04-01', kind: 'reset', effective: '2024-04-02' }
const security = (announcements: readonly Announcement[]): Security => ({
  ...{ code, name: '甲转债', pinyin: 'jzz', board: 'SSE_MAIN', listed: '2021-02-01', delisted: null, lastDay: null, lastDayKnown: null },
  ...{ redemptionPrice: null, issuer: '600001.SH', stockCode: '600001.SH', attributes: {}, announcements },
})

/** What is known of the bond in the evening of 2024-04-02, whose conversion price was 10 and whose share closed at 9 the day before. */
function announcementsAfter(announcements: readonly Announcement[], today: Readonly<Record<string, number>>): readonly Announcement[] {
  const column = (value: number) => Float64Array.of(value)
  const past: Past = {
    ...{ ...noPast('cb'), dates: ['2024-04-01'], securities: [security(announcements)], stride: 1 },
    columns: new Map([
      ['conv_price', column(10)],
      ['close_stk', column(9)],
    ]),
  }
  const table: DayTable = {
    date: '2024-04-02',
    codes: [code],
    columns: new Map(Object.entries(today).map(([key, value]) => [key, column(value)])),
  }
  const members = { securities: past.securities, placeOf: new Map([[code, 0]]), listed: Uint8Array.of(1) }
  return withRevisions(past, members, table).securities[0]!.announcements ?? []
}

it.each([
  ['after a proposal is a revision in force', [proposal], { conv_price: 8, close_stk: 9, pre_close_stk: 9 }, [proposal, revision]],
  ['that the ex-day of the share explains is none', [proposal], { conv_price: 8, close_stk: 7.3, pre_close_stk: 7.2 }, [proposal]],
  ['without a proposal is none', [], { conv_price: 8, close_stk: 9, pre_close_stk: 9 }, []],
  [
    'on a day that is made again is found once',
    [proposal, revision],
    { conv_price: 8, close_stk: 9, pre_close_stk: 9 },
    [proposal, revision],
  ],
  ['that a correction takes back is none', [proposal, revision], { conv_price: 10, close_stk: 9, pre_close_stk: 9 }, [proposal]],
])('a cut of the conversion price %s', (_name, before, today, after) => {
  expect(announcementsAfter(before, today)).toEqual(after)
})
