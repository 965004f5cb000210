/** The parts of a day that a rule reads: those of its market's own day, and of bonds those of their shares' day. */

import type { MarketId } from '@convexa/contract'
import { dayParts, type ListPart, ofShares } from '../../db/tables/day-parts.ts'
import { partNames } from './day-parts.ts'
import { ingestRules } from './ingest-rules.ts'

/** In the order in which they are shown. */
export const listParts: readonly ListPart[] = [...dayParts, ...Object.values(ofShares)]
export const listPartNames: Readonly<Record<ListPart, string>> = {
  ...partNames,
  ...{ share_bars: '正股行情', share_factors: '正股复权因子', share_valuations: '正股估值与股本' },
}

/** The parts of a day that a rule reads. `fields`: what it reads of the store. */
export function partsRead(kind: MarketId, fields: ReadonlySet<string>): ListPart[] {
  const { alwaysRead, fieldsOfParts } = ingestRules[kind]
  const read = Object.entries(fieldsOfParts).filter(([, keys]) => keys.some((key) => fields.has(key)))
  const parts = new Set<string>([...alwaysRead, ...read.map(([part]) => part)])
  return listParts.filter((part) => parts.has(part))
}
