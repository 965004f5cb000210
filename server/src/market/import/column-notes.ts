/** What the report says of columns: those that the file does not have and what is assumed instead, and cells that were filled. */

import { markets, namedList } from '@convexa/engine'
import type { SnapshotKind } from '../manifest.ts'
import { marketOf, marketRules } from '../market-rules.ts'
import type { Arranged } from './arrange.ts'
import { fieldsOf, type Mapping } from './mapping.ts'
import type { Stored } from './merge-into-market.ts'
import type { Rows } from './rows.ts'

/** Columns of a mapping beside the numbers, by key: their names, and what is assumed without them. */
const ofMapping: readonly { key: 'name' | 'listed' | 'traded' | 'stock_code'; label: string; text: string; ofIssuer?: true }[] = [
  { key: 'name', label: '证券名称', text: '没有参考资料的以代码为名称' },
  { key: 'listed', label: '上市标记', text: '上市和退出按行情的首末行推断' },
  { key: 'traded', label: '交易状态', text: '停牌按成交量、成交额和收盘价判断' },
  { key: 'stock_code', label: '正股代码', text: '板块按转债代码推断', ofIssuer: true },
]

/**
 * Sentences on columns that a file does not have. An update says which of the market's it lacks; what the market lacks altogether its import
 * has said.
 */
export function absentColumns(kind: SnapshotKind, mapping: Mapping, rows: Rows, table: Arranged, stored: Stored | null): string[] {
  if (kind === 'index') return []
  const labels = new Map(fieldsOf(kind).map(({ key }) => [key, markets[kind].fields.find((each) => each.key === key)!.label]))
  const labelsOf = (keys: readonly string[]) => keys.map((key) => labels.get(key) ?? key).join('、')
  const times = rows.count.toLocaleString('en-US')
  if (stored) {
    const lacked = [...stored.columns.keys()].filter((key) => labels.has(key) && !rows.fields.has(key))
    return lacked.length === 0 ? [] : [`行情有而文件没有的列：${labelsOf(lacked)}；已有的行保持原值，新的行缺失（文件共 ${times} 行）。`]
  }
  const absent = new Set([...labels.keys()].filter((key) => !table.columns.has(key)))
  const said: string[] = []
  for (const { keys, text } of marketRules[kind].assumptions) {
    if (!keys.every((key) => absent.has(key))) continue
    for (const key of keys) absent.delete(key)
    said.push(`没有${labelsOf(keys)}（${times} 行）：${text}。`)
  }
  const securities = table.securities.length.toLocaleString('en-US')
  for (const { key, label, text, ofIssuer } of ofMapping)
    if (mapping[key] === undefined && (!ofIssuer || marketOf(kind)?.hasIssuerStock))
      said.push(`没有${label}（${securities} 只）：${text}。`)
  if (absent.size > 0) said.push(`没有的其他列（${absent.size} 个）：${labelsOf([...absent])}；用到它们的条件和因子没有数据。`)
  return said
}

/** A sentence on each column whose cells count for some time. */
export function heldColumns({ kind, columns }: Arranged): string[] {
  return [...columns].flatMap(([key, { givenOnChange }]) => {
    if (!givenOnChange) return []
    const label = kind === 'index' ? key : (markets[kind].fields.find((each) => each.key === key)?.label ?? key)
    return `${label}只在变动日给出，按 holds 最多沿用 ${givenOnChange.holds} 个交易日：填入 ${givenOnChange.filled.toLocaleString('en-US')} 个单元格，最久的已 ${givenOnChange.oldest} 个交易日。`
  })
}

/** Cells of flags that are empty, by column, and the securities whose rating nobody says. */
export function emptyCells(kind: SnapshotKind, rows: Rows, { columns, securities, stride, listed, dates }: Arranged): string[] {
  const said: string[] = []
  for (const key of ['is_st', 'is_st_stk']) {
    const column = rows.fields.get(key)
    const empty = column?.reduce((sum, value) => sum + Number(value !== value), 0) ?? 0
    if (empty > 0) said.push(`${key === 'is_st' ? 'ST' : '正股 ST'} 有 ${empty.toLocaleString('en-US')} 行为空，按未知处理。`)
  }
  const rating = columns.get('rating')?.cells
  if (marketOf(kind)?.redeemed && rating) {
    const last = (dates.length - 1) * stride
    const isUnrated = (_: unknown, i: number) => listed[last + i] === 1 && rating[last + i] !== rating[last + i]
    const unrated = securities.filter(isUnrated).map(({ code }) => code)
    if (unrated.length > 0) said.push(`最后一天 ${unrated.length} 只无评级，未按评级剔除：${namedList(unrated, 5)}。`)
  }
  return said
}
