import type { Named, PriceLevel } from './ingredient.ts'
import type { Recipe } from './recipe.ts'

const reasons: Record<'qfq' | 'hfq', string> = {
  qfq: '行情是前复权价，历史价格受以后的分红送转影响，当时无从知道，结果可能失真；建议改用涨跌幅等比值，或导入未复权的行情',
  hfq: '行情是后复权价，不是当时的成交价，证券之间、与固定数值之间都不能比较；建议改用涨跌幅等比值，或导入未复权的行情',
}

/** A warning of the factors of a rule that read how high adjusted prices are. */
export function levelNotes<F extends Named>({ filters, ranks, weight, timing }: Recipe<F>, levelOf: (factor: F) => PriceLevel): string[] {
  const factors = [...filters, ...ranks, ...timing].flatMap(({ factor }) => factor ?? [])
  const labels = new Map<'qfq' | 'hfq', Set<string>>()
  for (const factor of weight ? [...factors, weight] : factors) {
    const level = levelOf(factor)
    if (level !== null) labels.set(level, (labels.get(level) ?? new Set()).add(factor.label))
  }
  return [...labels].map(([level, names]) => `${[...names].map((name) => `「${name}」`).join('')}用到价格的高低：${reasons[level]}`)
}

/** A warning of each factor of a rule that reads prices as traded over days. */
export function rawNotes<F extends Named>({ filters, ranks, weight, timing }: Recipe<F>): string[] {
  const factors = [...filters, ...ranks, ...timing].flatMap(({ factor }) => factor ?? [])
  const told = (weight ? [...factors, weight] : factors).flatMap(({ label, rawPrices }) => (rawPrices ? [`「${label}」${rawPrices}`] : []))
  return [...new Set(told)]
}
