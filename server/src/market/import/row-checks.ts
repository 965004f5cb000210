/**
 * What is wrong with single rows. A row outside its listing window is masked anyway and not judged; a faulty row inside is put in
 * quarantine; points that a preset names are kept and told. More than 0.5 % of the rows inside listing windows refuse the batch.
 */
import { markets, type Security } from '@convexa/engine'
import { isTradingDay } from '../calendar.ts'
import type { Finding } from '../quality.ts'
import type { SnapshotKind } from '../store.ts'
import { boardOfStock } from './code.ts'
import type { Mapping } from './mapping.ts'
import type { Preset } from './presets.ts'
import type { Rows } from './rows.ts'

export interface Judged {
  /** 1 = in quarantine. */
  readonly dropped: Uint8Array
  readonly quarantined: number
  /** Rows inside listing windows. */
  readonly inside: number
  readonly findings: Finding[]
}

export const quarantineLimit = 0.005

/** What a check looks at; dates and codes by their places in ascending order. */
interface View {
  readonly rows: Rows
  readonly kind: SnapshotKind
  readonly adjust: Mapping['adjust']
  readonly inside: Uint8Array
  /** Row order by code and date, and where the row before it of the same code is: −1 = none. */
  readonly before: Int32Array
  /** How many rows of its code come before it. */
  readonly age: Int32Array
  readonly dateText: (row: number) => string
}

interface RowCheck {
  readonly key: string
  readonly text: string
  /** Judged outside listing windows too: such a row cannot even be placed. */
  readonly everywhere?: boolean
  /** The fault, or null when the files lack what the check needs. */
  make(view: View): ((row: number) => boolean) | null
}

const checks: readonly RowCheck[] = [
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
]

/**
 * A return beyond what the exchange allows that day. Not judged: the first days of a listing, the day after a gap (resumptions may
 * move freely), bonds before 2022-08-01, ex-days of raw prices without an exchange's previous close. ST is not known here, so the
 * wider limit of the board counts; adjusted prices are rounded, so they get the larger tolerance.
 */
function overLimit({ rows, kind, adjust, before, age, dateText }: View): ((row: number) => boolean) | null {
  const close = rows.fields.get('close')
  if (kind === 'index' || close === undefined) return null
  const market = markets[kind]
  const previousClose = rows.fields.get('pre_close')
  const order = [...rows.dates].sort()
  const place = new Map(order.map((date, k) => [date, k]))
  const day = Int32Array.from(rows.dates, (date) => place.get(date)!)
  const boards = rows.codes.map((code) => (kind === 'stk' ? boardOfStock(code) : ('SZSE_MAIN' as const)))
  const ease = adjust === 'raw' ? 1e-4 : 0.012
  return (row) => {
    const last = before[row]!
    if (last < 0 || age[row]! < 6) return false
    if (day[rows.date[row]!]! - day[rows.date[last]!]! !== 1) return false
    if (rows.traded !== null && (rows.traded[row] === 0 || rows.traded[last] === 0)) return false
    const base = previousClose === undefined ? close[last]! : previousClose[row]!
    const security = { board: boards[rows.code[row]!]!, listed: '1990-01-01' } as Security
    const { up, down } = market.limits(security, dateText(row), 1_000, base, false)
    return (up !== null && close[row]! > up * (1 + ease)) || (down !== null && close[row]! < down * (1 - ease))
  }
}

export function judgeRows(kind: SnapshotKind, rows: Rows, mapping: Mapping, preset: Preset | null): Judged {
  const inside = rows.listed ?? new Uint8Array(rows.count).fill(1)
  const view: View = { rows, kind, adjust: mapping.adjust, inside, ...history(rows), dateText: (row) => rows.dates[rows.date[row]!]! }
  const dropped = new Uint8Array(rows.count)
  const known = knownPoints(rows, preset)
  const findings: Finding[] = []
  let quarantined = 0
  for (const check of checks) {
    const faulty = check.make(view)
    if (faulty === null) continue
    const tolerated = preset?.tolerate?.[check.key]
    const found: number[] = []
    for (let row = 0; row < rows.count; row++) {
      if (dropped[row] === 1 || !(check.everywhere || inside[row] === 1) || !faulty(row)) continue
      if (!check.everywhere && known.has(row)) continue
      found.push(row)
    }
    if (found.length === 0) continue
    const examples = found.slice(0, 5).map((row) => `${rows.labelOf(row)}（${rows.whereIs(row)}）`)
    if (tolerated === undefined) {
      for (const row of found) dropped[row] = 1
      quarantined += found.length
      findings.push({ check: check.key, level: 'quarantine', count: found.length, text: check.text, examples })
    } else findings.push({ check: check.key, level: 'warning', count: found.length, text: `${check.text}：${tolerated}`, examples })
  }
  if (known.size > 0) {
    const kept = [...known]
    findings.push({
      check: 'known',
      level: 'warning',
      count: kept.length,
      text: '来源中已知有误的点，按原样保留',
      examples: kept.slice(0, 5).map(([row, why]) => `${rows.labelOf(row)} ${why}`),
    })
  }
  let insideRows = 0
  for (let row = 0; row < rows.count; row++) insideRows += inside[row]!
  return { dropped, quarantined, inside: insideRows, findings }
}

/** By code and date: the row before each row, and how many there are before it. */
function history(rows: Rows): { before: Int32Array; age: Int32Array } {
  const order = [...rows.dates.keys()].sort((a, b) => (rows.dates[a]! < rows.dates[b]! ? -1 : 1))
  const rank = new Int32Array(rows.dates.length)
  order.forEach((place, k) => {
    rank[place] = k
  })
  // A counting sort by day; walking the days in order, the last row seen of a code is the one before.
  const starts = new Int32Array(rows.dates.length + 1)
  for (let row = 0; row < rows.count; row++) if (rows.date[row]! >= 0) starts[rank[rows.date[row]!]! + 1]!++
  for (let k = 0; k < rows.dates.length; k++) starts[k + 1]! += starts[k]!
  const sorted = new Int32Array(starts.at(-1) ?? 0)
  const next = starts.slice()
  for (let row = 0; row < rows.count; row++) if (rows.date[row]! >= 0) sorted[next[rank[rows.date[row]!]!]!++] = row
  const before = new Int32Array(rows.count).fill(-1)
  const age = new Int32Array(rows.count)
  const last = new Int32Array(rows.codes.length).fill(-1)
  for (const row of sorted) {
    const code = rows.code[row]!
    if (code < 0) continue
    const previous = last[code]!
    before[row] = previous
    age[row] = previous < 0 ? 0 : age[previous]! + 1
    last[code] = row
  }
  return { before, age }
}

function knownPoints(rows: Rows, preset: Preset | null): Map<number, string> {
  const whys = new Map((preset?.known ?? []).flatMap(({ code, dates, why }) => dates.map((date) => [`${code} ${date}`, why] as const)))
  const points = new Map<number, string>()
  if (whys.size === 0) return points
  const codes = new Set([...whys.keys()].map((key) => key.split(' ')[0]!))
  const watched = rows.codes.map((code) => codes.has(code))
  for (let row = 0; row < rows.count; row++) {
    if (rows.code[row]! < 0 || rows.date[row]! < 0 || !watched[rows.code[row]!]) continue
    const why = whys.get(`${rows.codes[rows.code[row]!]} ${rows.dates[rows.date[row]!]}`)
    if (why !== undefined) points.set(row, why)
  }
  return points
}

const present = (rows: Rows, keys: readonly string[]): Float64Array[] => keys.flatMap((key) => rows.fields.get(key) ?? [])
