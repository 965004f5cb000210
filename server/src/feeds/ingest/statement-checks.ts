/**
 * What can be wrong with a statement as a source tells it, one record a class of fault, in the order in which they are asked. A faulty one is
 * left out and told; the others are published.
 */
import { isQuarterEnd } from '@convexa/engine'
import type { StatementRow } from '../rows.ts'

/** A statement with its days and items. */
interface StatementView {
  readonly row: StatementRow
  /** The day on which it was heard of. */
  readonly day: string
  /** What is known of the company for the quarter so many quarters before that of the row: an item's newest number, NaN = none. */
  earlier(quartersBefore: number, item: string): number
}

export interface StatementCheck {
  readonly key: string
  readonly text: string
  isFaulty(view: StatementView): boolean
}

export const statementChecks: readonly StatementCheck[] = [
  {
    key: 'statement_period',
    text: '报告期缺失，或不是季度末',
    isFaulty: ({ row: { period } }) => period === null || !isQuarterEnd(period),
  },
  {
    key: 'statement_unpublished',
    text: '公告日期缺失，不知道何时公布',
    isFaulty: ({ row: { announced } }) => announced === null,
  },
  {
    key: 'statement_early',
    text: '公告日期不晚于报告期末',
    isFaulty: ({ row: { announced, period } }) => announced! <= period!,
  },
  {
    key: 'statement_future',
    text: '公告日期在采集日期之后',
    isFaulty: ({ row: { announced }, day }) => announced! > day,
  },
  {
    key: 'statement_empty',
    text: '没有任何可用的科目，或数值无法识别',
    isFaulty({ row: { items } }) {
      const numbers = Object.values(items)
      return numbers.length === 0 || numbers.some((number) => !Number.isFinite(number))
    },
  },
  {
    key: 'statement_sign',
    text: '资产、货币资金、股本等为负数',
    isFaulty: ({ row: { items } }) => nonNegative.some((key) => items[key]! < 0) || items['total_assets'] === 0,
  },
  {
    key: 'statement_parts',
    text: '部分大于整体，如流动资产大于总资产',
    isFaulty: ({ row: { items } }) => parts.some(([part, whole]) => items[part]! > items[whole]! * 1.01),
  },
  {
    key: 'statement_balance',
    text: '资产、负债与净资产对不上',
    isFaulty({ row: { items } }) {
      // What is left is the minority's: it has been half of a group, and somewhat below nothing.
      const left = (items['total_assets']! - items['total_liab']! - items['equity_parent']!) / items['total_assets']!
      return left > 0.75 || left < -0.25
    },
  },
  {
    key: 'statement_unit',
    text: '各科目整体相差上千倍，数据源可能换了单位',
    isFaulty: (view) => [4, 1].some((before) => ratioTo(view, before) > otherUnit || ratioTo(view, before) < 1 / otherUnit),
  },
  {
    key: 'statement_repeated',
    text: '与前一报告期的数字完全相同',
    isFaulty(view) {
      const nonZero = Object.entries(view.row.items).filter(([, number]) => number !== 0)
      return nonZero.length >= 5 && nonZero.every(([key, number]) => view.earlier(1, key) === number)
    },
  },
]

const nonNegative = [
  'total_assets',
  'money_cap',
  'receivables',
  'inventories',
  'total_cur_assets',
  'total_cur_liab',
  'share_capital',
  'holder_num',
]
const parts = [
  ['total_cur_assets', 'total_assets'],
  ['money_cap', 'total_assets'],
  ['inventories', 'total_assets'],
  ['receivables', 'total_assets'],
  ['total_cur_liab', 'total_liab'],
] as const

/** 万元 for 元 is ten thousand times, 千元 a thousand; no company has grown so in all its items. */
const otherUnit = 300
/** Fewer items than these say nothing of a unit. */
const fewest = 3

/** The median of the items' size to what they were; 1: too few to tell. */
function ratioTo({ row, earlier }: StatementView, quartersBefore: number): number {
  const ratios = Object.entries(row.items).flatMap(([key, now]) => {
    const ratio = Math.abs(now / earlier(quartersBefore, key))
    return ratio > 0 && Number.isFinite(ratio) ? [ratio] : []
  })
  if (ratios.length < fewest) return 1
  ratios.sort((a, b) => a - b)
  return ratios[ratios.length >> 1]!
}
