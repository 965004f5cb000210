/**
 * Tushare as it tells a season, by the clock: tables that are late, that come in parts, that are refused in words, rows that cannot be read.
 * What it will tell of each table and day, and from when, is drawn and written down before it is asked.
 */
import { addDays, tradingDays } from '../../src/market/calendar.ts'
import { Random } from '../../src/market/demo/random.ts'
import type { Row, Said } from '../feeds/tushare-door.ts'
import type { Call } from '../feeds/tushare-script.ts'
import type { Season } from './market.ts'

export const tables = ['daily', 'adj_factor', 'daily_basic', 'cb_daily'] as const
export type Table = (typeof tables)[number]

/** When the rows of a table of a day are there, in ms: the first of them, and those that come later by themselves. */
export interface Telling {
  readonly from: number
  /** Codes of late rows, and when they come; infinite: never. */
  readonly late: ReadonlyMap<string, number>
  /** A row that is unreadable, or that is told twice with other numbers, until a moment. */
  readonly odd: { readonly code: string; readonly how: 'word' | 'twice'; readonly until: number } | null
}

/** Words for an api, on a day, for calls before a moment. */
interface Refusing {
  readonly api: string
  readonly words: string
  readonly from: number
  readonly until: number
}

export interface Teller {
  answer(call: Call): Said
  telling(table: Table, day: string): Telling
  /** Calls as they came. */
  readonly calls: { api: string; at: number; refused: boolean }[]
  /** Whether changes of conversion prices are told with their days. */
  readonly isDated: boolean
}

export const momentOf = (day: string, time: string): number => Date.parse(`${day}T${time}:00+08:00`)
const compact = (day: string): string => day.replaceAll('-', '')
const dayOf = (compacted: string): string => `${compacted.slice(0, 4)}-${compacted.slice(4, 6)}-${compacted.slice(6, 8)}`

const wordings = [
  '抱歉，您每分钟最多访问该接口200次，权限的具体详情访问：https://tushare.pro/document/1?doc_id=108。',
  '抱歉，您访问接口(%)频率超限(400次/分钟)，具体频次详情：https://tushare.pro/document/1?doc_id=108。',
  '抱歉，您访问接口(%)频率超限(10次/小时)',
  '接口%不包含字段',
] as const
const noRight = '抱歉，您没有接口(cb_price_chg)访问权限，权限的具体详情访问：https://tushare.pro/document/1?doc_id=108。'

/**
 * @param now the clock that everybody goes by, ms
 * @param isPunctual every table is whole at 16:00 of its day, and none is refused
 */
export function seasonTeller(season: Season, seed: number, now: () => number, isPunctual = false): Teller {
  const random = new Random(seed, 'teller')
  const isDated = random.chance(0.5)
  const tellings = new Map<string, Telling>()
  const refusals: Refusing[] = []
  for (const [t, day] of season.days.entries()) {
    if (isPunctual) continue
    for (const table of tables) tellings.set(`${table} ${day}`, t === 0 ? plain(day) : drawTelling(season, table, day, random))
    if (t > 0 && random.chance(0.3)) {
      const api = (['daily', 'adj_factor', 'daily_basic', 'cb_daily', 'cb_basic', 'cb_call'] as const)[random.whole(0, 5)]!
      const from = momentOf(day, '16:30')
      refusals.push({
        api,
        words: wordings[random.whole(0, wordings.length - 1)]!.replace('%', api),
        from,
        until: from + random.whole(1, 40) * 60_000,
      })
    }
  }
  const calls: Teller['calls'] = []
  const telling = (table: Table, day: string) => tellings.get(`${table} ${day}`) ?? plain(day)

  const answer = ({ api_name: api, params }: Call): Said => {
    const at = now()
    const words = refusals.find((each) => each.api === api && at >= each.from && at < each.until)?.words
    // Statements are not of this drill.
    const refusing = api.endsWith('_vip') ? '该接口不提供' : api === 'cb_price_chg' && !isDated ? noRight : words
    calls.push({ api, at, refused: refusing !== undefined })
    if (refusing !== undefined) return refusing
    const day = params['trade_date'] === undefined ? '' : dayOf(params['trade_date'])
    const codes = params['ts_code']?.split(',') ?? []
    const today = new Date(at + 8 * 3_600_000).toISOString().slice(0, 10)
    if (api === 'daily' || api === 'adj_factor' || api === 'daily_basic')
      return tell(
        api,
        day,
        season.shares.flatMap((code) => shareRow(season, code, day)),
      )
    if (api === 'cb_daily') return tell(api, day, bondRows(season, day))
    if (api === 'suspend_d')
      return at < momentOf(day, '16:00')
        ? []
        : season.shares.flatMap((code) =>
            season.shareDays.has(`${code} ${day}`) ? [] : [{ ts_code: code, suspend_timing: null, suspend_type: 'S' }],
          )
    if (api === 'stock_basic')
      return params['list_status'] === 'L'
        ? season.shares.map((code) => ({
            ts_code: code,
            name: `股${code.slice(0, 6)}`,
            industry: '银行',
            list_date: '20100104',
            list_status: 'L',
          }))
        : []
    if (api === 'cb_basic')
      return season.bonds.filter(({ listed }) => addDays(listed, -2) <= today).map((bond) => bondTerms(season, bond, today))
    if (api === 'cb_call')
      return season.bonds.flatMap(({ code, called, ended, end }): Row[] =>
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
      )
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
    if (now() < from) return []
    const there = rows.filter((row) => (late.get(String(row['ts_code'])) ?? 0) <= now())
    if (odd === null || now() >= odd.until) return there
    const row = there.find((each) => each['ts_code'] === odd.code)
    if (!row) return there
    const key = table === 'adj_factor' ? 'adj_factor' : table === 'daily_basic' ? 'pe_ttm' : 'close'
    return odd.how === 'twice'
      ? [...there, { ...row, [key]: Number(row[key]) * 1.01 }]
      : there.map((each) => (each === row ? { ...each, [key]: '更正' } : each))
  }
  return { answer, telling, calls, isDated }
}

const plain = (day: string): Telling => ({ from: momentOf(day, '16:00'), late: new Map(), odd: null })

function drawTelling({ shares, bonds }: Season, table: Table, day: string, random: Random): Telling {
  const codes = table === 'cb_daily' ? bonds.map(({ code }) => code) : shares
  const times = [momentOf(day, '17:10'), momentOf(day, '19:20'), momentOf(addDays(day, 1), '07:00')]
  const later = () => times[random.whole(0, 2)]!
  const isLate = random.chance(0.12)
  const late = new Map<string, number>()
  // Bars of a board, and single rows of the others.
  if (random.chance(0.1)) {
    const until = later()
    for (const code of codes) if (table === 'daily' ? code.endsWith('.BJ') : random.chance(0.3)) late.set(code, until)
  } else if (random.chance(0.2))
    late.set(codes[random.whole(0, codes.length - 1)]!, random.chance(0.15) ? Number.POSITIVE_INFINITY : later())
  const odd = random.chance(0.15)
    ? { code: codes[random.whole(0, codes.length - 1)]!, how: random.chance(0.5) ? ('word' as const) : ('twice' as const), until: later() }
    : null
  return {
    from: isLate ? (table === 'daily' || table === 'cb_daily' ? times[random.whole(0, 1)]! : later()) : momentOf(day, '16:00'),
    late,
    odd,
  }
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

function bondTerms({ changes, firstPrice }: Season, { code, share, listed, ended, end }: Season['bonds'][number], today: string): Row {
  const price = changes.filter((change) => change.code === code && change.day <= today).at(-1)?.after ?? firstPrice
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
