/**
 * BaoStock, Eastmoney and Jisilu beside Tushare, as they tell the same season: complete, but each with what it does not have (BaoStock no
 * Beijing, no factors and no sizes, and nothing before 17:30), on some days late, shut to the address, or without a login.
 */

import { FeedError } from '../../src/feeds/feed.ts'
import { dotted } from '../../src/feeds/source/codes.ts'
import { addDays, tradingDays } from '../../src/market/calendar.ts'
import { Random } from '../../src/market/demo/random.ts'
import type { BaostockQuestion, BaostockReply } from '../feeds/baostock-door.ts'
import { type Bond, isListed, type Season } from './market.ts'
import { momentOf, todayAt } from './moments.ts'
import type { Called } from './teller.ts'

export interface SecondSources {
  baostock(question: BaostockQuestion): BaostockReply
  /** What Eastmoney or Jisilu answer to an address. @throws FeedError as the transport reports a refusal */
  http(url: string): string
  /** Whether BaoStock had the day's table by a moment: all but Beijing. */
  hasShares(day: string, at: number): boolean
  /** Whether Eastmoney had the day's bars of bonds by a moment. */
  hasBonds(day: string, at: number): boolean
}

export const urls = {
  list: 'http://eastmoney-list',
  history: 'http://eastmoney-history',
  data: 'http://eastmoney-data',
  jisilu: 'http://jisilu',
}

const fields = [
  ...['date', 'code', 'open', 'high', 'low', 'close', 'preclose', 'volume', 'amount', 'adjustflag', 'turn'],
  ...['tradestatus', 'pctChg', 'peTTM', 'pbMRQ', 'psTTM', 'isST'],
]
const hourMs = 3_600_000

/** @param calls as they come; @param now ms */
export function secondSources(season: Season, seed: number, now: () => number, calls: Called[]): SecondSources {
  const random = new Random(seed, 'second sources')
  const [lates, blacks, shuts, guests] = [new Set<string>(), new Set<string>(), new Set<string>(), new Set<string>()]
  for (const day of season.days) {
    if (random.chance(0.1)) lates.add(day)
    if (random.chance(0.06)) blacks.add(day)
    if (random.chance(0.12)) shuts.add(day)
    if (random.chance(0.08)) guests.add(day)
  }
  const isThere = (day: string, at: number) => at >= (lates.has(day) ? momentOf(addDays(day, 1), '07:00') : momentOf(day, '17:30'))
  /** Providers that have said no, and until when. */
  const resting = new Map<string, number>()
  const called = (provider: string, api: string) => {
    const at = now()
    calls.push({ provider, api, at, ofRest: at < (resting.get(provider) ?? 0) })
    return at
  }

  const baostock = ({ type, parts }: BaostockQuestion): BaostockReply => {
    const at = called('baostock', type === '00' ? 'login' : type)
    const today = todayAt(at)
    if (blacks.has(today)) {
      resting.set('baostock', momentOf(addDays(today, 1), '00:00'))
      return { type: '04', parts: ['10001011', '黑名单用户'] }
    }
    if (type === '00') return { type: '01', parts: ['0', 'success', 'login', 'anonymous'] }
    const [method = '', user = '', page = '', size = '', code = '', from = '', to = ''] = parts
    if (type === '98') {
      const day = parts[2]!
      const rows = isThere(day, at) ? season.shares.flatMap((each) => shareRow(season, each, day)) : []
      return { type: '99', parts: ['0', 'success', method, user, records(rows), fields.join(', ')] }
    }
    if (type === '15') {
      const share = season.shares.find((each) => dotted(each) === code)
      const isEx = season.shareDays.get(`${share} ${from}`)?.isEx === true
      const names = 'code,dividOperateDate,foreAdjustFactor,backAdjustFactor,adjustFactor'
      return {
        type: '16',
        parts: ['0', 'success', method, user, page, size, records(isEx ? [[code, from, '1', '1', '1']] : []), code, from, to, names],
      }
    }
    const list = season.shares.flatMap((share) => listed(season, share, todayAt(at)))
    const names = 'code,code_name,ipoDate,outDate,type,status'
    const first = (Number(page) - 1) * Number(size)
    return {
      type: '46',
      parts: ['0', 'success', method, user, page, size, records(list.slice(first, first + Number(size))), '', '', names],
    }
  }

  const living = (day: string) => season.bonds.filter(({ listed, ended }) => listed <= day && (ended === null || day < ended))
  const http = (url: string): string => {
    const { origin, searchParams: query } = new URL(url)
    if (origin === urls.jisilu) {
      const at = called('jisilu', 'list')
      const isGuest = guests.has(todayAt(at))
      const rows = living(todayAt(at)).map((bond) => ({ id: bond.code.slice(0, 6), cell: jisiluCell(season, bond, at) }))
      return JSON.stringify({ rows: isGuest ? rows.slice(0, 30) : rows, isLogin: !isGuest, warn: isGuest ? '游客只能看前30条' : null })
    }
    const at = called('eastmoney', origin === urls.history ? 'kline' : origin === urls.list ? 'clist' : 'report')
    if (shuts.has(todayAt(at))) {
      resting.set('eastmoney', at + hourMs)
      throw new FeedError('blocked', '东方财富暂时拒绝本机的访问（HTTP 403）', { waitMs: hourMs })
    }
    if (origin === urls.history) return JSON.stringify({ data: { klines: kline(season, query.get('secid')!, query.get('beg')!) } })
    if (origin === urls.list) {
      const all = living(todayAt(at)).map(({ code }) => ({
        f12: code.slice(0, 6),
        f13: code.endsWith('.SH') ? 1 : 0,
        f14: code,
        f124: Math.floor(at / 1_000),
      }))
      const first = (Number(query.get('pn')) - 1) * 100
      return JSON.stringify({ rc: 0, data: { total: all.length, diff: all.slice(first, first + 100) } })
    }
    const all = season.bonds.filter(({ listed }) => addDays(listed, -2) <= todayAt(at))
    return JSON.stringify({ success: true, result: { pages: 1, data: all.map((bond) => reportRow(season, bond, at)) } })
  }
  return {
    ...{ baostock, http },
    hasShares: (day, at) => !blacks.has(todayAt(at)) && isThere(day, at),
    hasBonds: (day, at) => !shuts.has(todayAt(at)) && at >= momentOf(day, '15:30'),
  }
}

const records = (rows: readonly (readonly string[])[]): string => JSON.stringify({ record: rows })

function shareRow(season: Season, code: string, day: string): string[][] {
  if (code.endsWith('.BJ') || !isListed(season, code, day)) return []
  const of = season.shareDays.get(`${code} ${day}`)
  const about = { date: day, code: dotted(code), adjustflag: '3', isST: '0' }
  const row: Readonly<Record<string, string>> = of
    ? {
        ...{ ...about, open: of.open.toFixed(4), high: of.high.toFixed(4), low: of.low.toFixed(4), close: of.close.toFixed(4) },
        ...{
          preclose: of.pre_close.toFixed(4),
          volume: (of.vol * 100).toFixed(0),
          amount: (of.amount * 1_000).toFixed(4),
          turn: '1.500000',
        },
        ...{ tradestatus: '1', pctChg: '0', peTTM: of.pe_ttm.toFixed(6), pbMRQ: '1.500000', psTTM: '2.000000' },
      }
    : { ...about, tradestatus: '0' }
  return [fields.map((field) => row[field] ?? '')]
}

function listed(season: Season, code: string, today: string): string[][] {
  const { listed = null, ended = null } = season.lives.get(code) ?? {}
  if (code.endsWith('.BJ') || (listed !== null && listed > today)) return []
  const isOver = ended !== null && ended <= today
  return [[dotted(code), `股${code.slice(0, 6)}`, listed ?? '2010-01-04', isOver ? ended : '', '1', isOver ? '0' : '1']]
}

/** The latest conversion price, as lists show it. */
const shownPrice = ({ changes, firstPrice }: Season, code: string, at: number): number =>
  changes.filter((change) => change.code === code && change.shown <= at).at(-1)?.after ?? firstPrice

/** Date, open, close, high, low, volume, amount in yuan, amplitude, change in percent, change, turnover. */
function kline({ bonds, bondDays }: Season, secid: string, date: string): string[] {
  const bond = bonds.find(({ code }) => code.startsWith(secid.slice(2)))
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`
  const of = bondDays.get(`${bond?.code} ${day}`)
  if (!of) return []
  const change = (of.close - of.pre_close).toFixed(3)
  return [[day, of.open, of.close, of.high, of.low, of.vol, (of.amount * 10_000).toFixed(2), 1, 1, change, 1].join(',')]
}

const lastTrade = (ended: string): string => tradingDays(addDays(ended, -10), addDays(ended, -1)).at(-1)!

function jisiluCell(season: Season, { code, share, listed, called, ended }: Bond, at: number) {
  const isCalled = called !== null && called <= todayAt(at)
  return {
    ...{
      bond_id: code.slice(0, 6),
      bond_nm: `债${code.slice(0, 6)}`,
      stock_id: share.slice(0, 6),
      stock_nm: `股${share.slice(0, 6)}`,
      btype: 'C',
    },
    ...{
      price: 100,
      convert_price: shownPrice(season, code, at),
      list_dt: listed,
      maturity_dt: '2030-01-04',
      orig_iss_amt: 10,
      curr_iss_amt: 9,
    },
    ...{ rating_cd: 'AA', last_time: '15:00:00', qstatus: '00', redeem_icon: isCalled ? 'R' : null },
    ...{ redeem_dt: isCalled ? lastTrade(ended!) : null, real_force_redeem_price: isCalled ? '100.67' : null },
  }
}

function reportRow(season: Season, { code, share, listed, ended }: Bond, at: number) {
  return {
    ...{
      SECUCODE: code,
      SECURITY_CODE: code.slice(0, 6),
      SECURITY_NAME_ABBR: `债${code.slice(0, 6)}`,
      CONVERT_STOCK_CODE: share.slice(0, 6),
    },
    ...{ SECURITY_SHORT_NAME: `股${share.slice(0, 6)}`, LISTING_DATE: `${listed} 00:00:00`, VALUE_DATE: '2024-01-05 00:00:00' },
    ...{ DELIST_DATE: ended !== null && ended <= todayAt(at) ? `${ended} 00:00:00` : null, EXPIRE_DATE: '2030-01-04 00:00:00' },
    ...{ TRANSFER_START_DATE: '2024-07-05 00:00:00', TRANSFER_END_DATE: '2030-01-04 00:00:00', ACTUAL_ISSUE_SCALE: 10 },
    ...{ INITIAL_TRANSFER_PRICE: season.firstPrice, TRANSFER_PRICE: shownPrice(season, code, at), RATING: 'AA' },
    ...{
      INTEREST_RATE_EXPLAIN: '第一年0.30%、第二年0.60%、第三年0.90%、第四年1.20%、第五年1.50%、第六年1.80%',
      REDEEM_CLAUSE: null,
      RESALE_CLAUSE: null,
    },
  }
}
