import type { FactorDefinition } from './market.ts'

export const stockFactors: readonly FactorDefinition[] = []
