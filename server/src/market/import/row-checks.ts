/** What can be wrong with a row by itself, one record a class of fault, in the order in which they are asked (`level-checks.ts`: with two). */

import { adjustments } from '@convexa/contract/enums/adjust'
import { markets } from '@convexa/engine'
import { isTradingDay } from '../calendar.ts'
import type { SnapshotKind } from '../manifest.ts'
import { marketOf } from '../market-rules.ts'
import type { Mapping } from './mapping.ts'
import type { Rows } from './rows.ts'

/** What a check looks at. */
export interface View {
  readonly rows: Rows
  readonly kind: SnapshotKind
  readonly adjust: Mapping['adjust']
  readonly dateText: (row: number) => string
  /** What lists and announcements say of the securities, where there are any. */
  readonly reference: Reference | null
  /** Codes whose adjusted prices cannot be shown to stand on the base of what is stored. */
  readonly withoutBase: ReadonlySet<string>
}

/** What is known of securities besides their rows. */
export interface Reference {
  /** Null: nobody of that code is on the list. */
  about(code: string): { readonly listed: string | null; readonly delisted: string | null; readonly matures: string | null } | null
  /** Whether a new conversion price came into force after one day and up to another; null: nobody says so of this bond. */
  repriced(code: string, after: string, upTo: string): boolean | null
  /** Whether something goes out of the share on the day; null: nobody was asked. */
  hasExDay(code: string): boolean | null
}

export interface RowCheck {
  readonly key: string
  readonly text: string
  /** Judged outside listing windows too: such a row cannot even be placed. */
  readonly everywhere?: boolean
  /** Such a row is none of the security's: it belongs to no day or to no security of the market. */
  readonly ofOthers?: boolean
  /** The fault, or null when the files lack what the check needs. */
  make(view: View): ((row: number) => boolean) | null
}

/** Of the mean price of a day and its close: what a unit is wrong by is ten at least, what a day moves is less. */
const mostApart = 5

export const rowChecks: readonly RowCheck[] = [
  {
    key: 'bad_code',
    text: '代码无法识别',
    everywhere: true,
    ofOthers: true,
    make: ({ rows }) => (rows.code.includes(-1) ? (row) => rows.code[row]! < 0 : null),
  },
  {
    key: 'bad_date',
    text: '日期缺失或不是有效日期',
    everywhere: true,
    ofOthers: true,
    make: ({ rows }) => (rows.date.includes(-1) ? (row) => rows.date[row]! < 0 : null),
  },
  {
    key: 'non_trading_day',
    text: '日期不是交易日',
    everywhere: true,
    ofOthers: true,
    make({ rows }) {
      const closed = Uint8Array.from(rows.dates, (date) => (isTradingDay(date) === false ? 1 : 0))
      return closed.includes(1) ? (row) => rows.date[row]! >= 0 && closed[rows.date[row]!] === 1 : null
    },
  },
  {
    key: 'unknown_code',
    text: '证券列表中没有这个代码',
    ofOthers: true,
    make: ({ rows, reference }) => reference && ((row) => reference.about(rows.codes[rows.code[row]!]!) === null),
  },
  {
    key: 'outside_window',
    text: '上市前或退市后的行情',
    ofOthers: true,
    make: ({ rows, reference, dateText }) =>
      reference &&
      ((row) => {
        const about = reference.about(rows.codes[rows.code[row]!]!)
        const date = dateText(row)
        return about !== null && ((about.listed !== null && date < about.listed) || (about.delisted !== null && date >= about.delisted))
      }),
  },
  {
    key: 'matured',
    text: '到期日早于行情日期',
    ofOthers: true,
    make: ({ rows, reference, dateText }) =>
      reference &&
      ((row) => {
        const matures = reference.about(rows.codes[rows.code[row]!]!)?.matures ?? null
        return matures !== null && matures < dateText(row)
      }),
  },
  {
    key: 'base',
    text: '与已有行情没有可以核对的行，无法确认复权价在同一基准上',
    make: ({ rows, withoutBase }) => (withoutBase.size === 0 ? null : (row) => withoutBase.has(rows.codes[rows.code[row]!]!)),
  },
  {
    key: 'unreadable',
    text: '有无法识别的内容',
    make: ({ rows: { unreadable } }) => (unreadable.size === 0 ? null : (row) => unreadable.has(row)),
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
    key: 'amount_close',
    text: '成交额 ÷ 成交量与收盘价相差五倍以上，成交量或成交额的单位不符',
    make({ rows, kind, adjust }) {
      const [vol, amount, close] = ['vol', 'amount', 'close'].map((key) => rows.fields.get(key))
      if (kind === 'index' || adjustments[adjust].adjusted || !vol || !amount || !close) return null
      const unit = markets[kind].volumeUnit
      return (row) => {
        if (!(vol[row]! > 0) || !(amount[row]! > 0)) return false
        const mean = (amount[row]! * 10_000) / (vol[row]! * unit)
        return mean >= close[row]! * mostApart || mean * mostApart <= close[row]!
      }
    },
  },
  {
    key: 'amount',
    text: '成交额与成交量、价格相差超过 5%',
    make({ rows, kind, adjust }) {
      const [vol, amount, high, low] = ['vol', 'amount', 'high', 'low'].map((key) => rows.fields.get(key))
      if (
        kind === 'index' ||
        adjustments[adjust].adjusted ||
        vol === undefined ||
        amount === undefined ||
        high === undefined ||
        low === undefined
      )
        return null
      const unit = markets[kind].volumeUnit
      return (row) => {
        const mean = (amount[row]! * 10_000) / (vol[row]! * unit)
        return mean > high[row]! * 1.05 || mean < low[row]! * 0.95
      }
    },
  },
  {
    key: 'half_trade',
    text: '有成交额没有成交量，或有成交量没有成交额',
    make({ rows }) {
      const [vol, amount] = ['vol', 'amount'].map((key) => rows.fields.get(key))
      if (vol === undefined || amount === undefined) return null
      // Sums below what a source rounds to are nothing on one side.
      return (row) => (vol[row]! > 100 && amount[row] === 0) || (vol[row] === 0 && amount[row]! > 1)
    },
  },
  {
    key: 'turnover',
    text: '换手率超出可能的范围',
    make({ rows, kind }) {
      const turnover = rows.fields.get('turnover')
      if (turnover === undefined || kind === 'index') return null
      // Small bonds have changed hands more than a hundred times in a day, shares hardly once.
      const most = markets[kind].redeemed ? 1_000 : 1.5
      return (row) => turnover[row]! > most
    },
  },
  {
    key: 'enumeration',
    text: '状态、评级等取值不在可能的范围',
    make({ rows, kind }) {
      if (kind === 'index') return null
      const fields = markets[kind].fields
      const flags = present(rows, ['is_st', 'is_st_stk'])
      const enumerations = fields.flatMap(({ key, values }) => {
        const column = values && rows.fields.get(key)
        return column ? [{ column, count: values.length }] : []
      })
      if (flags.length + enumerations.length === 0) return null
      const isFlag = (value: number) => value !== value || value === 0 || value === 1
      const isPlace = (value: number, count: number) => value !== value || (Number.isInteger(value) && value >= 0 && value < count)
      return (row) =>
        flags.some((column) => !isFlag(column[row]!)) || enumerations.some(({ column, count }) => !isPlace(column[row]!, count))
    },
  },
  {
    key: 'size',
    text: '转债剩余规模或剩余年限为负数',
    make({ rows, kind }) {
      if (!marketOf(kind)?.redeemed) return null
      const columns = present(rows, ['remain_size', 'left_years'])
      return (row) => columns.some((column) => column[row]! < 0)
    },
  },
  {
    key: 'factor',
    text: '复权因子为零或负数',
    make({ rows }) {
      const factors = present(rows, ['adj_factor', 'adj_factor_stk'])
      return factors.length === 0 ? null : (row) => factors.some((column) => column[row]! <= 0)
    },
  },
  {
    key: 'conv_value',
    text: '转股价值与转股价、正股价不符',
    make({ rows, kind }) {
      const [value, price, stock] = ['conv_value', 'conv_price', 'close_stk'].map((key) => rows.fields.get(key))
      if (!marketOf(kind)?.hasIssuerStock || value === undefined || price === undefined || stock === undefined) return null
      return (row) => Math.abs(value[row]! - (100 / price[row]!) * stock[row]!) > 0.005 * value[row]! + 0.01
    },
  },
  {
    key: 'premium',
    text: '转股溢价率与价格、转股价、正股价不符',
    make({ rows, kind }) {
      const [close, price, stock, premium] = ['close', 'conv_price', 'close_stk', 'conv_prem'].map((key) => rows.fields.get(key))
      if (!marketOf(kind)?.hasIssuerStock || close === undefined || price === undefined || stock === undefined || premium === undefined)
        return null
      // Sources round the premium and the parts it is made of: half a point of percentage, more where the premium itself is huge.
      return (row) => {
        const made = close[row]! / ((100 / price[row]!) * stock[row]!) - 1
        return Math.abs(made - premium[row]!) > 0.005 * Math.max(1, 1 + premium[row]!)
      }
    },
  },
]

const present = (rows: Rows, keys: readonly string[]): Float64Array[] => keys.flatMap((key) => rows.fields.get(key) ?? [])
