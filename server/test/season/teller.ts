/**
 * Tushare as it tells a season, by the clock: tables that are late, that come in parts or in short pages, that are refused in words, that
 * are cut off, rows that are odd. What it will tell of each table and day, and from when, is drawn and written down before it is asked.
 */
import { addDays, tradingDays } from '../../src/market/calendar.ts'
import { Random } from '../../src/market/demo/random.ts'
import type { Row, Said } from '../feeds/tushare-door.ts'
import type { Call } from '../feeds/tushare-script.ts'
import { isListed, type Season } from './market.ts'
import { compact, dayOf, momentOf, todayAt } from './moments.ts'
import { drawRefusals, noRight, type Refusals } from './refusing.ts'

const tables = ['daily', 'adj_factor', 'daily_basic', 'cb_daily'] as const
type Table = (typeof tables)[number]

/** How a row is odd: a word for a number, told twice with other numbers, highest below the close, amounts in another unit, sizes of 0. */
type How = 'word' | 'twice' | 'broken' | 'unit' | 'zero'

/** When the rows of a table of a day are there, in ms: the first of them, and those that come later by themselves. */
interface Telling {
  readonly from: number
  /** Codes of late rows, and when they come; infinite: never. */
  readonly late: ReadonlyMap<string, number>
  /** A row that is odd until a moment. */
  readonly odd: { readonly code: string; readonly how: How; readonly until: number } | null
}

/** A call of a provider. `ofRest`: it had been told to wait longer. */
export interface Called {
  readonly provider: string
  readonly api: string
  readonly at: number
  readonly ofRest: boolean
}

export interface Teller {
  answer(call: Call): Said
  /** Whether the connection breaks. */
  isDown(at: number): boolean
  /** Whether a table had a good row of a code by a moment, as far as it might be asked. */
  had(table: Table, day: string, code: string, at: number): boolean
  /** The same, also where the row can be read and does not pass the checks. */
  read(table: Table, day: string, code: string, at: number): boolean
  /** Whether any row of a table was to be had by a moment. */
  gave(table: Table, day: string, at: number): boolean
  readonly refusals: Refusals
  /** Whether changes of conversion prices come with their days. */
  readonly isDated: boolean
}

/**
 * @param now the clock that everybody goes by, ms
 * @param calls as they come
 * @param isPunctual every table is whole at 16:00 of its day, and none is refused
 */
export function seasonTeller(season: Season, seed: number, now: () => number, calls: Called[], isPunctual = false): Teller {
  const random = new Random(seed, 'teller')
  const isDated = random.chance(0.5)
  const tellings = new Map<string, Telling>()
  const [shortPages, downs] = [new Set<string>(), new Map<string, number>()]
  for (const [t, day] of season.days.entries()) {
    if (isPunctual) continue
    for (const table of tables) tellings.set(`${table} ${day}`, t === 0 ? plain(day) : drawTelling(season, table, day, random))
    if (random.chance(0.1)) shortPages.add(day)
    if (t > 0 && random.chance(0.06)) downs.set(day, momentOf(day, '16:30') + random.whole(1, 40) * 60_000)
  }
  const refusals = drawRefusals(isPunctual ? [] : season.days, random)
  const telling = (table: Table, day: string) => tellings.get(`${table} ${day}`) ?? plain(day)
  const isDown = (at: number) => at >= momentOf(todayAt(at), '16:30') && at < (downs.get(todayAt(at)) ?? 0)
  /** When each table of a day was answered last. */
  const answeredAt = new Map<string, number>()
  /** Moment whose rows an answer has: a table that may not be asked keeps its last answer. */
  const askableAt = (table: Table, day: string, at: number) => {
    // Factors and valuations come with the bars.
    const isAskable = !refusals.rests(table, at) && !(table !== 'cb_daily' && refusals.rests('daily', at))
    return isAskable ? at : (answeredAt.get(`${table} ${day}`) ?? 0)
  }
  const has = (table: Table, day: string, code: string, at: number, hows: readonly How[]) => {
    const [{ from, late, odd }, by] = [telling(table, day), askableAt(table, day, at)]
    return from <= by && (late.get(code) ?? 0) <= by && !(odd?.code === code && odd.until > by && hows.includes(odd.how))
  }

  const answer = ({ api_name: api, params }: Call): Said => {
    const at = now()
    calls.push({ provider: 'tushare', api, at, ofRest: refusals.rests(api, at) })
    // Statements are not of this drill.
    const refusing = api.endsWith('_vip') ? '该接口不提供' : api === 'cb_price_chg' && !isDated ? noRight : refusals.said(api, at)
    if (refusing !== null) return refusing
    const day = params['trade_date'] === undefined ? '' : dayOf(params['trade_date'])
    const codes = params['ts_code']?.split(',') ?? []
    const today = todayAt(at)
    if (api === 'daily' || api === 'adj_factor' || api === 'daily_basic')
      return paged(
        tell(
          api,
          day,
          season.shares.flatMap((code) => shareRow(season, code, day)),
        ),
        day,
        params,
      )
    if (api === 'cb_daily') return paged(tell(api, day, bondRows(season, day)), day, params)
    if (api === 'suspend_d')
      return at < momentOf(day, '16:00')
        ? []
        : season.shares.flatMap((code) =>
            season.shareDays.has(`${code} ${day}`) || !isListed(season, code, day)
              ? []
              : [{ ts_code: code, suspend_timing: null, suspend_type: 'S' }],
          )
    if (api === 'stock_basic') return season.shares.flatMap((code) => shareEntry(season, code, today, params['list_status'] ?? ''))
    if (api === 'cb_basic')
      return season.bonds.filter(({ listed }) => addDays(listed, -2) <= today).map((bond) => bondTerms(season, bond, at))
    if (api === 'cb_call')
      return [
        ...(isPunctual ? [] : oddCall(season, today)),
        ...season.bonds.flatMap(({ code, called, ended, end }): Row[] =>
          end
            ? end.notices.filter(({ ann_date }) => ann_date <= compact(today)).map((notice) => ({ ts_code: code, ...notice }))
            : called !== null && called <= today
              ? [
                  {
                    ts_code: code,
                    is_call: '公告实施强赎',
                    ann_date: compact(called),
                    call_date: compact(ended!),
                    call_price: 100.67,
                    call_reg_date: compact(tradingDays(addDays(ended!, -10), addDays(ended!, -1)).at(-1)!),
                  },
                ]
              : [],
        ),
      ]
    if (api === 'cb_price_chg') return codes.flatMap((code) => priceRows(season, code, today))
    if (api === 'cb_share')
      return codes.map((code) => ({
        ts_code: code,
        publish_date: '20260408',
        end_date: '20260331',
        convert_price: season.firstPrice,
        remain_size: 9e8,
      }))
    return []
  }

  /** The rows of a table that are there by now. */
  function tell(table: Table, day: string, rows: readonly Row[]): readonly Row[] {
    const { from, late, odd } = telling(table, day)
    answeredAt.set(`${table} ${day}`, now())
    if (now() < from) return []
    const there = rows.filter((row) => (late.get(String(row['ts_code'])) ?? 0) <= now())
    if (odd === null || now() >= odd.until) return there
    const row = there.find((each) => each['ts_code'] === odd.code)
    if (!row) return there
    const key = table === 'adj_factor' ? 'adj_factor' : table === 'daily_basic' ? 'pe_ttm' : 'close'
    if (odd.how === 'twice') return [...there, { ...row, [key]: Number(row[key]) * 1.01 }]
    return there.map((each) => (each === row ? { ...each, ...oddCells(odd.how, row, key) } : each))
  }
  /** On some days pages are shorter than asked for, and only an empty one is the end. */
  function paged(rows: readonly Row[], day: string, params: Call['params']): Said {
    if (!shortPages.has(day)) return rows
    const offset = Number(params['offset'] ?? 0)
    const page = rows.slice(offset, offset + Math.ceil(rows.length / 3))
    return { rows: page, hasMore: page.length > 0 }
  }
  return {
    ...{ answer, isDown, refusals, isDated },
    had: (...of) => has(...of, ['word', 'twice', 'broken', 'unit', 'zero']),
    read: (...of) => has(...of, ['word', 'twice', 'zero']),
    gave: (table, day, at) => telling(table, day).from <= askableAt(table, day, at),
  }
}

function oddCells(how: How, row: Row, key: string): Row {
  if (how === 'word') return { [key]: '更正' }
  if (how === 'broken') return { high: Number(row['low']) * 0.9 }
  if (how === 'unit') return { amount: Number(row['amount']) * 10 }
  return { total_mv: 0, circ_mv: 0, total_share: 0, float_share: 0, free_share: 0 }
}

/** On some days one row of the announcements says what nobody knows. */
const oddCall = ({ bonds }: Season, today: string): Row[] =>
  Number(today.slice(8)) % 7 === 0 ? [{ ts_code: bonds[0]!.code, is_call: '公告预计满足强赎', ann_date: compact(today) }] : []

function shareEntry(season: Season, code: string, today: string, status: string): Row[] {
  const { listed = null, ended = null } = season.lives.get(code) ?? {}
  const isOver = ended !== null && ended <= today
  if ((status === 'D') !== isOver || status === 'P' || (listed !== null && addDays(listed, -3) > today)) return []
  return [
    {
      ...{ ts_code: code, name: `股${code.slice(0, 6)}`, industry: '银行', list_status: status },
      ...{ list_date: listed === null ? '20100104' : compact(listed), delist_date: isOver ? compact(ended) : null },
    },
  ]
}

const plain = (day: string): Telling => ({ from: momentOf(day, '16:00'), late: new Map(), odd: null })

const hows: Readonly<Record<Table, readonly How[]>> = {
  daily: ['word', 'twice', 'broken', 'unit'],
  cb_daily: ['word', 'twice', 'broken'],
  adj_factor: ['word', 'twice'],
  daily_basic: ['word', 'twice', 'zero'],
}

function drawTelling({ shares, bonds }: Season, table: Table, day: string, random: Random): Telling {
  const codes = table === 'cb_daily' ? bonds.map(({ code }) => code) : shares
  const times = [momentOf(day, '17:10'), momentOf(day, '19:20'), momentOf(addDays(day, 1), '07:00')]
  const later = () => times[random.whole(0, 2)]!
  const isLate = random.chance(0.12)
  const late = new Map<string, number>()
  // A board, a tenth, a third or most of the rows; else a single one.
  if (random.chance(0.12)) {
    const [until, share] = [
      later(),
      random.pick([
        [0, 1],
        [0.1, 1],
        [0.3, 1],
        [0.7, 1],
      ]),
    ]
    for (const code of codes) if (share === 0 ? code.endsWith('.BJ') : random.chance(share)) late.set(code, until)
  } else if (random.chance(0.2))
    late.set(codes[random.whole(0, codes.length - 1)]!, random.chance(0.15) ? Number.POSITIVE_INFINITY : later())
  const how = hows[table][random.whole(0, hows[table].length - 1)]!
  const odd = random.chance(0.15) ? { code: codes[random.whole(0, codes.length - 1)]!, how, until: later() } : null
  return { from: isLate ? later() : momentOf(day, '16:00'), late, odd }
}

function shareRow({ shareDays, shareCount }: Season, code: string, day: string): Row[] {
  const of = shareDays.get(`${code} ${day}`)
  if (!of) return []
  const { isEx: _, factor, ...bar } = of
  return [
    {
      ...{
        ts_code: code,
        trade_date: compact(day),
        ...bar,
        adj_factor: factor,
        turnover_rate: 1.5,
        turnover_rate_f: 2.5,
        pe: 20,
        pb: 1.5,
        ps_ttm: 2,
      },
      ...{ dv_ratio: 1, dv_ttm: 1, total_share: shareCount, float_share: shareCount, free_share: shareCount / 2 },
      ...{ total_mv: Math.round(of.close * shareCount * 100) / 100, circ_mv: Math.round(of.close * shareCount * 100) / 100 },
    },
  ]
}

function bondRows({ bonds, bondDays, shareDays }: Season, day: string): Row[] {
  return bonds.flatMap(({ code, share, ended, end }): Row[] => {
    const of = bondDays.get(`${code} ${day}`)
    const about = { ts_code: code, trade_date: compact(day) }
    // What has ended stays in the table for a while, without a trade.
    if ((ended !== null && day >= ended) || (end && day > end.lastDay))
      return [
        { ...about, open: null, high: null, low: null, close: 100, pre_close: 100, vol: 0, amount: 0, cb_value: 90, cb_over_rate: 11 },
      ]
    if (!of) return []
    const { price, ...bar } = of
    const value = Math.round((100 / price) * shareDays.get(`${share} ${day}`)!.close * 100) / 100
    return [{ ...about, ...bar, bond_value: 95.5, cb_value: value, cb_over_rate: Math.round((of.close / value - 1) * 10_000) / 100 }]
  })
}

const coupons = Array.from({ length: 6 }, (_, i) => `${2024 + i}0105-${2025 + i}0104,票面利率:${((i + 1) * 0.3).toFixed(2)}%`).join(';')

function bondTerms({ changes, firstPrice }: Season, { code, share, listed, ended, end }: Season['bonds'][number], at: number): Row {
  const today = todayAt(at)
  const price = changes.filter((change) => change.code === code && change.shown <= at).at(-1)?.after ?? firstPrice
  return {
    ...{
      ts_code: code,
      bond_short_name: `债${code.slice(0, 6)}`,
      cb_type: 'CB',
      stk_code: share,
      stk_short_name: `股${share.slice(0, 6)}`,
      maturity: 6,
    },
    ...{ issue_size: 1e9, remain_size: 9e8, value_date: '20240105', maturity_date: '20300104', list_date: compact(listed) },
    ...{ delist_date: ended !== null && ended <= today ? compact(ended) : null, conv_start_date: '20240705', conv_end_date: '20300104' },
    ...{ first_conv_price: firstPrice, conv_price: price, rate_clause: coupons, put_clause: null, maturity_call_price: '108' },
    ...{ call_clause: null, reset_clause: null, newest_rating: 'AA' },
    ...end?.terms,
  }
}

const priceRows = ({ changes, firstPrice }: Season, code: string, today: string): Row[] => [
  { ts_code: code, publish_date: '20240105', change_date: '20240105', convert_price_initial: String(firstPrice) },
  ...changes
    .filter((change) => change.code === code && change.published <= today)
    .map(({ day, published, before, after }) => ({
      ...{ ts_code: code, publish_date: compact(published), change_date: compact(day), convert_price_initial: String(firstPrice) },
      ...{ convertprice_bef: String(before), convertprice_aft: String(after) },
    })),
]
