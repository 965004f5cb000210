/** How the columns of a file become a market: the shape of presets and of a user's own mapping file. */
import { readFile } from 'node:fs/promises'
import { shown } from '@convexa/contract'
import { type Field, markets } from '@convexa/engine'
import { z } from 'zod'
import { describeIssue } from '../../base/describe-issue.ts'
import type { SnapshotKind } from '../manifest.ts'
import type { FlagKind } from './cells/flag.ts'
import type { Quantity } from './cells/number.ts'
import { asItIs, conversion } from './cells/unit.ts'
import { ImportFileError } from './source-file.ts'

/**
 * A column, or a column with its unit: `{"column": "成交额", "unit": "千元"}`, or a plain factor. `holds`: the column is given on days of
 * change only, and a cell counts for so many trading days after its own.
 */
const FieldSource = z.union([
  z.string().min(1),
  z.strictObject({
    column: z.string().min(1),
    unit: z.string().optional(),
    multiply: z.number().optional(),
    divide: z.number().optional(),
    holds: z.int().min(1).max(2_500).optional(),
  }),
])
export type FieldSource = z.output<typeof FieldSource>

export const Mapping = z.strictObject({
  /** Where an editor finds the schema of this file. */
  $schema: z.string().optional(),
  code: z.string().min(1),
  date: z.string().min(1),
  name: z.string().optional(),
  stock_code: z.string().optional(),
  stock_name: z.string().optional(),
  /** 1, true: inside the listing window that day. Without it a security is listed from its first row on. */
  listed: z.string().optional(),
  /** 1, true: traded that day. Without it a row with a close is a day of trading; a row without volume never is. */
  traded: z.string().optional(),
  /** Shares without a row on so many trading days at the end of the file have left the market. */
  ends_after: z.int().min(20).max(1_000).optional(),
  /** How prices are adjusted. */
  adjust: z.enum(['raw', 'qfq', 'hfq']).default('raw'),
  /** Text columns that stay the same, by key: industry_1, area, orgform. */
  attributes: z.record(z.string(), z.string()).default({}),
  fields: z.record(z.string(), FieldSource),
})
export type Mapping = z.output<typeof Mapping>

/**
 * `ends_after` where a mapping does not say it: longer than any suspension since 暂停上市 was abolished at the end of 2020 (42 trading days
 * among 5,120 shares of 2022–23), shorter than many before (333 days in 2017–18).
 */
export const usualEndsAfter = 120

/** Reads a user's mapping file. */
export async function readMapping(path: string): Promise<Mapping> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new ImportFileError('mapping', `无法读取映射文件 ${path}`)
  })
  let json: unknown
  try {
    // Editors of some systems begin a file with a byte order mark.
    json = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw new ImportFileError('mapping', `映射文件 ${path} 不是合法的 JSON`)
  }
  const parsed = Mapping.safeParse(json)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!
    throw new ImportFileError('mapping', `映射文件有误：${shown(issue.path.join('.'), 80) || '内容'} ${describeIssue(issue)}`)
  }
  return parsed.data
}

/** A field of an index series. */
const indexFields = [
  { key: 'close', unit: '点', store: 'f64' },
  { key: 'open', unit: '点', store: 'f64' },
  { key: 'high', unit: '点', store: 'f64' },
  { key: 'low', unit: '点', store: 'f64' },
] as const

export interface TargetField {
  readonly key: string
  readonly unit: string | null
  readonly store: 'f64' | 'f32'
  readonly values?: readonly string[]
  readonly positive?: true
}

/** A field that a file may have a column of. */
const isStorable = ({ derived, fact, series }: Field) => derived !== true && !fact && !series

export const fieldsOf = (kind: SnapshotKind): readonly TargetField[] =>
  kind === 'index' ? indexFields : markets[kind].fields.filter(isStorable)

/** What a mapping says of one field. */
export interface Reading extends Quantity {
  readonly field: TargetField
  readonly column: string
  /** Trading days for which a cell counts after its own; absent: for none. */
  readonly holds?: number
}

const unitOf = ({ unit }: TargetField): string => unit ?? '小数'

/** A reading of a column that is in the field's own unit. */
export const readingOf = (field: TargetField, column: string): Reading => {
  return { field, column, ...asItIs, unit: { field: unitOf(field), column: unitOf(field) } }
}

/** The readings of a mapping; a field that the market does not have, or a unit that does not fit it, is a fault. */
export function readingsOf(kind: SnapshotKind, mapping: Pick<Mapping, 'fields'>): Reading[] {
  const known = new Map(fieldsOf(kind).map((field) => [field.key, field]))
  return Object.entries(mapping.fields).map(([key, source]) => {
    const field = known.get(key)
    if (field === undefined)
      throw new ImportFileError('mapping', `映射有误：没有名为 ${key} 的字段，可用的字段有 ${[...known.keys()].join('、')}`)
    if (typeof source === 'string') return readingOf(field, source)
    const { column, unit = unitOf(field), multiply = 1, divide = 1, holds } = source
    const made = conversion(unit, unitOf(field))
    if (made === null) throw new ImportFileError('mapping', `映射有误：字段 ${key} 的单位是${unitOf(field)}，不能由 ${unit} 换算`)
    return {
      ...{ field, column, unit: { field: unitOf(field), column: unit } },
      ...{ multiply: multiply * made.multiply, divide: divide * made.divide },
      ...(holds !== undefined && { holds }),
    }
  })
}

/** Fields that are flags, and which words they know. */
export const flagFields: Readonly<Record<string, FlagKind>> = {
  is_st: 'st',
  is_st_stk: 'st',
  index_member_000300: 'flag',
  index_member_000905: 'flag',
  index_member_000852: 'flag',
  buyback_flag: 'flag',
  reduce_flag: 'flag',
  inquiry_flag: 'flag',
}
