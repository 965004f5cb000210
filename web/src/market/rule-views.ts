/**
 * What pages offer for a rule of a market and say of it, beside what the server reads too (`rule-forms.ts` of the contract). Apart from
 * `market-views.ts`, which the grid and the report do not load.
 */
import type { ExcludedText } from '@convexa/contract/enums/attribute'
import type { MarketId } from '@convexa/contract/enums/market'
import type { DictionaryKey } from '@convexa/contract/reference'

/** An upper bound of a factor that a grid can vary. */
export interface GridCap {
  readonly ref: string
  readonly label: string
  readonly unit: string
  /** Shown ÷ wire. */
  readonly scale: 1 | 100
  /** Values to begin with. */
  readonly suggest: string
}

interface RuleView {
  /** Where a new rule's range begins: on a day, or so many years before the end of the data (api.md 0.2). */
  readonly usualStart: { readonly day: string } | { readonly years: number }
  /** Dictionaries of the issuer's attributes by which a rule may exclude. */
  readonly dictionaries: Readonly<Record<ExcludedText, DictionaryKey>>
  readonly gridCaps: readonly GridCap[]
  /** The factors by whose size a ranking may be freed: `neutralization` → factors. */
  readonly neutralFactors: Readonly<Record<string, readonly string[]>>
  /** What hold weights by size and by volatility are made of. */
  readonly weightFactors: Readonly<Record<'size' | 'volatility', string>>
  /** Why days recorded by an engine before 0.5 differ from a run made now. */
  readonly mendedIn05: string
}

/** Bonds have price limits from this day on. */
export const limitsSince = '2022-08-01'

export const ruleViews: Readonly<Record<MarketId, RuleView>> = {
  cb: {
    usualStart: { day: limitsSince },
    dictionaries: { org_types: 'cb_org_type', areas: 'cb_area', industries: 'cb_industry_1' },
    gridCaps: [
      { ref: 'close', label: '价格上限', unit: '元', scale: 1, suggest: '120,130,140,150,180' },
      { ref: 'conv_prem', label: '溢价上限', unit: '%', scale: 100, suggest: '20,30,40,60' },
      { ref: 'remain_size', label: '规模上限', unit: '亿', scale: 1, suggest: '3,5,10,20' },
    ],
    neutralFactors: { size: ['remain_size'], stock_size: ['total_mv'] },
    weightFactors: { size: 'remain_size', volatility: 'volatility_60' },
    mendedIn05: '转债的最后交易日、退出与兑付自引擎 0.5 起按各日当时所知计算',
  },
  stk: {
    usualStart: { years: 5 },
    dictionaries: { org_types: 'stk_org_type', areas: 'stk_area', industries: 'stk_industry_1' },
    gridCaps: [],
    neutralFactors: { size: ['total_mv'], size_industry: ['total_mv'] },
    weightFactors: { size: 'total_mv', volatility: 'volatility_60' },
    mendedIn05: '除权除息、涨跌停与停牌自引擎 0.5 起按改正后的规则计算',
  },
}
