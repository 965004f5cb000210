import { z } from 'zod'
import { feedLabels } from '../config/feeds.ts'
import type { CallRow } from '../db/tables/fact-value.ts'
import { type Asking, type Feed, FeedError } from './feed.ts'
import { type RequestBudget, requestBudget } from './round-hours.ts'
import type { BondRow } from './rows.ts'
import { sessionDay } from './session.ts'
import { codeCell, dateCell, nameCell, numberCell, textCell } from './source/cell.ts'
import { isBond } from './source/codes.ts'
import { readings } from './source/columns.ts'
import type { FeedDeps } from './source/feed-deps.ts'
import { quotesOf, shanghaiDay, shanghaiMs } from './source/quotes.ts'
import { readable } from './source/readable.ts'
import { jsonOf, type Transport } from './source/transport.ts'

const label = feedLabels.jisilu
/** Its terms: for personal use, once a minute at most. What was asked a moment ago is answered from memory. */
const leastMs = 60_000
/** Questions of a round of ingestion. */
const mostARound = 30

const Page = z.object({
  rows: z.array(z.object({ id: z.string(), cell: z.record(z.string(), z.unknown()) })),
  total: z.coerce.number().nullish(),
  warn: z.string().nullish(),
  isLogin: z.boolean().nullish(),
})
type Cells = Readonly<Record<string, unknown>>

const table = readings('cb', {
  close: 'price',
  vol: 'nothing',
  amount: { column: 'volume', unit: '万元' },
  turnover: { column: 'turnover_rt', unit: '%' },
  conv_price: 'convert_price',
  conv_value: 'convert_value',
  conv_prem: { column: 'premium_rt', unit: '%' },
  close_stk: 'sprice',
  ytm: { column: 'ytm_rt', unit: '%' },
  remain_size: { column: 'curr_iss_amt', unit: '亿元' },
  left_years: 'year_left',
  rating: 'rating_cd',
})

/** What its mark beside a bond says; null: nothing was announced. */
const marks: Readonly<Record<string, CallRow['status']>> = { R: 'called', O: 'will_call', B: 'met', G: 'will_not_call' }

/** Jisilu's list of listed bonds: as it is now, with the cookie of a logged-in user (providers.md 3). */
export function jisilu({ url, cookie }: { url: string; cookie: string }, ask: Transport, deps: FeedDeps): Feed {
  let last: { at: number; cells: readonly (readonly [string, Cells])[] } | null = null

  const ofRound = requestBudget(mostARound, deps.now)
  /** `budget`: quotes are of no round, and go on all day. */
  const list = async (asking: Asking, budget: RequestBudget | null = ofRound) => {
    if (last && deps.now() - last.at < leastMs) return last.cells
    const request = {
      label,
      what: 'jisilu cb_list_new',
      urls: [`${url}/data/cbnew/cb_list_new/?___jsl=LST___t=${deps.now()}`],
      headers: { cookie, 'x-requested-with': 'XMLHttpRequest', 'content-type': 'application/x-www-form-urlencoded' },
      body: form,
      counted: { key: 'jisilu', limits: [{ calls: 1, inMs: leastMs }], ...(budget && { budget }) },
    }
    const cells = await ask(request, read, asking)
    last = { at: deps.now(), cells }
    return cells
  }
  const today = () => shanghaiDay(deps.now())

  return {
    name: 'jisilu',
    label,
    offers: {
      'bond-list': async (_, asking) => readable(await list(asking), (each) => [bondRow(each)], asking),
      // It says how things stand now: of a day that is over it knows nothing.
      calls: async ({ from, to }, asking) => {
        if (today() < from || today() > to) throw new FeedError('refused', `${label}只说当天的状态，不能补 ${to} 的强赎公告`)
        return readable(await list(asking), (each) => callRow(each, today()), asking)
      },
      'remaining-sizes': async ({ codes }, asking) => {
        const wanted = new Set(codes)
        const known = (await list(asking)).filter(([code]) => wanted.has(code))
        return known
          .map(([code, cell]) => ({ code, announced: today(), asOf: today(), size: number(code, cell, 'curr_iss_amt') }))
          .filter(({ size }) => size > 0)
      },
      quotes: async ({ codes }, asking) => {
        const wanted = new Set(codes)
        const rows = (await list(asking, null)).filter(([code, cell]) => wanted.has(code) && cell['qstatus'] !== '03')
        const made = rows.map(([code, cell]) => {
          const time = textCell(cell['last_time'])
          return { code, madeAt: time ? momentOf(time, deps.now()) : Number.NaN, cell: (column: string) => cell[column] }
        })
        return quotesOf(label, made, table, deps)
      },
    },
  }
}

const shownToGuests = 30
/** Our clock may be behind by so much. */
const aheadMs = 60_000

/** The moment of a time without its day: a price that was made later than now is the session's before, which stands until there is another. */
function momentOf(time: string, now: number): number {
  const day = sessionDay(new Date(now))
  const made = shanghaiMs(day, time)
  return made > now + aheadMs ? shanghaiMs(sessionDay(new Date(shanghaiMs(day, '00:00:00'))), time) : made
}

const form = [
  ...['fprice=', 'tprice=', 'curr_iss_amt=', 'volume=', 'svolume=', 'premium_rt=', 'ytm_rt=', 'rating_cd=', 'is_search=N'],
  ...['shmb', 'shkc', 'szmb', 'szcy'].map((market) => `market_cd%5B%5D=${market}`),
  ...['btype=', 'listed=Y', 'qflag=N', 'sw_cd=', 'bond_ids=', 'rp=50'],
].join('&')

function read(bytes: Buffer): (readonly [string, Cells])[] {
  const parsed = Page.safeParse(jsonOf(label, bytes))
  if (!parsed.success) throw new FeedError('shape', `${label}应答的形状不是已知的`)
  const { rows, total, warn, isLogin } = parsed.data
  // A guest sees the first 30: a market that looks whole and is not, sometimes without a word of it.
  const isCut = rows.length === shownToGuests && isLogin !== true
  if (isLogin === false || isCut || /游客|登录/.test(warn ?? ''))
    throw new FeedError('credentials', `${label}只给未登录者前 ${shownToGuests} 只，请更新 JISILU_COOKIE`)
  if (rows.length < (total ?? 0)) throw new FeedError('shape', `${label}的列表共 ${total} 行，只给出 ${rows.length} 行`)
  return rows.flatMap(({ cell }) => {
    const code = codeCell(cell['bond_id'], 'cb')
    return code && isBond(code) && cell['btype'] !== 'E' ? [[code, cell] as const] : []
  })
}

const number = (code: string, cell: Cells, column: string): number => numberCell(cell[column], `${code} 的 ${column}`)

function bondRow([code, cell]: readonly [string, Cells]): BondRow {
  return {
    code,
    name: nameCell(cell['bond_nm']) ?? code,
    stockCode: codeCell(cell['stock_id'], 'stk') ?? '',
    stockName: nameCell(cell['stock_nm']),
    listed: dateCell(cell['list_dt'], `${code} 的 list_dt`),
    delisted: null,
    valueDate: null,
    maturityDate: dateCell(cell['maturity_dt'], `${code} 的 maturity_dt`),
    conversionStart: null,
    conversionEnd: null,
    issueSize: number(code, cell, 'orig_iss_amt'),
    remainSize: number(code, cell, 'curr_iss_amt'),
    conversionPrice: number(code, cell, 'convert_price'),
    firstConversionPrice: Number.NaN,
    coupons: [],
    maturityPrice: Number.NaN,
    rating: textCell(cell['rating_cd']),
    clauses: { redeem: null, put: null, reset: null },
  }
}

/** It says how things stand, not since when: dated by the day of asking, on which it was known at the latest. */
function callRow([code, cell]: readonly [string, Cells], today: string): CallRow[] {
  const mark = textCell(cell['redeem_icon'])
  if (mark === null) return []
  const status = marks[mark]
  if (!status) throw new FeedError('shape', `${label}的强赎标记“${mark.slice(0, 8)}”不是已知的（${code}）`)
  return [
    {
      code,
      announced: today,
      standing: true,
      status,
      callDate: null,
      price: number(code, cell, 'real_force_redeem_price'),
      registerDate: null,
      // Its redeem_dt is the last day of trading, neither that of the call nor of the register.
      ...(status === 'called' && { lastTradingDay: dateCell(cell['redeem_dt'], `${code} 的 redeem_dt`) }),
    },
  ]
}
