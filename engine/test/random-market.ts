import type { MarketId } from '@convexa/contract'
import { unknownTerms } from '../src/panel/bond-terms.ts'
import { carryForward, type ExDay, equalWeight, type Panel, type Security } from '../src/panel/panel.ts'
import { chance } from './chance.ts'
import { security } from './security.ts'
import { withUnlistedPrices } from './unlisted-prices.ts'

/** Numbers in [0, 1) from a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Weekdays from a day on. */
function weekdays(from: string, count: number): string[] {
  const dates: string[] = []
  for (let time = Date.parse(`${from}T00:00:00Z`); dates.length < count; time += 86_400_000) {
    const day = new Date(time)
    if (day.getUTCDay() % 6 !== 0) dates.push(day.toISOString().slice(0, 10))
  }
  return dates
}

interface Shape {
  seed: number
  days: number
  securities: number
  from?: string
  /** Bonds have terms with coupons, most shares their dividends. */
  terms?: boolean
}

/** Interest is due every year on the day of the month of a date. */
function someTerms(date: string, next: () => number): NonNullable<Security['terms']> {
  const year = Number(date.slice(0, 4)) - 1 - Math.floor(3 * next())
  return {
    ...unknownTerms,
    valueDate: `${year}${date.slice(4)}`,
    maturityDate: `${year + 6}${date.slice(4)}`,
    coupons: [0.3, 0.5, 1, 1.5, 1.8, 2],
    maturityPrice: 110,
  }
}

/**
 * A small market of a kind from a seed: listings, ends (some announced, some not), suspensions, moves to the price limits,
 * gaps in a factor, two bonds of an issuer, thin turnover, splits of shares, prices of days outside listing windows.
 */
export function randomMarket(kind: MarketId, { seed, days, securities: count, from = '2022-06-01', terms = false }: Shape): Panel {
  const next = seeded(seed)
  // Of what came later, so that the markets of a seed stay what they were.
  const more = seeded(seed ^ 0x5eed)
  const later = seeded(seed ^ 0xca11)
  const normal = () => next() + next() + next() + next() - 2
  const dates = weekdays(from, days)
  const stride = count + 3
  const cells = days * stride
  const absent = () => new Float64Array(cells).fill(Number.NaN)
  const columns = new Map(['close', 'open', 'high', 'low', 'pre_close', 'amount', 'vol'].map((key) => [key, absent()]))
  for (const key of kind === 'cb'
    ? ['conv_prem', 'remain_size', 'rating', 'call_status', 'is_st_stk']
    : ['adj_factor', 'total_mv', 'pb', 'is_st']) {
    columns.set(key, absent())
  }
  const listed = new Uint8Array(cells)
  const traded = new Uint8Array(cells)
  const set = (key: string, at: number, value: number) => {
    const column = columns.get(key)
    if (column) column[at] = value
  }
  const boards = ['SSE_MAIN', 'SZSE_MAIN', 'CHINEXT', 'STAR', 'BSE'] as const
  const decimals = kind === 'cb' ? 1000 : 100
  const list: Security[] = []
  for (let i = 0; i < count; i++) {
    const begins = next() < 0.6 ? -1 : Math.floor(next() * days * 0.7)
    const ends = next() < 0.7 ? days : Math.max(begins + 5, Math.floor(days * (0.3 + 0.7 * next())))
    const window = [Math.max(0, begins), Math.min(days, ends + 3)]
    const board = boards[Math.floor(next() * boards.length)] as (typeof boards)[number]
    const limit = kind === 'cb' ? 0.2 : board === 'BSE' ? 0.3 : board === 'STAR' || board === 'CHINEXT' ? 0.2 : 0.1
    let price = kind === 'cb' ? 90 + 60 * next() : 3 + 40 * next()
    let factor = 1
    let premium = 0.5 * next()
    let lastTraded = -1
    const exDays: ExDay[] = []
    for (let t = window[0] as number; t < (window[1] as number); t++) {
      const at = t * stride + i
      listed[at] = 1
      if (t === 0 || t > (window[0] as number)) set('pre_close', at, Math.round(price * decimals) / decimals)
      const sure = t === window[0] || t === ends - 1
      if (t >= ends || (!sure && next() < 0.06)) continue
      traded[at] = 1
      lastTraded = t
      let before = price
      if (kind === 'stk' && next() < 0.01) {
        factor *= 2
        before = price / 2
        set('pre_close', at, Math.round(before * decimals) / decimals)
        exDays.push({ date: dates[t] as string, cash: 0, ratio: 1 })
      } else if (kind === 'stk' && terms && more() < 0.02) {
        const ratio = more() < 0.3 ? 0.4 : 0
        const cash = Math.round(0.03 * price * decimals) / decimals
        before = Math.round(((price - cash) / (1 + ratio)) * decimals) / decimals
        factor *= price / before
        set('pre_close', at, before)
        exDays.push({ date: dates[t] as string, cash, ratio })
      }
      const luck = next()
      const move = luck < 0.03 ? limit : luck < 0.06 ? -limit : 0.02 * normal()
      set('open', at, Math.round(before * (1 + 0.005 * normal()) * decimals) / decimals)
      price = Math.max(0.5, Math.round(Math.round(before * decimals) * (1 + move) + 1e-6) / decimals)
      set('close', at, price)
      const open = columns.get('open')?.[at] as number
      // Nothing trades beyond the limit of the board: a day that did would be one without limits.
      const [top, bottom] = [limit, -limit].map((rate) => Math.round(Math.round(before * decimals) * (1 + rate) + 1e-6) / decimals) as [
        number,
        number,
      ]
      set('high', at, Math.min(top, Math.round(Math.max(open, price) * (1 + 0.02 * more() ** 2) * decimals) / decimals))
      set('low', at, Math.max(bottom, Math.round(Math.min(open, price) * (1 - 0.02 * more() ** 2) * decimals) / decimals))
      const amount = next() < 0.05 ? Number.NaN : 20 + 2000 * next() ** 3
      set('amount', at, amount)
      set('vol', at, (amount * 10_000) / price / (kind === 'cb' ? 10 : 1))
      premium = Math.max(-0.05, premium + 0.01 * normal())
      set('conv_prem', at, next() < 0.03 ? Number.NaN : Math.round(premium * 1e4) / 1e4)
      set('remain_size', at, 1 + (9 * ((i * 7) % 11)) / 11)
      set('rating', at, i % 5)
      set('call_status', at, t > ends - 8 && ends < days ? 3 : next() < 0.02 ? 1 : 0)
      set('is_st_stk', at, i % 17 === 3 ? 1 : 0)
      set('is_st', at, i % 17 === 3 ? 1 : 0)
      set('adj_factor', at, factor)
      set('total_mv', at, price * (5 + i))
      set('pb', at, next() < 0.05 ? Number.NaN : Math.round(100 * (0.5 + 3 * next())) / 100)
    }
    const ended = ends < days && lastTraded >= 0
    const known = ended && next() < 0.7 ? dates[Math.max(0, lastTraded - Math.floor(6 * next()))] : undefined
    const redemptionPrice = kind === 'cb' && next() < 0.5 ? 100.4 : null
    // Of those without a price some are said to be called: what they pay follows from their terms.
    const isCalled = kind === 'cb' && ended && later() < 0.3
    list.push(
      security({
        code: `${900_001 + i}.DM`,
        name: `测试${kind === 'cb' ? '转债' : '股份'}${String(i + 1).padStart(3, '0')}`,
        board,
        listed: begins >= 0 ? (dates[begins] ?? null) : '2019-03-01',
        delisted: (window[1] as number) < days ? (dates[window[1] as number] ?? null) : null,
        lastDay: ended ? (dates[lastTraded] ?? null) : null,
        lastDayKnown: known ?? null,
        redemptionPrice,
        ...(isCalled && { exitReason: 'called' as const }),
        issuer: kind === 'cb' ? `S${i % 4 === 0 ? i + 1 : i}` : `S${i}`,
        attributes: { industry_1: ['银行', '医药', '电子'][i % 3] as string },
        ...(terms && kind === 'stk' && more() < 0.7 ? { exDays } : {}),
        ...(terms && kind === 'cb' && more() < 0.7 ? { terms: someTerms(dates[Math.floor(more() * days)] as string, more) } : {}),
      }),
    )
  }
  withUnlistedPrices(columns.values(), { listed, stride, dates, securities: list }, chance(seed + 8_000_000))
  for (const key of ['close', 'conv_prem', 'remain_size', 'rating', 'call_status', 'is_st_stk', 'adj_factor', 'total_mv', 'pb', 'is_st']) {
    const column = columns.get(key)
    if (column) carryForward(column, { listed, traded, stride }, 0, days)
  }
  const close = columns.get('close') as Float64Array
  return {
    kind,
    dates,
    securities: list,
    stride,
    columns,
    listed,
    traded,
    benchmarks: new Map([[`${kind}_ew`, equalWeight(close, traded, listed, days, stride)]]),
    dataMode: 'demo',
    dataVersion: `random-${seed}`,
  }
}
