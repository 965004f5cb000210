import { type HoldWeight, type HoldWeightRow, holdWeights } from '@convexa/contract/enums/hold-weight'
import type { MarketId } from '@convexa/contract/enums/market'
import { labelOf, valuesOf } from '@convexa/contract/enums/table'
import type { BasketBody } from '@convexa/contract/qmt-basket'
import { sentences } from '@convexa/contract/rules/sentences'
import { CallError } from '../../api/messages.ts'

/** A list that may become a file, the best first. */
export interface BasketSource {
  kind: MarketId
  name: string
  /** Day of the list. */
  tradeDate: string
  items: readonly { code: string; weight?: number | null; score?: number | null }[]
}

/** 0: the weights that the list brings along; the others as the wire has them. */
export type Weighing = 0 | NonNullable<BasketBody['hold_weight_type']>

const weighings = (kind: MarketId): readonly { value: Weighing; label: string }[] => [
  { value: 0, label: '策略的目标权重' },
  ...valuesOf(holdWeights).map((value) => ({ value, label: basketLabelOf(value, kind) })),
]
const basketLabelOf = (value: HoldWeight, kind: MarketId): string =>
  (holdWeights[value] as HoldWeightRow).basketLabel ?? labelOf(holdWeights, value, kind)

/** The ways of weighing that what is known of the list allows. */
export function weighingsOf({ kind, items }: BasketSource): readonly { value: Weighing; label: string }[] {
  const weighted = items.every(({ weight }) => weight != null && weight > 0)
  const scored = items.every(({ score }) => score != null && score > 0)
  return weighings(kind).filter(({ value }) => (value !== 0 || weighted) && (value !== 4 || scored))
}

export interface BasketChoice {
  /** 万元; null: the field is empty, NaN: it cannot be read. */
  capital: number | null
  weighing: Weighing
  /** Fraction. */
  reserve: number | null
  name: string
}

/** The first thing that is wrong, as a sentence. */
export function basketProblem({ items }: BasketSource, { capital, reserve, name }: BasketChoice): string | null {
  if (items.length > 500) return '一个篮子最多 500 只，请先收紧条件'
  if (capital === null || !(capital >= 0.1 && capital <= 100_000)) return '总资金须在 0.1 万元至 10 亿元之间'
  if (reserve === null || !(reserve >= 0 && reserve <= 0.9)) return '现金预留须在 0% 至 90% 之间'
  if (name.trim().length > 50) return '文件名最多 50 个字'
  return null
}

export function bodyOf({ kind, tradeDate, items }: BasketSource, { capital, weighing, reserve, name }: BasketChoice): BasketBody {
  return {
    kind,
    ...(name.trim() && { name: name.trim() }),
    trade_date: tradeDate,
    list_items: items.map(({ code, weight, score }) => ({
      code,
      ...(weighing === 0 && weight != null && { weight: Math.min(1, weight) }),
      ...(weighing === 4 && score != null && { score }),
    })),
    capital: capital ?? 0,
    hold_weight_type: weighing === 0 ? 1 : weighing,
    reserve_cash: reserve ?? 0,
  }
}

/** A refusal that no second try changes, in plain words, with what can be done about it. */
export interface BasketError {
  title: string
  text: string
  /** A newer list may be had. */
  refresh: boolean
}

const refusals: Record<number, (message: string) => BasketError> = {
  24011: () => ({
    title: sentences.demoTrading,
    text: '这份名单来自模拟生成的行情，其中的证券并不存在。导入真实行情后，就能导出篮子文件。',
    refresh: false,
  }),
  24006: (message) => ({
    title: message,
    text: '篮子按信号日的收盘价计算数量，只接受最新一个已收盘交易日的名单。行情更新后刷新名单，再来导出。',
    refresh: true,
  }),
  24007: () => ({ title: '资金不足以买入任何一手', text: '请调高总资金、减少现金预留，或减少名单里的只数。', refresh: false }),
}

export const refusalOf = (error: unknown): BasketError | null =>
  error instanceof CallError ? (refusals[error.code]?.(error.message) ?? null) : null
