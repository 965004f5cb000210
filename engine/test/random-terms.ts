import { type Announcement, announcementKinds, type BondTerms } from '../src/panel/bond-terms.ts'
import type { Chance } from './chance.ts'

const laterBy = (date: string, years: number, days: number) => {
  const [year, month, day] = date.split('-').map(Number)
  return new Date(Date.UTC(year + years, month - 1, day + days)).toISOString().slice(0, 10)
}

/** Terms of a bond that is around in the first months of 2024, some of them not known. */
export function randomTerms(luck: Chance): BondTerms {
  const valueDate = luck.pick(['2018-02-28', '2019-03-04', '2020-02-29', '2021-07-15', '2023-11-30'])
  const maturityDate = laterBy(valueDate, 6, luck.pick([0, -1, 0]))
  const coupons = luck.next() < 0.1 ? [] : [0.3, 0.5, 1, 1.5, 1.8, 2].map((coupon) => coupon + luck.below(3) / 10)
  const maybe = <T>(value: T): T | null => (luck.next() < 0.1 ? null : value)
  const clause = (trigger: number) => ({ days: 2 + luck.below(4), window: 6 + luck.below(5), trigger })
  return {
    issueSize: maybe(5 + luck.below(20)),
    valueDate: maybe(valueDate),
    maturityDate: maybe(maturityDate),
    conversionStart: maybe(luck.pick([laterBy(valueDate, 0, 183), '2024-01-18', '2024-02-20'])),
    conversionEnd: maybe(maturityDate),
    coupons,
    maturityPrice: maybe(108 + luck.below(8)),
    redeem: maybe(clause(luck.pick([1.2, 1.3]))),
    reset: maybe(clause(luck.pick([0.8, 0.9]))),
    put: maybe({ ...clause(0.7), from: luck.pick(['2023-02-01', '2024-01-23', laterBy(maturityDate, -2, 0)]) }),
    guaranteed: maybe(luck.next() < 0.3),
    revisionsKnown: luck.next() < 0.5,
  }
}

/** Announcements of all kinds around the panel's days, ascending. */
export function randomAnnouncements(luck: Chance, dates: readonly string[]): Announcement[] {
  const around = () => laterBy(dates[luck.below(dates.length)], 0, luck.below(4) - 1)
  return Array.from({ length: luck.below(6) }, (): Announcement => {
    const date = around()
    const kind = luck.pick(announcementKinds)
    if (kind === 'reset') return { date, kind, effective: laterBy(date, 0, 1 + luck.below(6)) }
    if (kind === 'no_redeem' || kind === 'no_reset')
      return luck.next() < 0.2 ? { date, kind } : { date, kind, until: laterBy(date, 0, luck.below(25)) }
    return luck.next() < 0.5 ? { date, kind } : { date, kind, price: 100 + luck.next(), lastConversion: laterBy(date, 0, 20) }
  }).sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
}
