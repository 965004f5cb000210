import type { Settings } from '@convexa/contract'
import { adjustments } from '@convexa/contract/enums/adjust'
import { fills as fillModes } from '@convexa/contract/enums/fill'
import type { Market } from '../market/market.ts'

/** Orders are filled at amount ÷ volume, which adjusted files seldom adjust, while prices are taken as adjusted: both must be told apart. */
export const isAveragedRaw = ({ roles }: Market, { fill, adjust }: Settings): boolean =>
  fillModes[fill].price === 'average' && adjustments[adjust].adjusted && roles.adjustment !== null

export function missingFill(market: Market, key: string): string {
  return `当前数据没有「${labelOfField(market, key)}」，无法按所选成交价撮合`
}

export function missingStop(market: Market, key: string): string {
  return `当前数据没有「${labelOfField(market, key)}」，无法判断盘中止盈止损`
}

export function missingAdjustment(market: Market, key: string): string {
  return `当前数据没有「${labelOfField(market, key)}」，无法按不复权价格计算分红送转，请改用前复权或后复权口径`
}

export function labelOfField(market: Market, key: string): string {
  return market.fields.find((field) => field.key === key)?.label ?? key
}
