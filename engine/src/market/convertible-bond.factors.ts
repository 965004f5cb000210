import type { FactorDefinition } from './market.ts'

export const convertibleBondFactors: readonly FactorDefinition[] = []
