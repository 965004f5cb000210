import type { MarketId } from '@convexa/contract/enums/market'
import type { SecurityOption } from '@convexa/contract/market'

/** A column of what a security is called or belongs to, beside those of factors. */
export interface TextColumn {
  readonly key: string
  readonly label: string
  readonly title: string
  readonly width: number
  /** Shown without being asked for. */
  readonly usual?: boolean
  readonly of: (security: SecurityOption) => string | undefined
}

const industry: TextColumn = {
  ...{ key: 'industry', label: '行业', width: 88 },
  title: '一级行业，按数据最新一天',
  of: (security) => security.industry,
}

/** In order; apart from the other columns, since pages without the screen's table load these. */
export const textColumns: Readonly<Record<MarketId, readonly TextColumn[]>> = {
  cb: [
    { key: 'stock_name', label: '正股', title: '正股名称', width: 88, of: (security) => security.stock_name },
    { key: 'stock_code', label: '正股代码', title: '正股代码', width: 96, of: (security) => security.stock_code },
    { ...industry, label: '正股行业', title: `正股的${industry.title}` },
  ],
  stk: [{ ...industry, usual: true }],
}
