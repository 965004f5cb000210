import { redemptionOf, type Security, unknownTerms } from '@convexa/engine'
import { describe, expect, it } from 'vitest'
import type { CallRow } from '../../db/tables/fact-value.ts'
import { tradingDays } from '../../market/calendar.ts'
import type { Entry } from './entries.ts'
import { noFacts } from './facts.ts'
import { type EndGround, membersOf } from './members.ts'
import type { Past } from './past.ts'

const code = '110001.SH'
const terms = {
  ...unknownTerms,
  valueDate: '2021-01-04',
  coupons: [0.4, 0.6, 1, 1.5, 1.8, 2],
  maturityDate: '2027-01-04',
  maturityPrice: 110,
}
const bond: Security = {
  ...{ code, name: '甲转债', pinyin: 'jzz', board: 'SSE_MAIN', listed: '2021-02-01', delisted: null, lastDay: null, lastDayKnown: null },
  ...{ redemptionPrice: null, issuer: '600001.SH', stockCode: '600001.SH', attributes: {}, terms },
}
const notice = (announced: string, over: Partial<CallRow> = {}): CallRow => ({
  ...{ code, announced, status: 'called', callDate: null, price: Number.NaN, registerDate: null },
  ...over,
})
const dated = { callDate: '2026-11-20', registerDate: '2026-11-19' }

/** What else is known of its end: what its share closed at from October on, against a conversion price of 10, and what lists say. */
type Around = EndGround & { readonly share?: number }

const days = tradingDays('2026-08-03', '2026-11-19')
/** The days by which its clauses are counted. */
const counted = (share: number): Past['counted'] => ({
  dates: days,
  listed: new Uint8Array(days.length).fill(1),
  traded: Uint8Array.from(days, (day) => Number(day <= '2026-11-16')),
  columns: new Map([
    ['close_stk', Float64Array.from(days, (day) => (day < '2026-10-01' ? 9 : share))],
    ['conv_price', new Float64Array(days.length).fill(10)],
  ]),
})

/** The bond in the market of the day of its delisting, last traded on 2026-11-16. */
function goneWith(calls: readonly CallRow[], size = 5, over: Partial<Security> = {}, { share, ...ends }: Around = {}): Security {
  const past: Parameters<typeof membersOf>[0] = {
    kind: 'cb',
    securities: [{ ...bond, ...over }],
    dates: ['2026-11-19'],
    stride: 1,
    listed: new Uint8Array([1]),
    counted: share === undefined ? null : counted(share),
    lastTraded: () => '2026-11-16',
  }
  const entries = new Map<string, Entry>([[code, { code, name: '甲转债', listed: '2021-02-01', delisted: '2026-11-20', attributes: {} }]])
  const row = { code, announced: '2026-11-10', asOf: '2026-11-10', size }
  const facts = { ...noFacts, calls: new Map([[code, calls]]), remainingSizes: new Map([[code, [row]]]) }
  return membersOf(past, '2026-11-20', entries, facts, new Set(), undefined, ends).securities[0]!
}

it.each<[string, readonly CallRow[], number, string]>([
  ['the price of the notice that states it', [notice('2026-10-26'), notice('2026-11-02', { price: 101.2, ...dated })], 101.2, '2026-11-20'],
  [
    'and of no reminder without one',
    [notice('2026-10-26'), notice('2026-11-02', { price: 101.2, ...dated }), notice('2026-11-12', dated)],
    101.2,
    '2026-11-20',
  ],
  [
    'the price that the second notice of its day states',
    [notice('2026-11-02', dated), notice('2026-11-02', { price: 101.2 })],
    101.2,
    '2026-11-20',
  ],
  [
    'and of the days that it states',
    [notice('2026-11-02', { price: 101.2 }), notice('2026-11-02', { ...dated, paymentDate: '2026-11-25' })],
    101.2,
    '2026-11-25',
  ],
  [
    'what was corrected last of a day',
    [notice('2026-11-02', { price: 101.2, ...dated }), notice('2026-11-02', { price: 101.25 })],
    101.25,
    '2026-11-20',
  ],
  ['its own day of payment', [notice('2026-11-02', { price: 101.2, ...dated, paymentDate: '2026-11-24' })], 101.2, '2026-11-24'],
  // Nobody states a price: 320 days at 2 %.
  ['100 and the interest to its redemption day', [notice('2026-10-26'), notice('2026-11-02', dated)], 100 + (2 * 320) / 365, '2026-11-20'],
])('a called bond of the sources pays %s', (_, calls, price, day) => {
  const paid = redemptionOf(goneWith(calls), Float64Array.from([]))
  expect(paid?.reason).toBe('called')
  expect(paid?.price).toBeCloseTo(price, 9)
  expect(new Date((paid?.paymentDay ?? 0) * 86_400_000).toISOString().slice(0, 10)).toBe(day)
})

describe('what is heard of a notice', () => {
  /** The announcements of the bond, still trading, evening by evening; what is heard on each. */
  function heard(...evenings: readonly (readonly [day: string, calls: readonly CallRow[]])[]) {
    let known = bond
    let calls: CallRow[] = []
    return evenings.map(([day, more]) => {
      calls = [...calls, ...more]
      const past: Parameters<typeof membersOf>[0] = {
        ...{ kind: 'cb', securities: [known], dates: ['2026-11-02'], stride: 1, listed: new Uint8Array([1]), counted: null },
        lastTraded: () => '2026-11-02',
      }
      const facts = { ...noFacts, calls: new Map([[code, calls]]) }
      known = membersOf(past, day, new Map(), facts, new Set([code])).securities[0]!
      return known.announcements
    })
  }
  const first = { date: '2026-11-02', kind: 'redeem' }

  it('is added to it on its day, and is a notice of its own on a later one: nobody knew it before', () => {
    const told = [{ price: 101.2 }, { registerDate: '2026-11-19' }, { price: 101.25 }]
    expect(
      heard(
        ['2026-11-02', [notice('2026-11-02')]],
        ['2026-11-02', [notice('2026-11-02', told[0])]],
        ['2026-11-04', [notice('2026-11-02', told[1]), notice('2026-11-02', { lastTradingDay: '2026-11-16' })]],
        ['2026-11-04', []],
        ['2026-11-05', [notice('2026-11-02', told[2])]],
        ['2026-11-06', []],
      ).slice(1),
    ).toEqual([
      [{ ...first, price: 101.2 }],
      ...Array(2).fill([
        { ...first, price: 101.2 },
        { date: '2026-11-04', kind: 'redeem', registration: '2026-11-19', lastTrading: '2026-11-16' },
      ]),
      ...Array(2).fill([
        { ...first, price: 101.2 },
        { date: '2026-11-04', kind: 'redeem', registration: '2026-11-19', lastTrading: '2026-11-16' },
        { date: '2026-11-05', kind: 'redeem', price: 101.25 },
      ]),
    ])
  })
})

it('a call of years before, which was waived, pays nothing of this one', () => {
  const waived = notice('2024-03-11', { price: 100.35, registerDate: '2024-04-08', callDate: '2024-04-09' })
  const gone = goneWith([waived, notice('2026-11-02', dated)])
  expect(gone).toMatchObject({ redemptionPrice: null, lastDays: [{ known: '2026-11-03', day: '2026-11-16' }] })
  expect(redemptionOf(gone, Float64Array.from([]))?.price).toBeCloseTo(100 + (2 * 320) / 365, 9)
})

const clause = { terms: { ...terms, redeem: { days: 15, window: 30, trigger: 1.3 } } }
const covered: Around = { callLists: [['2026-09-01', '2026-11-20']] }
/** The clause was met from 2026-10-28 on, or never. */
const [met, unmet] = [{ share: 13.5 }, { share: 9 }]
it.each<[reason: string, is: string, calls: readonly CallRow[], size: number, over: Partial<Security>, around: Around]>([
  ['called', 'by its notice', [notice('2026-10-26')], 5, {}, {}],
  ['called', 'by its notice of 69 days before', [notice('2026-09-08')], 5, clause, unmet],
  ['unknown', 'whose notice is 70 days older than its last day', [notice('2026-09-07')], 5, clause, unmet],
  ['called', 'by a notice of which later ones remind', [notice('2026-08-10'), notice('2026-10-12')], 5, clause, unmet],
  ['unknown', 'that was called years before and not again', [notice('2024-03-11')], 5, clause, unmet],
  ['small', 'that is small, called years before', [notice('2024-03-11')], 0.25, clause, unmet],
  ['maturity', 'by its term, called years before', [notice('2024-03-11')], 5, { terms: { ...terms, maturityDate: '2026-11-30' } }, {}],
  // After a call most holders have converted: a small size says nothing then.
  ['called', 'by its notice, though it is small', [notice('2026-10-26')], 0.1, {}, {}],
  ['maturity', 'by its term', [], 5, { terms: { ...terms, maturityDate: '2026-11-30' } }, {}],
  ['called', 'whose clause was met, no list saying otherwise', [], 5, clause, met],
  ['called', 'that is small, whose clause was met', [], 0.2, clause, met],
  ['small', 'whose clause was never met', [], 0.25, clause, unmet],
  ['small', 'that no list of calls names', [], 0.25, clause, { ...met, ...covered }],
  ['small', 'whose clause nobody knows and no list names', [], 0.25, {}, { ...met, ...covered }],
  ['unknown', 'that is small, of whose clause and calls nothing is known', [], 0.25, {}, met],
  ['unknown', 'that no list of calls names, and is not small', [], 5, clause, { ...met, ...covered }],
  ['unknown', 'whose clause was never met', [], 5, clause, unmet],
  ['delisted', 'whose share was delisted two months later', [], 5, clause, { ...unmet, shareEnds: new Map([['600001.SH', '2027-01-20']]) }],
  ['delisted', 'small, with its share', [], 0.25, clause, { ...unmet, ...covered, shareEnds: new Map([['600001.SH', '2026-11-20']]) }],
  ['delisted', 'whose share was in its last period', [], 5, clause, { ...unmet, stockNames: new Map([['600001.SH', '退市甲股']]) }],
  ['unknown', 'whose share left years later', [], 5, clause, { ...unmet, shareEnds: new Map([['600001.SH', '2029-01-19']]) }],
  [
    'called',
    'by its notice, before its share left',
    [notice('2026-10-26')],
    5,
    clause,
    { ...unmet, shareEnds: new Map([['600001.SH', '2027-01-20']]) },
  ],
])('a bond of the sources that has left is told as %s: one %s', (reason, _, calls, size, over, around) => {
  const gone = goneWith(calls, size, over, around)
  expect(gone.exitReason).toBe(reason)
  // 320 days of 2 % to its redemption day, which follows from its last one.
  if (reason === 'called') expect(redemptionOf(gone, Float64Array.from([]))?.price).toBeCloseTo(100 + (2 * 320) / 365, 1)
})
