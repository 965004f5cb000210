/** What can be wrong with a single row, one record a class of fault, in the order in which they are asked. */
import { markets, type Security } from '@convexa/engine'
import { isTradingDay } from '../calendar.ts'
import type { SnapshotKind } from '../store.ts'
import { boardOfStock } from './code.ts'
import type { Mapping } from './mapping.ts'
import type { Rows } from './rows.ts'

/** What a check looks at; dates and codes by their places in ascending order. */
export interface View {
  readonly rows: Rows
  readonly kind: SnapshotKind
  readonly adjust: Mapping['adjust']
  /** Row order by code and date, and where the row before it of the same code is: −1 = none. */
  readonly before: Int32Array
  /** How many rows of its code come before it. */
  readonly age: Int32Array
  /** 1 where the row before it is of the trading day before and not in quarantine: only then two rows can be compared. */
  readonly follows: (row: number) => boolean
  readonly dateText: (row: number) => string
}

export interface RowCheck {
  readonly key: string
  readonly text: string
  /** Judged outside listing windows too: such a row cannot even be placed. */
  readonly everywhere?: boolean
  /** The fault, or null when the files lack what the check needs. */
  make(view: View): ((row: number) => boolean) | null
}

export const rowChecks: readonly RowCheck[] = [
  {
    key: 'bad_code',
    text: '代码无法识别',
    everywhere: true,
    make:
      ({ rows }) =>
      (row) =>
        rows.code[row]! < 0,
  },
  {
    key: 'bad_date',
    text: '日期缺失或不是有效日期',
    everywhere: true,
    make:
      ({ rows }) =>
      (row) =>
        rows.date[row]! < 0,
  },
  {
    key: 'non_trading_day',
    text: '日期不是交易日',
    everywhere: true,
    make({ rows }) {
      const closed = Uint8Array.from(rows.dates, (date) => (isTradingDay(date) === false ? 1 : 0))
      return (row) => rows.date[row]! >= 0 && closed[rows.date[row]!] === 1
    },
  },
  {
    key: 'duplicate',
    text: '同一代码同一日期重复出现',
    everywhere: true,
    make:
      ({ rows, before }) =>
      (row) =>
        before[row]! >= 0 && rows.date[before[row]!] === rows.date[row],
  },
  {
    key: 'unreadable',
    text: '数值列里有无法识别的内容',
    make({ rows }) {
      const bad = new Set(rows.unreadable)
      return bad.size === 0 ? null : (row) => bad.has(row)
    },
  },
  {
    key: 'missing_price',
    text: '有成交但没有收盘价',
    make({ rows }) {
      const close = rows.fields.get('close')
      if (close === undefined) return null
      return (row) => close[row] !== close[row] && (rows.traded === null || rows.traded[row] === 1)
    },
  },
  {
    key: 'price',
    text: '价格为零或负数',
    make({ rows }) {
      const prices = present(rows, ['close', 'open', 'high', 'low', 'pre_close', 'conv_price', 'close_stk'])
      const quoted = rows.traded
      return (row) => (quoted === null || quoted[row] === 1) && prices.some((column) => column[row]! <= 0)
    },
  },
  {
    key: 'ohlc',
    text: '开高低收的大小关系不成立',
    make({ rows }) {
      const [open, high, low, close] = ['open', 'high', 'low', 'close'].map((key) => rows.fields.get(key))
      if (open === undefined || high === undefined || low === undefined || close === undefined) return null
      const ease = 1e-6
      return (row) => {
        const top = high[row]! * (1 + ease)
        const bottom = low[row]! * (1 - ease)
        if (rows.traded !== null && rows.traded[row] === 0) return false
        return open[row]! > top || close[row]! > top || open[row]! < bottom || close[row]! < bottom || bottom > top
      }
    },
  },
  {
    key: 'negative_volume',
    text: '成交量、成交额或换手率为负数',
    make({ rows }) {
      const columns = present(rows, ['vol', 'amount', 'turnover'])
      return (row) => columns.some((column) => column[row]! < 0)
    },
  },
  {
    key: 'amount',
    text: '成交额与成交量、价格相差超过 5%',
    make({ rows, kind, adjust }) {
      const [vol, amount, high, low] = ['vol', 'amount', 'high', 'low'].map((key) => rows.fields.get(key))
      if (kind === 'index' || adjust !== 'raw' || vol === undefined || amount === undefined || high === undefined || low === undefined)
        return null
      const unit = markets[kind].volumeUnit
      return (row) => {
        const mean = (amount[row]! * 10_000) / (vol[row]! * unit)
        return mean > high[row]! * 1.05 || mean < low[row]! * 0.95
      }
    },
  },
  {
    key: 'size',
    text: '转债剩余规模或剩余年限为负数',
    make({ rows, kind }) {
      if (kind !== 'cb') return null
      const columns = present(rows, ['remain_size', 'left_years'])
      return (row) => columns.some((column) => column[row]! < 0)
    },
  },
  {
    key: 'premium',
    text: '转股溢价率与价格、转股价、正股价不符',
    make({ rows, kind }) {
      const [close, price, stock, premium] = ['close', 'conv_price', 'close_stk', 'conv_prem'].map((key) => rows.fields.get(key))
      if (kind !== 'cb' || close === undefined || price === undefined || stock === undefined || premium === undefined) return null
      // Sources round the premium and the parts it is made of: half a point of percentage, more where the premium itself is huge.
      return (row) => {
        const made = close[row]! / ((100 / price[row]!) * stock[row]!) - 1
        return Math.abs(made - premium[row]!) > 0.005 * Math.max(1, 1 + premium[row]!)
      }
    },
  },
  {
    key: 'jump',
    text: '涨跌幅超出涨跌停限制且没有除权等说明',
    make: overLimit,
  },
  {
    key: 'adjust',
    text: '复权因子无效，或与前收盘价不符',
    make({ rows, adjust, before, follows }) {
      const [close, previous, factor] = ['close', 'pre_close', 'adj_factor'].map((key) => rows.fields.get(key))
      if (factor === undefined) return null
      if (adjust !== 'raw' || close === undefined || previous === undefined) return (row) => factor[row]! <= 0
      // The exchange's previous close is yesterday's close over the step of the factor, to the cent and to the factor's own rounding.
      return (row) => {
        if (factor[row]! <= 0) return true
        if (!follows(row)) return false
        const last = before[row]!
        const expected = (close[last]! * factor[last]!) / factor[row]!
        return Math.abs(previous[row]! - expected) > 0.011 + 0.01 * previous[row]!
      }
    },
  },
]

/**
 * A return beyond what the exchange allows that day. Not judged: the first days of a listing, the day after a gap (resumptions may
 * move freely), bonds before 2022-08-01, ex-days of raw prices without an exchange's previous close. ST is not known here, so the
 * wider limit of the board counts; adjusted prices are rounded, so they get the larger tolerance.
 */
function overLimit({ rows, kind, adjust, before, age, follows, dateText }: View): ((row: number) => boolean) | null {
  const close = rows.fields.get('close')
  if (kind === 'index' || close === undefined) return null
  const market = markets[kind]
  const previousClose = rows.fields.get('pre_close')
  const boards = rows.codes.map((code) => (kind === 'stk' ? boardOfStock(code) : ('SZSE_MAIN' as const)))
  const ease = adjust === 'raw' ? 1e-4 : 0.012
  return (row) => {
    if (age[row]! < 6 || !follows(row)) return false
    const last = before[row]!
    if (rows.traded !== null && (rows.traded[row] === 0 || rows.traded[last] === 0)) return false
    const base = previousClose === undefined ? close[last]! : previousClose[row]!
    const security = { board: boards[rows.code[row]!]!, listed: '1990-01-01' } as Security
    const { up, down } = market.limits(security, dateText(row), 1_000, base, false)
    return (up !== null && close[row]! > up * (1 + ease)) || (down !== null && close[row]! < down * (1 - ease))
  }
}

const present = (rows: Rows, keys: readonly string[]): Float64Array[] => keys.flatMap((key) => rows.fields.get(key) ?? [])
