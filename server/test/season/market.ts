/**
 * A made market over some weeks of early summer, drawn at random: what is true of each day is written down here before anybody is asked.
 *
 * Shares go ex (a dividend, now and then a split); the conversion prices of their bonds go down on the same day. Prices are revised, bonds
 * are called, listed and end; ended ones stay in the tables without a trade; shares are suspended, a few are listed, a few are delisted.
 */
import { tradingDays } from '../../src/market/calendar.ts'
import { shippedChanges } from '../../src/market/code-change-rows.ts'
import { Random } from '../../src/market/demo/random.ts'

export interface SeasonSize {
  readonly shares: number
  readonly bonds: number
  /** First and last day. */
  readonly from: string
  readonly to: string
  /** At most so many trading days. */
  readonly days: number
  readonly seed: number
}

/** A share's day, in yuan, hands of 100 and thousands of yuan, as Tushare tells them. `factor`: to four digits. */
interface ShareDay {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly pre_close: number
  readonly vol: number
  readonly amount: number
  readonly factor: number
  readonly pe_ttm: number
  readonly isEx: boolean
}

/** A bond's day; `price`: the conversion price in force. */
interface BondDay {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly pre_close: number
  readonly vol: number
  readonly amount: number
  readonly price: number
}

/** A change of a conversion price, from `day` on. */
interface PriceChange {
  readonly code: string
  readonly day: string
  readonly published: string
  /** From when on lists have it, in ms: the morning of the day, or the evening before. */
  readonly shown: number
  readonly before: number
  readonly after: number
}

export interface Bond {
  readonly code: string
  readonly share: string
  readonly listed: string
  /** The first day without it; null: beyond the season. */
  readonly ended: string | null
  /** Called, and when that was announced; null: it ends otherwise, or not. */
  readonly called: string | null
  /** Its end, where notices announce it; `ended` is the day of its delisting. */
  readonly end?: BondEnd
}

/** Behind its last day a bond has no trade. `notices`: rows of the table of calls; `terms`: what the list says otherwise than of others. */
export interface BondEnd {
  readonly lastDay: string
  readonly notices: readonly (Readonly<Record<string, string | number>> & { readonly ann_date: string })[]
  readonly terms?: Readonly<Record<string, string | number>>
}

interface Life {
  readonly listed: string | null
  readonly ended: string | null
}

export interface Season {
  readonly days: readonly string[]
  readonly shares: readonly string[]
  /** Of shares that are listed in the season, or delisted: the first day with them, and the first without. */
  readonly lives: ReadonlyMap<string, Life>
  readonly bonds: readonly Bond[]
  /** By `code day`; a suspended share, and the bond of one, has none. */
  readonly shareDays: ReadonlyMap<string, ShareDay>
  readonly bondDays: ReadonlyMap<string, BondDay>
  readonly changes: readonly PriceChange[]
  /** 万股. */
  readonly shareCount: number
  readonly firstPrice: number
}

const cents = (price: number): number => Math.round(price * 100) / 100
const mills = (price: number): number => Math.round(price * 1_000) / 1_000
const shareCount = 100_000
const firstPrice = 10
/** A bond in three has a share that pays in a season of sixty days. */
const chances = { dividend: 0.006, split: 0.000_3, revision: 0.001_5, suspension: 0.002, resumption: 0.3, call: 0.001 } as const

export function makeSeason({ shares: count, bonds: bondCount, from, to, days: most, seed }: SeasonSize): Season {
  const random = new Random(seed, 'season')
  const days = tradingDays(from, to).slice(0, most)
  const shares = codesOf(count)
  const bonds = drawBonds(bondCount, shares, days, random)
  const bondOf = new Map(bonds.map((bond) => [bond.share, bond]))
  const lives = drawLives(
    shares.filter((code) => !bondOf.has(code)),
    days,
    random,
  )
  const shareDays = new Map<string, ShareDay>()
  const bondDays = new Map<string, BondDay>()
  const changes: PriceChange[] = []
  const state = new Map(shares.map((code) => [code, { close: cents(random.between(6, 40)), factor: 1, isOut: false }]))
  const bondState = new Map(bonds.map(({ code }) => [code, { close: mills(random.between(100, 150)), price: firstPrice }]))
  for (const [t, day] of days.entries()) {
    for (const code of shares) {
      const life = lives.get(code)
      if ((life?.listed ?? '') > day || (life?.ended ?? '9999') <= day) continue
      const isNew = life?.listed === day
      const own = state.get(code)!
      own.isOut = isNew ? false : own.isOut ? !random.chance(chances.resumption) : t > 0 && random.chance(chances.suspension)
      if (own.isOut) continue
      const isSplit = t > 0 && !isNew && random.chance(chances.split)
      const paid = t > 0 && !isNew && !isSplit && random.chance(chances.dividend) ? cents(random.between(0.03, 0.4)) : 0
      const pre_close = isSplit ? cents(own.close / 2) : cents(own.close - paid)
      const factor = isSplit || paid > 0 ? Math.round(((own.factor * own.close) / pre_close) * 10_000) / 10_000 : own.factor
      const bar = isNew ? drawBar(cents(pre_close * 1.4), 0.02, 0.01, random) : drawBar(pre_close, 0.02, 0.01, random)
      const vol = cents(random.between(10_000, 100_000))
      const amount = mills((vol * 100 * ((bar.open + bar.close) / 2)) / 1_000)
      shareDays.set(`${code} ${day}`, {
        ...bar,
        vol,
        amount,
        pre_close,
        factor,
        pe_ttm: cents(random.between(8, 40)),
        isEx: pre_close !== own.close,
      })
      const bond = bondOf.get(code)
      if (bond && t > 0) {
        const known = bondState.get(bond.code)!
        const after = isSplit
          ? cents(known.price / 2)
          : paid > 0
            ? cents(known.price - paid)
            : random.chance(chances.revision)
              ? cents(known.price * 0.8)
              : known.price
        if (after !== known.price && after > 1) {
          const published = days[Math.max(0, t - random.whole(0, 3))]!
          const shown = Date.parse(random.chance(0.3) ? `${days[t - 1]}T18:00:00+08:00` : `${day}T09:00:00+08:00`)
          changes.push({ code: bond.code, day, published, shown, before: known.price, after })
          known.price = after
        }
      }
      Object.assign(own, { close: bar.close, factor })
    }
    for (const { code, share, listed, ended } of bonds) {
      if (day < listed || (ended !== null && day >= ended) || !shareDays.has(`${share} ${day}`)) continue
      const own = bondState.get(code)!
      const pre_close = day === listed ? 100 : own.close
      const bar = drawBar(pre_close, 0.015, 0.2, random, mills)
      const vol = Math.round(random.between(5_000, 55_000))
      bondDays.set(`${code} ${day}`, {
        ...bar,
        vol,
        pre_close,
        amount: cents((vol * 10 * ((bar.open + bar.close) / 2)) / 10_000),
        price: own.price,
      })
      own.close = bar.close
    }
  }
  return { days, shares, lives, bonds, shareDays, bondDays, changes, shareCount, firstPrice }
}

/** Shares in two hundred begin or end in the season. */
function drawLives(codes: readonly string[], days: readonly string[], random: Random): Map<string, Life> {
  const lives = new Map<string, Life>()
  if (days.length < 5) return lives
  for (let i = 0; i < Math.ceil(codes.length / 200); i++) {
    const day = () => days[random.whole(2, days.length - 1)]!
    lives.set(codes[random.whole(0, codes.length - 1)]!, { listed: null, ended: day() })
    lives.set(codes[random.whole(0, codes.length - 1)]!, { listed: day(), ended: null })
  }
  return lives
}

/** Whether a share is listed on a day. */
export function isListed({ lives }: Pick<Season, 'lives'>, code: string, day: string): boolean {
  const life = lives.get(code)
  return (life?.listed ?? '') <= day && day < (life?.ended ?? '9999')
}

/** A season in which bonds end as they are said to; each has its day of delisting. */
export function withEnds(season: Season, ends: ReadonlyMap<string, BondEnd & { readonly delisted: string }>): Season {
  const bonds = season.bonds.map((bond): Bond => {
    const end = ends.get(bond.code)
    return end ? { ...bond, ended: end.delisted, called: null, end } : bond
  })
  const isOver = (key: string) => {
    const [code, day] = key.split(' ') as [string, string]
    return day > (ends.get(code)?.lastDay ?? day)
  }
  return { ...season, bonds, bondDays: new Map([...season.bondDays].filter(([key]) => !isOver(key))) }
}

function drawBar(from: number, most: number, beyond: number, random: Random, round = cents) {
  const [close, open] = [round(from * (1 + random.between(-most, most))), round(from * (1 + random.between(-most / 4, most / 4)))]
  return { open, close, high: round(Math.max(open, close) + beyond), low: round(Math.min(open, close) - beyond) }
}

/** A share whose code changed before the season would be told under the new one. */
const changed = new Set(shippedChanges.map(([before]) => before))

/** Shanghai, Shenzhen, ChiNext, STAR and Beijing, as the market has them. */
function codesOf(count: number): string[] {
  const boards = [
    [600_101, 'SH', 0.36],
    [101, 'SZ', 0.28],
    [300_101, 'SZ', 0.22],
    [688_101, 'SH', 0.1],
    [920_101, 'BJ', 0.04],
  ] as const
  return boards.flatMap(([first, exchange, share]) =>
    Array.from({ length: Math.round(count * share) * 2 }, (_, i) => `${String(first + i).padStart(6, '0')}.${exchange}`)
      .filter((code) => !changed.has(code))
      .slice(0, Math.round(count * share)),
  )
}

function drawBonds(count: number, shares: readonly string[], days: readonly string[], random: Random): Bond[] {
  const able = shares.filter((code) => !code.endsWith('.BJ'))
  return Array.from({ length: Math.min(count, able.length) }, (_, i) => {
    const share = able[i]!
    const isShanghai = share.endsWith('.SH')
    const code = isShanghai ? `${113_500 + i}.SH` : `${123_100 + i}.SZ`
    const isNew = days.length > 4 && random.chance(0.05)
    const isEnding = !isNew && days.length > 4 && random.chance(0.05)
    const ended = isEnding ? days[random.whole(3, days.length - 1)]! : null
    const called = ended && random.chance(0.7) ? days[Math.max(0, days.indexOf(ended) - 3)]! : null
    return { code, share, listed: isNew ? days[random.whole(2, days.length - 1)]! : '2024-02-01', ended, called }
  }).sort((a, b) => (a.code < b.code ? -1 : 1))
}
