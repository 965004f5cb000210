import type { GroupBody } from '@convexa/contract/strategy-group'

export const rebalanceChoices: readonly { value: GroupBody['rebalance']; label: string; hint: string }[] = [
  { value: 'monthly', label: '每月', hint: '每月第一个交易日，各成员的资金回到设定的占比' },
  { value: 'never', label: '不再平衡', hint: '起始按占比分配，之后各自增减' },
]

export const duplicateChoices: readonly { value: GroupBody['duplicate']; label: string; hint: string }[] = [
  { value: 'merge', label: '合并权重', hint: '同一证券被几个成员选中时算一个，权重相加' },
  { value: 'separate', label: '分别持有', hint: '各成员各持各的，合并名单里逐条列出' },
]

export const wordOf = <V extends string>(choices: readonly { value: V; label: string }[], value: V): string =>
  choices.find((one) => one.value === value)?.label ?? value
