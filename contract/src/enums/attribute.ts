import type { Row } from './table.ts'

export interface AttributeRow extends Row {
  /** Name on pages, where it is another than in formulas. */
  readonly pageLabel?: string
}

/** Texts of a security and its company that formulas group and compare by, under these labels. */
export const attributes = {
  industry_1: { label: '一级行业' },
  industry_2: { label: '二级行业' },
  industry_3: { label: '三级行业' },
  market: { label: '上市板块' },
  yy_rating: { label: 'YY评级', pageLabel: '第三方评级' },
  orgform: { label: '企业性质' },
  area: { label: '地区' },
} as const satisfies Record<string, AttributeRow>
export type AttributeKey = keyof typeof attributes

export const pageLabelOf = (key: AttributeKey): string => {
  const { label, pageLabel = label }: AttributeRow = attributes[key]
  return pageLabel
}

export interface ExcludedTextRow extends Row {
  /** Attributes in which the text may stand; data of before say `industry` alone. */
  readonly attributes: readonly (AttributeKey | 'industry')[]
}

/** Exclusions of a rule by an attribute's text (`exclude.org_types`, …). */
export const excludedTexts = {
  org_types: { label: '企业类型', attributes: ['orgform'] },
  areas: { label: '地区', attributes: ['area'] },
  industries: { label: '行业', attributes: ['industry_1', 'industry_2', 'industry_3', 'industry'] },
} as const satisfies Record<string, ExcludedTextRow>
export type ExcludedText = keyof typeof excludedTexts
