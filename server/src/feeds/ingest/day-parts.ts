/**
 * The parts of a market's day (providers.md 10.1): each is whole, part or missing, and a day may be published while some are open. A part
 * that no source that is on could ever give is none.
 */

import { namedList } from '@convexa/engine'
import type { Need } from '../../db/tables/answers.ts'
import type { DayPart } from '../../db/tables/day-parts.ts'
import type { SnapshotKind } from '../../market/manifest.ts'
import type { Chain } from '../chain.ts'
import { order } from '../chain.ts'
import { ingestRules } from './ingest-rules.ts'

export const partNames: Readonly<Record<DayPart, string>> = {
  bars: '行情',
  factors: '复权因子',
  valuations: '估值与股本',
  prices: '转股价',
  sizes: '剩余规模',
  lists: '证券列表',
  announcements: '强赎公告',
}

/** In which step a part is asked for. */
export const stepOfPart: Readonly<Record<DayPart, 'quotes' | 'events'>> = {
  ...{ bars: 'quotes', factors: 'quotes', valuations: 'quotes', lists: 'quotes' },
  ...{ prices: 'events', sizes: 'events', announcements: 'events' },
}

export interface PartState {
  readonly part: DayPart
  readonly expected: number
  readonly found: number
  /** Codes that have not come, ascending; empty where all or no codes have. */
  readonly lacking: readonly string[]
}

export const stateOf = ({ expected, found }: Pick<PartState, 'expected' | 'found'>): 'whole' | 'part' | 'missing' =>
  found >= expected ? 'whole' : found > 0 ? 'part' : 'missing'

/** What parts a market's days have, by the sources that are on. */
export function partsOf(kind: SnapshotKind, { feeds }: Pick<Chain, 'feeds'>): ReadonlySet<DayPart> {
  const offering = (need: Need) => feeds.filter(({ name, offers }) => order[need].includes(name) && offers[need])
  const parts = new Set<DayPart>()
  if (kind === 'index') return parts
  parts.add('bars')
  const { list, otherParts } = ingestRules[kind]
  if (list !== null && offering(list).length > 0) parts.add('lists')
  for (const part of otherParts(offering)) parts.add(part)
  return parts
}

/** A part that is counted by codes. */
export const countedPart = (part: DayPart, expected: number, lacking: readonly string[]): PartState => ({
  ...{ part, expected, found: expected - lacking.length },
  lacking: lacking.length === expected ? [] : lacking,
})

/** `复权因子 119/120（缺 688101.SH）`. */
export function partText({ part, expected, found, lacking }: PartState): string {
  const codes = lacking.length === 0 ? '' : `（缺 ${namedList(lacking, 5, '只')}）`
  return expected === 1 && lacking.length === 0 ? `${partNames[part]}没有应答` : `${partNames[part]} ${found}/${expected}${codes}`
}
