import type { FactorDefinition } from './market.ts'
import { stockPriceFactors } from './stock.price-factors.ts'
import { stockRiskFactors } from './stock.risk-factors.ts'
import { stockStatementFactors } from './stock.statement-factors.ts'
import { stockStatusFactors } from './stock.status-factors.ts'
import { stockValueFactors } from './stock.value-factors.ts'

/** Built-in factors of A shares, one line each (keys and formulas: domain.md 3.2–3.7). `bias_N` is asked for as `bias_20`. */
export const stockFactors: readonly FactorDefinition[] = [
  ...stockValueFactors,
  ...stockStatementFactors,
  ...stockPriceFactors,
  ...stockRiskFactors,
  ...stockStatusFactors,
]
