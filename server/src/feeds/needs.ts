import type { Need } from '../db/tables/answers.ts'

const labels: Readonly<Record<Need, string>> = {
  calendar: '交易日历',
  'stock-day': '股票日线',
  'bond-day': '转债日线',
  'index-day': '指数日线',
  'ex-days': '除权除息日',
  'stock-limits': '涨跌停价',
  'stock-list': '股票列表',
  'bond-list': '转债列表与条款',
  names: '曾用名（ST）',
  calls: '强赎公告',
  'conversion-prices': '转股价变动',
  'remaining-sizes': '剩余规模',
  statements: '财务报表',
  quotes: '实时行情',
}

export const needs = Object.keys(labels) as Need[]

/** What a person reads; a need that is not known any more is its own label. */
export const needLabel = (need: string): string => needs.flatMap((known) => (known === need ? labels[known] : []))[0] ?? need
