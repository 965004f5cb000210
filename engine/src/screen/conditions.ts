import type { FilterFactor } from '@convexa/contract'
import { operandsOf, operators } from '@convexa/contract/enums/operator'
import { labelOf } from '@convexa/contract/enums/table'
import { rankRow, rankScratch } from '../kernels/index.ts'
import { type CompiledScreen, enumValue } from './compiled-screen.ts'
import type { Named } from './resolved-factor.ts'
import { passing, type Rule } from './rules.ts'

/**
 * Filter rows as rules. `exclude` drops what satisfies the row, `keep` drops what does not.
 * An absent value neither satisfies nor fails: `exclude` leaves it in, `keep` drops it (api.md 0.1).
 */
export function conditionRules(compiled: CompiledScreen, count: number): Rule[] {
  return compiled.filters.map(({ row, factor, index }) => {
    const condition = conditionOf(row, factor.values)
    const percentiles = byPercentile(row) ? percentileReader(count) : null
    return {
      key: `filter.${index}`,
      label: conditionLabel(row, factor),
      apply(fail, id, cells) {
        const { column, offset } = cells.values(factor)
        const [from, at] = percentiles ? [percentiles(column, offset, cells.universe), 0] : [column, offset]
        markLeaving(condition, from, at, cells.count, fail, id)
      },
    }
  })
}

/** A condition that compares percentiles of the universe, not values. */
export const byPercentile = ({ operation }: FilterFactor): boolean => operandsOf(operation) === 'share'

/**
 * A filter row as a span of values and what becomes of a value: bit 0 absent, bit 1 outside of it, bit 2 within; 1 = it leaves.
 * So every comparison is the same few operations without a branch. `members` stands for a span that is a set (`in`).
 */
export interface Condition {
  readonly low: number
  readonly high: number
  readonly leaves: number
  readonly members: ReadonlySet<number | null> | null
}

const [absent, outside, within] = [1, 2, 4]

export function conditionOf(row: FilterFactor, values: readonly string[] | null): Condition {
  const { operation, value } = row
  const keep = row.action === 'keep'
  // `satisfied`: bits of the values that satisfy the row; `keep` drops all others.
  const condition = (low: number, high: number, satisfied: number, members: Condition['members'] = null): Condition => {
    return { low, high, leaves: keep ? ~satisfied & (absent | outside | within) : satisfied, members }
  }
  const bound = Array.isArray(value) ? Number.NaN : (enumValue(value, values) ?? Number.NaN)
  switch (operation) {
    case 'gt':
    case 'gt_rank':
      return condition(next(bound, 1), Number.POSITIVE_INFINITY, within)
    case 'ge':
      return condition(bound, Number.POSITIVE_INFINITY, within)
    case 'lt':
    case 'lt_rank':
      return condition(Number.NEGATIVE_INFINITY, next(bound, -1), within)
    case 'le':
      return condition(Number.NEGATIVE_INFINITY, bound, within)
    case 'eq':
      return condition(bound, bound, within)
    case 'ne':
      return condition(bound, bound, outside)
    case 'between':
      return Array.isArray(value) ? condition(Number(value[0]), Number(value[1]), within) : condition(Number.NaN, Number.NaN, within)
    case 'in':
      return condition(0, 0, within, new Set(Array.isArray(value) ? value.map((each) => enumValue(each, values)) : []))
    case 'is_null':
      return condition(Number.NaN, Number.NaN, absent)
    default:
      return operation satisfies never
  }
}

/** 1 when a value leaves by a condition. */
export function leavesBy({ low, high, leaves, members }: Condition, value: number): number {
  const hit = members === null ? Number(value >= low && value <= high) : Number(members.has(value))
  return (leaves >> (Number(value === value) + hit)) & 1
}

/** Writes `id` for those of the still passing whose value leaves by the condition. */
function markLeaving(condition: Condition, column: Float64Array, offset: number, count: number, fail: Uint8Array, id: number): void {
  const { low, high, leaves, members } = condition
  if (members !== null) {
    for (let i = 0; i < count; i++) if (fail[i] === 0 && leavesBy(condition, column[offset + i]) === 1) fail[i] = id
    return
  }
  for (let i = 0; i < count; i++) {
    const value = column[offset + i]
    const outcome = leaves >> (Number(value === value) + (Number(value >= low) & Number(value <= high)))
    fail[i] |= id & passing(fail[i]) & -(outcome & 1)
  }
}

/** The next number above (1) or below (−1) a finite one: `> a` is `>= next(a, 1)`. */
function next(value: number, way: 1 | -1): number {
  if (!Number.isFinite(value)) return Number.NaN
  if (value === 0) return way * Number.MIN_VALUE
  const bits = new BigInt64Array(new Float64Array([value]).buffer)
  bits[0] += BigInt(value > 0 ? way : -way)
  return new Float64Array(bits.buffer)[0]
}

/** 「剔除：收盘价大于 150」 as the user reads it. */
export function conditionLabel(row: FilterFactor, factor: Pick<Named, 'label'>): string {
  const verb = row.action === 'keep' ? '仅保留' : '剔除'
  return `${verb}：${factor.label}${labelOf(operators, row.operation)}${valueText(row)}`
}

function valueText(row: FilterFactor): string {
  if (operandsOf(row.operation) === 'none') return ''
  if (byPercentile(row)) return ` ${round(Number(row.value) * 100)}%`
  if (operandsOf(row.operation) === 'range' && Array.isArray(row.value)) return ` ${row.value[0]} 与 ${row.value[1]} 之间`
  return ` ${Array.isArray(row.value) ? row.value.join('、') : row.value}`
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6
}

/** Percentile of each in the universe, 0 = smallest … 1 = largest, ties share. */
function percentileReader(count: number) {
  const scratch = rankScratch(count)
  const ranks = new Float64Array(count)
  return (column: Float64Array, offset: number, universe: Uint8Array): Float64Array => {
    const population = rankRow(column, offset, count, universe, ranks, scratch)
    const span = population > 1 ? population - 1 : 1
    for (let i = 0; i < count; i++) ranks[i] = (ranks[i] - 1) / span
    return ranks
  }
}
