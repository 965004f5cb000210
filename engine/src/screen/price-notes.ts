import type { CompiledScreen } from './compiled-screen.ts'
import type { Named, PriceLevel, ResolvedFactor } from './resolved-factor.ts'

// What is said of prices that a rule reads: runs, screens, the browser's preview, bins and probes say it in the same words.

const reasons: Record<'qfq' | 'hfq', string> = {
  qfq: '行情是前复权价，历史价格受以后的分红送转影响，当时无从知道，结果可能失真；建议改用涨跌幅等比值，或导入未复权的行情',
  hfq: '行情是后复权价，不是当时的成交价，证券之间、与固定数值之间都不能比较；建议改用涨跌幅等比值，或导入未复权的行情',
}
const levelText = (level: 'qfq' | 'hfq') => `用到价格的高低：${reasons[level]}`

/** Warnings of the factors of a rule that read how high adjusted prices are, then of those that read prices as traded over days. */
export function priceNotes<F extends Named>(
  { filters, ranks, weight, timing }: CompiledScreen<F>,
  levelOf: (factor: F) => PriceLevel,
): string[] {
  const factors = [...filters, ...ranks, ...timing].flatMap(({ factor }) => factor ?? [])
  const labels = new Map<'qfq' | 'hfq', Set<string>>()
  const raw = new Set<string>()
  for (const factor of weight ? [...factors, weight] : factors) {
    const level = levelOf(factor)
    if (level !== null) labels.set(level, (labels.get(level) ?? new Set()).add(factor.label))
    if (factor.rawPrices) raw.add(`「${factor.label}」${factor.rawPrices}`)
  }
  return [...[...labels].map(([level, names]) => `${[...names].map((name) => `「${name}」`).join('')}${levelText(level)}`), ...raw]
}

/** The same of one factor that is looked at by itself. */
export function priceNotesOf(factor: ResolvedFactor, level: PriceLevel): string[] {
  return [...(level === null ? [] : [levelText(level)]), ...(factor.rawPrices ? [factor.rawPrices] : [])]
}
