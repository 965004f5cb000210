import type { FilterFactor } from '@convexa/contract'
import { rankRow, rankScratch } from '../kernels/index.ts'
import { enumValue, type Ingredient, type Recipe } from './recipe.ts'
import type { Rule } from './rules.ts'

const signs: Readonly<Record<FilterFactor['operation'], string>> = {
  gt: '大于',
  ge: '不小于',
  lt: '小于',
  le: '不大于',
  eq: '等于',
  ne: '不等于',
  between: '介于',
  gt_rank: '分位高于',
  lt_rank: '分位低于',
  in: '属于',
  is_null: '为空',
}

/**
 * Filter rows as rules. `exclude` drops what satisfies the row, `keep` drops what does not.
 * An absent value neither satisfies nor fails: `exclude` leaves it in, `keep` drops it (api.md 0.1).
 */
export function conditionRules(recipe: Recipe, count: number): Rule[] {
  return recipe.filters.map(({ row, factor, index }) => {
    const satisfied = testOf(row, factor.values)
    const byPercentile = row.operation === 'gt_rank' || row.operation === 'lt_rank'
    const keep = row.action === 'keep'
    const verdicts = byPercentile ? percentileReader(count) : null
    return {
      key: `filter.${index}`,
      label: conditionLabel(row, factor),
      apply(fail, id, cells) {
        const { column, offset } = cells.values(factor)
        const [from, at] = verdicts ? [verdicts(column, offset, cells.universe), 0] : [column, offset]
        for (let i = 0; i < cells.count; i++) {
          if (fail[i] === 0 && satisfied(from[at + i]) !== keep) fail[i] = id
        }
      },
    }
  })
}

/** 「剔除：收盘价大于 150」 as the user reads it. */
export function conditionLabel(row: FilterFactor, factor: Ingredient): string {
  const verb = row.action === 'keep' ? '仅保留' : '剔除'
  return `${verb}：${factor.label}${signs[row.operation]}${valueText(row)}`
}

function valueText(row: FilterFactor): string {
  if (row.operation === 'is_null') return ''
  if (row.operation === 'gt_rank' || row.operation === 'lt_rank') return ` ${round(Number(row.value) * 100)}%`
  if (row.operation === 'between' && Array.isArray(row.value)) return ` ${row.value[0]} 与 ${row.value[1]} 之间`
  return ` ${Array.isArray(row.value) ? row.value.join('、') : row.value}`
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6
}

// Every comparison is false for an absent value (`ne` says so itself): with `exclude` it stays, with `keep` it goes.
function testOf(row: FilterFactor, values: readonly string[] | null): (value: number) => boolean {
  const { operation } = row
  if (operation === 'is_null') return (value) => value !== value
  const bound = Array.isArray(row.value) ? 0 : (enumValue(row.value, values) ?? Number.NaN)
  const [low, high] = operation === 'between' && Array.isArray(row.value) ? [Number(row.value[0]), Number(row.value[1])] : [0, 0]
  const members = new Set(operation === 'in' && Array.isArray(row.value) ? row.value.map((each) => enumValue(each, values)) : [])
  switch (operation) {
    case 'gt':
    case 'gt_rank':
      return (value) => value > bound
    case 'ge':
      return (value) => value >= bound
    case 'lt':
    case 'lt_rank':
      return (value) => value < bound
    case 'le':
      return (value) => value <= bound
    case 'eq':
      return (value) => value === bound
    case 'ne':
      return (value) => value === value && value !== bound
    case 'between':
      return (value) => value >= low && value <= high
    case 'in':
      return (value) => members.has(value)
  }
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
