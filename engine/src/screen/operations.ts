import type { FilterFactor } from '@convexa/contract'

/** What a condition does with its value, as builder, funnel and reasons say it. */
export const operationWords: Readonly<Record<FilterFactor['operation'], string>> = {
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
