import type { Row } from './table.ts'

/** `neutralization` of a ranking factor: what is taken out of its values. Each market knows some of them (`Market.neutralizations`). */
export const neutralizations = {
  none: { label: '无' },
  size: { label: '规模', byMarket: { cb: '剩余规模', stk: '市值' } },
  stock_size: { label: '正股市值' },
  industry: { label: '行业' },
  size_industry: { label: '市值与行业' },
} as const satisfies Record<string, Row>
export type NeutralizationKey = keyof typeof neutralizations

/** The value beside null and '' that takes nothing out. */
export const noNeutralization = 'none' satisfies NeutralizationKey
