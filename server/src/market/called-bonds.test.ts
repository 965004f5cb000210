/**
 * Ten bonds that were called, with the days on which their issuers announced it. Of each day only stands whether its share closed at or above the
 * trigger price (+), below it (-), did not trade (s), or whether the bond could not be converted yet (o); the day on which the clause was met was
 * counted in these rows by hand. Issuers decide in the evening of that day or within a few days, so their announcements prove the count.
 */
import { callStates } from '@convexa/contract/enums/call-status'
import { labelOf, valuesOf } from '@convexa/contract/enums/table'
import { callState, redeemCounts, type Security, unknownTerms } from '@convexa/engine'
import { expect, it } from 'vitest'
import { tradingDays } from './calendar.ts'

interface Called {
  readonly name: string
  readonly code: string
  /** Days, window, per cent. */
  readonly clause: readonly [days: number, window: number, percent: number]
  readonly conversionStart: string
  readonly from: string
  readonly until: string
  readonly days: string
  readonly met: string
  readonly announced: string
  /** Of a promise not to call. */
  readonly waived?: string
}

const texts = valuesOf(callStates).map((state) => labelOf(callStates, state))
const usual = [15, 30, 130] as const
const bonds: readonly Called[] = [
  {
    // Five days of suspension; its board declined on 2021-10-20 without a date.
    ...{ name: '清水转债', code: '123028.SZ', clause: usual, conversionStart: '2019-12-25', from: '2021-08-13', until: '2021-11-15' },
    days: '---------------------+++++sssss+++++++++++++++++++++++++++++',
    ...{ met: '2021-10-19', waived: '2021-10-20', announced: '2021-11-10' },
  },
  {
    ...{ name: '高能转债', code: '113515.SH', clause: usual, conversionStart: '2019-02-01', from: '2020-03-18', until: '2020-05-22' },
    days: '-------------------s---+++-+--+++++++++++---',
    ...{ met: '2020-05-19', announced: '2020-05-19' },
  },
  {
    ...{
      name: '瀚蓝转债',
      code: '110069.SH',
      clause: [10, 30, 130],
      conversionStart: '2020-10-13',
      from: '2021-01-18',
      until: '2021-03-25',
    },
    days: '-------------------------++++------+++++++--',
    ...{ met: '2021-03-22', announced: '2021-03-22' },
  },
  {
    ...{
      name: '威帝转债',
      code: '113514.SH',
      clause: [20, 30, 130],
      conversionStart: '2019-01-28',
      from: '2020-06-05',
      until: '2020-08-07',
    },
    days: '-------------------++++++++--+++++++++++++++',
    ...{ met: '2020-08-04', announced: '2020-08-04' },
  },
  {
    ...{
      name: '海尔转债',
      code: '110049.SH',
      clause: [15, 30, 120],
      conversionStart: '2019-06-25',
      from: '2019-09-19',
      until: '2019-11-26',
    },
    days: '--------------------------++++++++++++++++++',
    ...{ met: '2019-11-21', announced: '2019-11-21' },
  },
  {
    ...{
      name: '平银转债',
      code: '127010.SZ',
      clause: [15, 30, 120],
      conversionStart: '2019-07-25',
      from: '2019-06-25',
      until: '2019-08-26',
    },
    days: 'oooooooooooooooooooooo++++++----+++++++++++++',
    ...{ met: '2019-08-20', announced: '2019-08-21' },
  },
  {
    ...{ name: '冰轮转债', code: '127009.SZ', clause: usual, conversionStart: '2019-07-18', from: '2019-07-03', until: '2019-09-02' },
    days: 'ooooooooooo+++++++++++++---------------+++-+',
    ...{ met: '2019-08-28', announced: '2019-08-28' },
  },
  {
    // Announced on a Saturday.
    ...{ name: '雨虹转债', code: '128016.SZ', clause: usual, conversionStart: '2018-03-29', from: '2020-01-02', until: '2020-03-12' },
    days: '-----------------------++---+++++++++++++++++',
    ...{ met: '2020-03-06', announced: '2020-03-07' },
  },
  {
    ...{ name: '紫金转债', code: '113041.SH', clause: usual, conversionStart: '2021-05-10', from: '2021-03-29', until: '2021-06-02' },
    days: 'oooooooooooooooooooooooooo++++++++++++++++++',
    ...{ met: '2021-05-28', announced: '2021-05-28' },
  },
  {
    ...{
      name: '金力转债',
      code: '123033.SZ',
      clause: [20, 30, 130],
      conversionStart: '2020-05-07',
      from: '2021-06-02',
      until: '2021-08-04',
    },
    days: '---------------------++++++++++++++++++++++++',
    ...{ met: '2021-07-29', announced: '2021-07-30' },
  },
]

it.each(bonds)('$name（$code）was met on $met and called on $announced', (bond) => {
  const [days, window, percent] = bond.clause
  const dates = tradingDays(bond.from, bond.until)
  expect(bond.days).toHaveLength(dates.length)
  // A conversion price of 10: the share closes just at its trigger, or a cent below it. Before conversion it is above, too, and does not count.
  const closes = new Float64Array(dates.length)
  for (const [t, sign] of [...bond.days].entries()) closes[t] = sign === 's' ? closes[t - 1]! : percent / 10 - (sign === '-' ? 0.01 : 0)
  const trades = Float64Array.from(bond.days, (sign) => Number(sign !== 's'))
  const security: Security = {
    ...{ code: bond.code, name: bond.name, pinyin: '', board: 'SSE_MAIN', listed: null, delisted: null, lastDay: null, lastDayKnown: null },
    ...{ redemptionPrice: null, issuer: bond.code, attributes: {} },
    terms: { ...unknownTerms, conversionStart: bond.conversionStart, redeem: { days, window, trigger: percent / 100 } },
    announcements: [
      ...(bond.waived === undefined ? [] : [{ date: bond.waived, kind: 'no_redeem' as const }]),
      { date: bond.announced, kind: 'redeem' },
    ],
  }
  const panel = {
    ...{ dates, securities: [security], stride: 1, listed: new Uint8Array(dates.length).fill(1), traded: Uint8Array.from(trades) },
    columns: new Map([
      ['close_stk', closes],
      ['conv_price', new Float64Array(dates.length).fill(10)],
      ['vol_stk', trades],
    ]),
  }
  const redeem = redeemCounts(panel)!
  const states = [...callState(panel, redeem)!].map((state) => texts[state])
  const met = dates.indexOf(bond.met)
  expect([redeem.counts[met - 1], redeem.counts[met]]).toEqual([days - 1, days])
  expect(states.indexOf('已满足强赎条件')).toBe(met)
  /** The first day on which it is known. */
  const after = (day: string) => dates.findIndex((date) => date > day)
  const expected = dates.map((_, t) => {
    if (t >= after(bond.announced)) return '已公告强赎'
    return bond.waived !== undefined && t >= after(bond.waived) ? '公告不强赎' : '已满足强赎条件'
  })
  expect(states.slice(met)).toEqual(expected.slice(met))
})
