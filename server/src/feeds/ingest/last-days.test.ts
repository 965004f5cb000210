import { crossSection, exitsOf, type KnownLastDay, lastDaysOf, markets, type Panel, type Security } from '@convexa/engine'
import { describe, expect, it } from 'vitest'
import type { CallRow } from '../../db/tables/fact-value.ts'
import { lastDayOfCall, lastDayOfMaturity } from '../../market/last-trading-day.ts'
import type { BondRow } from '../rows.ts'
import { entryOfBond } from './entries.ts'
import { noFacts } from './facts.ts'
import { membersOf } from './members.ts'
import { noPast, type Past } from './past.ts'

// What is known of a bond's last trading day, evening by evening.

const code = '110001.SH'
const row: BondRow = {
  ...{ code, name: '甲转债', listed: '2021-02-01', delisted: null, stockCode: '600001.SH', stockName: '甲' },
  ...{ clauses: { redeem: null, put: null, reset: null }, maturityDate: '2027-01-04', valueDate: '2021-01-04' },
  ...{
    conversionStart: '2021-07-05',
    conversionEnd: '2026-12-18',
    issueSize: 5,
    remainSize: 5,
    conversionPrice: 10,
    firstConversionPrice: 10,
  },
  ...{ coupons: [0.004, 0.006, 0.01, 0.015, 0.018, 0.02], maturityPrice: 110, rating: 'AA' },
}
const security: Security = {
  ...{ code, name: '甲转债', pinyin: 'jzz', board: 'SSE_MAIN', listed: '2021-02-01', delisted: null, lastDay: null, lastDayKnown: null },
  ...{ redemptionPrice: null, issuer: '600001.SH', stockCode: '600001.SH', attributes: {} },
}
const call = (announced: string, more: Partial<CallRow> = {}): CallRow => ({
  ...{ code, announced, status: 'called', callDate: null, price: Number.NaN, registerDate: null },
  ...more,
})

/**
 * The bond on a day, given the announcements of calls up to that evening; `gone`: from then on it has no row, and is delisted that day if
 * nothing else is given.
 */
function on(
  day: string,
  calls: readonly CallRow[],
  before: Security = security,
  { gone = null, delisted = gone === null ? null : day }: { gone?: string | null; delisted?: string | null } = {},
): Security {
  const past: Past = {
    ...{ ...noPast('cb'), dates: ['2026-01-05'], securities: [before], stride: 1, listed: Uint8Array.of(1), traded: Uint8Array.of(1) },
    lastTraded: () => gone,
  }
  const entry = entryOfBond({ ...row, delisted })
  const heard = calls.filter(({ announced }) => announced <= day)
  const facts = { ...noFacts, calls: new Map([[code, heard]]) }
  return membersOf(past, day, new Map([[code, entry]]), facts, new Set(gone === null ? [code] : [])).securities[0]!
}

const notices = [
  call('2026-10-26'),
  call('2026-11-02', { price: 101.2, registerDate: '2026-11-19' }),
  call('2026-11-12', { registerDate: '2026-11-19' }),
]

describe('the last trading day of a called bond', () => {
  it('follows from the register day, while the bond lives, from the trading day after its notice', () => {
    expect(lastDaysOf(on('2026-10-30', notices))).toEqual([])
    expect(lastDaysOf(on('2026-11-13', notices))).toEqual([{ known: '2026-11-03', day: '2026-11-16' }])
    expect(on('2026-11-13', notices).lastDay).toBeNull()
  })

  it('stays what it was known as once the bond is gone; a later notice without a price takes nothing away', () => {
    const gone = on('2026-11-17', notices, on('2026-11-13', notices), { gone: '2026-11-16' })
    expect(gone).toMatchObject({ lastDay: '2026-11-16', lastDayKnown: '2026-11-03', redemptionPrice: 101.2 })
    expect(lastDaysOf(gone)).toEqual([{ known: '2026-11-03', day: '2026-11-16' }])
  })

  it('that a source states stands before what would follow', () => {
    const stated = [call('2026-11-02', { lastTradingDay: '2026-11-13', registerDate: '2026-11-19' })]
    expect(lastDaysOf(on('2026-11-03', stated))).toEqual([{ known: '2026-11-03', day: '2026-11-13' }])
  })

  it('that proves wrong gets another entry, and the old one stays', () => {
    const known = on('2026-11-16', notices, on('2026-11-13', notices))
    const later = on('2026-11-17', notices, known)
    const entries: KnownLastDay[] = [
      { known: '2026-11-03', day: '2026-11-16' },
      { known: '2026-11-18', day: null },
    ]
    expect(lastDaysOf(later)).toEqual(entries)
    // What proved wrong does not come back, and a day is not added twice.
    expect(lastDaysOf(on('2026-11-18', notices, later))).toEqual(entries)
    expect(lastDaysOf(on('2026-11-20', notices, later, { gone: '2026-11-19' }))).toEqual([
      ...entries,
      { known: '2026-11-20', day: '2026-11-19' },
    ])
  })

  it('ends it on the day after, whenever it is delisted, and what the list says then is added', () => {
    const known = on('2026-11-16', notices, on('2026-11-13', notices))
    const ended = on('2026-11-17', notices, known, { gone: '2026-11-16', delisted: null })
    expect(ended).toMatchObject({ lastDay: '2026-11-16', delisted: null, exitReason: 'called', redemptionPrice: 101.2 })
    // On its last day it was suspended: it has ended all the same.
    expect(on('2026-11-17', notices, known, { gone: '2026-11-12', delisted: null })).toMatchObject({ lastDay: '2026-11-16' })
    const listed = on('2026-11-20', notices, ended, { gone: '2026-11-16', delisted: '2026-11-20' })
    expect(listed).toEqual({ ...ended, delisted: '2026-11-20' })
  })

  it('that had passed by a day without its row proves wrong with the next row', () => {
    const known = on('2026-11-16', notices, on('2026-11-13', notices))
    const ended = on('2026-11-17', notices, known, { gone: '2026-11-16', delisted: null })
    const back = on('2026-11-18', notices, ended)
    expect(back).toMatchObject({ lastDay: null, redemptionPrice: null })
    expect(back.exitReason).toBeUndefined()
    expect(lastDaysOf(back)).toEqual([
      { known: '2026-11-03', day: '2026-11-16' },
      { known: '2026-11-19', day: null },
    ])
  })

  it('is the next day of trading off where only its end tells it', () => {
    const silent = [call('2026-10-26')]
    const gone = on('2026-11-17', silent, on('2026-11-13', silent), { gone: '2026-11-16' })
    expect(gone).toMatchObject({ lastDay: '2026-11-16', lastDayKnown: '2026-11-17' })
  })

  it.each([
    ['110001.SH', '2022-08-11', null],
    ['110001.SH', '2022-08-12', '2022-08-09'],
    ['123001.SZ', '2022-08-30', null],
    ['123001.SZ', '2022-08-31', '2022-08-26'],
  ])('of %s with register day %s is %s', (of, registerDay, day) => {
    expect(lastDayOfCall(of, registerDay)).toBe(day)
  })
})

describe('the last trading day of a bond that matures', () => {
  it('lies three trading days before the last day of conversion, ten until July 2022', () => {
    // 九州转债: matures on a Saturday, the last day of conversion is the Friday before.
    expect(lastDayOfMaturity('2022-01-15')).toBe('2021-12-30')
    expect(lastDayOfMaturity('2022-08-31')).toBe('2022-08-26')
  })

  it('is known twenty trading days before it, or from the notice', () => {
    expect(lastDaysOf(on('2026-11-13', []))).toEqual([])
    expect(lastDaysOf(on('2026-12-01', []))).toEqual([{ known: '2026-11-17', day: '2026-12-15' }])
    const told = [call('2026-11-10', { status: 'matures' })]
    expect(lastDaysOf(on('2026-11-11', told))).toEqual([{ known: '2026-11-11', day: '2026-12-15' }])
    // A call of years before, which was waived, is not this end, whenever it is heard of.
    const waived = [call('2024-03-11', { registerDate: '2024-04-08' })]
    expect(lastDaysOf(on('2026-11-13', waived))).toEqual([])
    expect(lastDaysOf(on('2026-12-01', waived))).toEqual([{ known: '2026-11-17', day: '2026-12-15' }])
    // One of this autumn is.
    expect(lastDaysOf(on('2026-12-01', [call('2026-10-12')]))).toEqual([])
    // Beyond the calendar nobody can count trading days.
    expect(lastDayOfMaturity('2090-01-05')).toBeNull()
  })
})

describe('lists and runs read the entry of their day', () => {
  const dates = ['2026-11-11', '2026-11-12', '2026-11-13', '2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19']
  const cells = dates.length
  const of = (lastDays: readonly KnownLastDay[], days = dates): Panel => ({
    ...{ kind: 'cb', dates: days, stride: 1, listed: new Uint8Array(cells).fill(1), traded: new Uint8Array(cells).fill(1) },
    securities: [{ ...security, lastDays, lastDayKnown: lastDays[0]!.known }],
    columns: new Map([['close', new Float64Array(cells).fill(120)]]),
    ...{ benchmarks: new Map(), dataMode: 'imported', dataVersion: 'x' },
  })
  const entries: KnownLastDay[] = [
    { known: '2026-11-12', day: '2026-11-16' },
    { known: '2026-11-17', day: null },
    { known: '2026-11-18', day: '2026-11-19' },
  ]
  const leaveOf = (panel: Panel) => exitsOf(panel, markets.cb, 't_minus_1_close', true).leave[0]!

  it('a position is sold by what was known on the day, also in a run that is made later', () => {
    expect(dates[leaveOf(of(entries))]).toBe('2026-11-13')
    // The same on the day itself, when nobody knew of the later ones.
    expect(dates[leaveOf(of(entries.slice(0, 1), dates.slice(0, 3)))]).toBe('2026-11-13')
    // A day that comes too late to be acted upon sends nobody off before it.
    expect(dates[leaveOf(of([{ known: '2026-11-18', day: '2026-11-19' }]))]).toBe('2026-11-18')
  })

  it('last_trade_date and redeem_left_days say what was known on each day', () => {
    const told = (day: number) => {
      const outcome = crossSection(of(entries), markets.cb, ['last_trade_date', 'redeem_left_days'], day)
      return outcome.ok ? outcome.values.map(([value]) => value) : null
    }
    expect(dates.map((_, day) => told(day))).toEqual([
      [null, null],
      [20261116, 2],
      [20261116, 1],
      [20261116, 0],
      [null, null],
      [20261119, 1],
      [20261119, 0],
    ])
  })
})
