import type { MarketId } from '@convexa/contract/enums/market'
import { keptNames } from '@convexa/contract/kept-meaning'
import type { Parameters } from '@convexa/contract/strategy'

/** A draft of before the names of factors changed: it means what it meant, and says so. */
export function inNamesOfNow<D extends { parameters: Parameters }>(kind: MarketId, draft: D): D & { kept?: readonly string[] } {
  const { value: parameters, told } = keptNames(kind, draft.parameters)
  return { ...draft, parameters, ...(told.length > 0 && { kept: told }) }
}
