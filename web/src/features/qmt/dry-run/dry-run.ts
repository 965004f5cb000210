import type { DryRun, DryRunRow } from '@convexa/contract/qmt-basket'
import { shortTime } from '../../../base/dates.ts'
import { count, fixed, percent } from '../../../base/format.ts'

const order = { sell: 0, buy: 1, keep: 2 } as const
export const actionWords = { sell: '卖出', buy: '买入', keep: '不变' } as const

/** As it would be traded: sales first, then purchases, then what stays; the best rank first. */
export const orderedRows = (rows: readonly DryRunRow[]): DryRunRow[] =>
  rows.toSorted((a, b) => order[a.action] - order[b.action] || (a.rank ?? Number.POSITIVE_INFINITY) - (b.rank ?? Number.POSITIVE_INFINITY))

/** Rows that are a trade: as many differences are looked at. */
export const trades = (rows: readonly DryRunRow[]): DryRunRow[] => rows.filter(({ difference }) => difference !== 0)

export interface Totals {
  securities: number
  held: number
  target: number
  difference: number
  /** Yuan that change hands. */
  amount: number
  fees: number
  /** Yuan of what is held afterwards, at the prices of the signal. */
  after: number
}

/** Of all rows. A price that is missing counts as nothing: it is named in its row. */
export function totalsOf({ rows, buy_amount, sell_amount, fees }: DryRun): Totals {
  const sum = (of: (row: DryRunRow) => number) => rows.reduce((total, row) => total + of(row), 0)
  return {
    securities: rows.length,
    held: sum(({ held }) => held),
    target: sum(({ target }) => target),
    difference: sum(({ difference }) => difference),
    amount: buy_amount + sell_amount,
    fees,
    after: sum(({ target, price }) => target * (price ?? 0)),
  }
}

/** Above this share of a day's turnover an order hardly gets the price of the signal. */
const manyOfADay = 0.05
const someOfADay = 0.01

export const roomWords = (share: number | null): string =>
  share === null ? '' : share >= manyOfADay ? '容量不足' : share >= someOfADay ? '容量偏紧' : '容量充足'

export interface Figure {
  name: string
  value: string
  beside: string
}

/** What is seen first: how much is sold and bought, what it costs, whether the market has room for it. */
export function figuresOf(result: DryRun): readonly Figure[] {
  const { rows, sell_amount: sold, buy_amount: bought, fees, max_turnover_share: share } = result
  const number = (action: DryRunRow['action']) => `${rows.filter((row) => row.action === action).length} 只`
  /** Of what has no price nothing is said, not 0. */
  const known = (action: DryRunRow['action'], amount: number) =>
    rows.some((row) => row.action === action) && rows.every((row) => row.action !== action || row.amount === null) ? '' : yuan(amount)
  const traded = sold + bought
  return [
    { name: '卖出', value: number('sell'), beside: known('sell', sold) },
    { name: '买入', value: number('buy'), beside: known('buy', bought) },
    { name: '预计费用', value: `¥${fixed(fees)}`, beside: traded > 0 ? percent(fees / traded) : '' },
    { name: '占成交额最高', value: percent(share, 3), beside: roomWords(share) },
  ]
}

/** `¥22,091`; amounts of a plan need no fen. */
export const yuan = (amount: number | null): string => (amount === null ? '—' : `¥${count(Math.round(amount))}`)

const fromWords = { given: '持仓来自你的填写', heartbeat: '持仓来自客户端心跳', none: '没有持仓记录，按空仓' } as const

/** `目标 10 只 · 现有 10 只 · 持仓来自客户端心跳 14:31` */
export function basisWords({ targets, holdings, holdings_from: from, holdings_at: at }: DryRun): string {
  const heldCount = holdings.filter(({ volume }) => volume > 0).length
  const words = from === 'given' && heldCount === 0 ? '按空仓' : fromWords[from]
  return `目标 ${targets} 只 · 现有 ${heldCount} 只 · ${words}${at ? ` ${shortTime(at)}` : ''}`
}
