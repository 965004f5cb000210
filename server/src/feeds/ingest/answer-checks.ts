/**
 * What is wrong with a day's answer as a whole, one record a class of fault, in the order in which they are asked. Any of them refuses the
 * day: what is published stays. Faults of single rows are the import's (server/src/market/import/row-checks.ts).
 */

import type { Finding } from '../../db/tables/quality.ts'
import { rulesOf } from '../../market/market-rules.ts'
import type { DayTable } from '../rows.ts'
import type { Past } from './past.ts'

export interface Answered {
  /** The day that was asked for. */
  readonly day: string
  readonly past: Past
  readonly table: DayTable
  /** The stocks of bonds on the same day; null where the market has none. */
  readonly stocks: DayTable | null
  /** Codes of the stocks that are needed, of bonds that have a row. */
  readonly stockCodes: readonly string[]
  /** What has not come by now is open, where at least half is there. */
  readonly isLate: boolean
}

export interface AnswerCheck {
  readonly key: string
  readonly text: string
  /** Examples of the fault; none: it is not there. */
  find(answered: Answered): readonly string[]
}

export const answerChecks: readonly AnswerCheck[] = [
  {
    key: 'wrong_day',
    text: '数据源回答的不是所问的日期',
    find: ({ day, table, stocks }) =>
      [table, ...(stocks ? [stocks] : [])].filter(({ date }) => date !== day).map(({ date }) => `${day} → ${date}`),
  },
  {
    key: 'schema',
    text: '回答缺少收盘价，或各列长短不一',
    find: ({ table: { codes, columns } }) => [
      ...(columns.has('close') ? [] : ['close']),
      ...[...columns]
        .filter(([, cells]) => cells.length !== codes.length)
        .map(([key, cells]) => `${key}：${cells.length} / ${codes.length}`),
    ],
  },
  {
    key: 'lost_column',
    text: '前一交易日还有的列，这一天完全没有',
    find: ({ past, table }) => essential.filter((key) => isFull(past, key) && !table.columns.get(key)?.some((cell) => cell === cell)),
  },
  {
    key: 'repeated_day',
    text: '与前一交易日的行情相同，数据源可能没有更新',
    find(answered) {
      const { rows, same } = again(answered)
      return rows >= 20 && same > 0.9 * rows ? [`${rows} 只中 ${same} 只的收盘价与成交量都没有变`] : []
    },
  },
  ...(['close', 'vol', 'amount'] as const).map((key): AnswerCheck => {
    const words = { close: '收盘价', vol: '成交量', amount: '成交额' }[key]
    // No market has moved by a quarter in a day, nor traded ten times what it did the day before.
    const most = key === 'close' ? 1.25 : 8
    return {
      key: `unit_${key}`,
      text: `${words}整体相差很多倍，数据源可能换了单位`,
      find(answered) {
        const ratio = medianChange(answered, key)
        return ratio > most || ratio < 1 / most ? [`中位数为前一交易日的 ${Number(ratio.toPrecision(3))} 倍`] : []
      },
    }
  }),
  {
    key: 'beside',
    text: '转债的正股行情不全',
    find({ past, table, stocks, stockCodes, isLate }) {
      if (stocks === null) return rulesOf(past.kind)?.issuerMarket && !table.columns.has('close_stk') ? ['没有正股当天的行情'] : []
      const there = new Set([...stocks.codes, ...(stocks.suspended ?? [])])
      const missing = stockCodes.filter((code) => !there.has(code))
      // Some stand still, and not every source says which.
      return missing.length > Math.max(2, (isLate ? 0.5 : 0.05) * stockCodes.length) ? missing.slice(0, 5) : []
    },
  },
]

/** Without these a day would be read as something that it is not: an ex-day as a loss. */
const essential = ['adj_factor', 'close']

/** Whether nearly everybody who traded on the day before has the field. */
function isFull({ columns, dates, stride, traded }: Past, key: string): boolean {
  const column = columns.get(key)
  if (!column || dates.length === 0) return false
  let [rows, values] = [0, 0]
  for (let cell = (dates.length - 1) * stride; cell < dates.length * stride; cell++) {
    if (traded[cell] !== 1) continue
    rows++
    if (column[cell] === column[cell]) values++
  }
  return rows > 0 && values > 0.9 * rows
}

/** The faults of an answer, as findings. */
export function judgeAnswer(answered: Answered): Finding[] {
  for (const { key, text, find } of answerChecks) {
    const examples = find(answered)
    // Later checks take the earlier ones for granted.
    if (examples.length > 0) return [{ check: key, level: 'fault', count: examples.length, text, examples: examples.slice(0, 5) }]
  }
  return []
}

/** How many rows are there on both days, and how many of them say the same. */
function again({ past, table }: Answered): { rows: number; same: number } {
  const measures = ['close', 'vol', 'amount'].filter((key) => table.columns.has(key) && past.columns.has(key))
  let rows = 0
  let same = 0
  forBoth({ past, table }, (row, cell) => {
    rows++
    if (measures.every((key) => table.columns.get(key)![row] === past.columns.get(key)![cell])) same++
  })
  return { rows, same }
}

function medianChange({ past, table }: Answered, key: string): number {
  const [now, before] = [table.columns.get(key), past.columns.get(key)]
  const ratios: number[] = []
  if (now && before) {
    forBoth({ past, table }, (row, cell) => {
      const ratio = now[row]! / before[cell]!
      if (ratio > 0 && ratio < Number.POSITIVE_INFINITY) ratios.push(ratio)
    })
  }
  if (ratios.length < 20) return 1
  ratios.sort((a, b) => a - b)
  return ratios[ratios.length >> 1]!
}

/** Rows of the day with their cells of the day before, of those that traded on both. */
function forBoth({ past, table }: Pick<Answered, 'past' | 'table'>, visit: (row: number, cell: number) => void): void {
  if (past.dates.length === 0) return
  const last = (past.dates.length - 1) * past.stride
  const placeOf = new Map(past.securities.map(({ code }, place) => [code, place]))
  table.codes.forEach((code, row) => {
    const place = placeOf.get(code)
    if (place !== undefined && past.traded[last + place] === 1) visit(row, last + place)
  })
}
