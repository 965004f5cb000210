import type { Board } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { inForce, roundHalfUp, usualRules } from '../../src/base/dated-rules.ts'
import { markets } from '../../src/market/index.ts'
import { security } from '../fixtures/security.ts'
import { marketConformance } from './market.conformance.ts'

for (const market of Object.values(markets)) marketConformance(market)

describe('price limits follow board, date and listing day', () => {
  const stock = (
    board: Board,
    listed: string,
    date: string,
    listedDays: number,
    previous: number,
    st: boolean,
    down: number | null,
    up: number | null,
  ) => ({
    board,
    listed,
    date,
    listedDays,
    previous,
    st,
    down,
    up,
  })

  it.each([
    // golden vectors: half up
    stock('SZSE_MAIN', '2010-01-04', '2024-01-02', 900, 10.05, false, 9.05, 11.06),
    stock('SSE_MAIN', '2010-01-04', '2024-01-02', 900, 9.95, false, 8.96, 10.95),
    stock('SZSE_MAIN', '2010-01-04', '2024-01-02', 900, 3.33, true, 3.16, 3.5),
    stock('SSE_MAIN', '2010-01-04', '2024-01-02', 900, 10.05, true, 9.55, 10.55),
    stock('SSE_MAIN', '2010-01-04', '2024-01-02', 900, 4.25, false, 3.83, 4.68),
    // STAR and ChiNext
    stock('STAR', '2019-07-22', '2020-01-02', 100, 50, false, 40, 60),
    stock('STAR', '2019-07-22', '2019-07-26', 5, 50, false, null, null),
    stock('STAR', '2019-07-22', '2019-07-29', 6, 50, false, 40, 60),
    stock('CHINEXT', '2010-01-04', '2020-08-21', 900, 10, false, 9, 11),
    stock('CHINEXT', '2010-01-04', '2020-08-24', 900, 10, false, 8, 12),
    stock('CHINEXT', '2010-01-04', '2020-08-21', 900, 10, true, 9.5, 10.5),
    stock('CHINEXT', '2010-01-04', '2020-08-24', 900, 10, true, 8, 12),
    stock('CHINEXT', '2020-08-24', '2020-08-28', 5, 10, false, null, null),
    // new listings of the main boards, before and after the registration system
    stock('SZSE_MAIN', '2018-01-02', '2018-01-02', 1, 10, false, 6.4, 14.4),
    stock('SZSE_MAIN', '2018-01-02', '2018-01-03', 2, 14.4, false, 12.96, 15.84),
    stock('SSE_MAIN', '2023-04-10', '2023-04-14', 5, 10, false, null, null),
    stock('SSE_MAIN', '2023-04-10', '2023-04-17', 6, 10, false, 9, 11),
    // … each on the day before its rule and on the day
    stock('SSE_MAIN', '2014-06-12', '2014-06-12', 1, 10, false, null, null),
    stock('SSE_MAIN', '2014-06-13', '2014-06-13', 1, 10, false, 6.4, 14.4),
    stock('SSE_MAIN', '2023-04-07', '2023-04-07', 1, 10, false, 6.4, 14.4),
    stock('SSE_MAIN', '2023-04-07', '2023-04-10', 2, 10, false, 9, 11),
    stock('SSE_MAIN', '2023-04-10', '2023-04-10', 1, 10, false, null, null),
    stock('CHINEXT', '2020-08-21', '2020-08-21', 1, 10, false, 6.4, 14.4),
    stock('CHINEXT', '2020-08-21', '2020-08-24', 2, 10, false, 8, 12),
    stock('CHINEXT', '2020-08-24', '2020-08-31', 6, 10, false, 8, 12),
    // before there were limits
    stock('SSE_MAIN', '1992-01-02', '1996-12-13', 900, 10, false, null, null),
    stock('SSE_MAIN', '1992-01-02', '1996-12-16', 900, 10, false, 9, 11),
    // Beijing
    stock('BSE', '2022-03-01', '2022-03-01', 1, 10, false, null, null),
    stock('BSE', '2022-03-01', '2022-03-02', 2, 10, false, 7, 13),
    // ST of the main boards
    stock('SZSE_MAIN', '2010-01-04', '2026-07-03', 900, 10, true, 9.5, 10.5),
    stock('SZSE_MAIN', '2010-01-04', '2026-07-06', 900, 10, true, 9, 11),
    stock('SSE_MAIN', '2010-01-04', '2026-11-20', 900, 10, true, 9, 11),
  ])('$board on $date, day $listedDays, from $previous: $down … $up', ({ board, listed, date, listedDays, previous, st, down, up }) => {
    expect(markets.stk.limits(security({ code: '000001.SZ', board, listed }), date, listedDays, previous, st)).toEqual({ up, down })
  })

  it.each([
    { what: 'as they usually are', rules: usualRules, date: '2026-07-06', rate: 0.1 },
    { what: 'moved to another day', rules: { stLimitFrom: '2027-01-04' }, date: '2026-12-31', rate: 0.05 },
    { what: 'moved to another day', rules: { stLimitFrom: '2027-01-04' }, date: '2027-01-04', rate: 0.1 },
    { what: 'switched off', rules: { stLimitFrom: null }, date: '2027-01-04', rate: 0.05 },
  ])('ST of the main boards has ±$rate on $date by rules $what', ({ rules, date, rate }) => {
    const of = (board: Board) => markets.stk.limitRates(security({ code: '000001.SZ', board }), date, 900, true, rules)
    expect(of('SZSE_MAIN')).toEqual({ up: rate, down: rate })
    expect(of('CHINEXT')).toEqual({ up: 0.2, down: 0.2 })
  })

  it.each([
    { date: '2022-07-29', listedDays: 200, previous: 134.27, down: null, up: null },
    { date: '2022-08-01', listedDays: 200, previous: 134.27, down: 107.416, up: 161.124 },
    // Half up to the tick: 168.9792, 112.6528, 211.5576 and 141.0384.
    { date: '2022-08-15', listedDays: 200, previous: 140.816, down: 112.653, up: 168.979 },
    { date: '2022-08-15', listedDays: 200, previous: 176.298, down: 141.038, up: 211.558 },
    { date: '2022-08-01', listedDays: 1, previous: Number.NaN, down: 56.7, up: 157.3 },
    { date: '2022-07-29', listedDays: 1, previous: Number.NaN, down: null, up: null },
  ])('a bond on $date, day $listedDays: $down … $up', ({ date, listedDays, previous, down, up }) => {
    expect(markets.cb.limits(security({ code: '123014.SZ' }), date, listedDays, previous, false)).toEqual({ up, down })
  })
})

describe('fees follow the date', () => {
  it.each([
    { board: 'SZSE_MAIN', date: '2022-04-28', stampSell: 0.001, transfer: 0.00002 },
    { board: 'SZSE_MAIN', date: '2022-04-29', stampSell: 0.001, transfer: 0.00001 },
    { board: 'BSE', date: '2022-04-28', stampSell: 0.001, transfer: 0.000025 },
    { board: 'BSE', date: '2022-04-29', stampSell: 0.001, transfer: 0.00001 },
    { board: 'STAR', date: '2023-08-27', stampSell: 0.001, transfer: 0.00001 },
    { board: 'STAR', date: '2023-08-28', stampSell: 0.0005, transfer: 0.00001 },
  ] as const)('$board on $date', ({ board, date, stampSell, transfer }) => {
    expect(markets.stk.fees(security({ code: '000001.SZ', board }), date)).toEqual({ stampSell, transfer })
    expect(markets.cb.fees(security({ code: '123014.SZ', board }), date)).toEqual({ stampSell: 0, transfer: 0 })
  })
})

it('lots: bonds 10, stocks 100, STAR from 200 and Beijing from 100 in steps of 1', () => {
  const lot = (board: Board) => markets.stk.lot(security({ code: '000001.SZ', board }), '2024-01-02')
  expect(markets.cb.lot(security({ code: '123014.SZ' }), '2024-01-02')).toEqual({ min: 10, step: 10 })
  expect(lot('CHINEXT')).toEqual({ min: 100, step: 100 })
  expect(lot('STAR')).toEqual({ min: 200, step: 1 })
  expect(lot('BSE')).toEqual({ min: 100, step: 1 })
})

it('what a bond says of its share goes on before the bond, whatever it is', () => {
  const ofShares = markets.cb.fields.filter(
    ({ key, label, derived, fact }) => !derived && !fact && (key.endsWith('_stk') || label.startsWith('正股')),
  )
  expect(ofShares.length).toBeGreaterThan(15)
  expect(ofShares.filter(({ ofStock }) => ofStock === undefined).map(({ key }) => key)).toEqual([])
})

describe('dated rows', () => {
  it('the row in force is the last that has begun', () => {
    const rows = [
      { from: '', value: 1 },
      { from: '2020-01-01', value: 2 },
      { from: '2021-01-01', value: 3 },
    ]
    expect(['1999-01-01', '2019-12-31', '2020-01-01', '2020-12-31', '2022-02-02'].map((date) => inForce(rows, date))).toEqual([
      1, 1, 2, 2, 3,
    ])
  })

  it('halves go up even where binary numbers fall short', () => {
    expect(roundHalfUp(9.95 * 0.9, 2)).toBe(8.96)
    expect(roundHalfUp(10.05 * 1.1, 2)).toBe(11.06)
    expect(roundHalfUp(1.0049, 2)).toBe(1)
  })
})
