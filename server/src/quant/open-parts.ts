/**
 * Parts of a market's day that have not come (providers.md 10.1), for all that list securities by that day and for what is recorded of it.
 * Bonds are made of their shares' day too: what of it has not come for one of their shares is open for them.
 */

import { isSynthetic } from '@convexa/contract/enums/data-mode'
import { namedList } from '@convexa/engine'
import { type Kysely, sql } from 'kysely'
import { shanghaiTime } from '../base/time.ts'
import type { DayPart } from '../db/tables/day-parts.ts'
import { type ListPart, ofShares } from '../db/tables/day-parts.ts'
import type { Database } from '../db/tables.ts'
import { completeFrom } from '../feeds/ingest/gather.ts'
import { listPartNames, listParts } from '../feeds/ingest/list-parts.ts'
import { isBehindDamaged } from '../market/damage.ts'
import { knownMembers } from '../market/known-members.ts'
import { marketOf, rulesOf } from '../market/market-rules.ts'
import { type Snapshot, snapshotPath } from '../market/snapshot.ts'

export interface OpenListPart {
  readonly part: ListPart
  /** Those that lack it, ascending; empty where all do. */
  readonly codes: readonly string[]
  /** It is not asked for any more. */
  readonly closed: boolean
}

/** Where parts are kept, and the clock that says whether their hour is past. */
export interface PartsGround {
  readonly db: Kysely<Database>
  readonly config: { readonly dataDir: string }
  now(): Date
}

/** By day, the open parts in their order; whole days are not in it. Demo data and imported days have no parts. */
export async function openListParts(
  { db, config }: Omit<PartsGround, 'now'>,
  snapshot: Pick<Snapshot, 'kind' | 'dataMode' | 'folder'>,
  days: readonly string[],
): Promise<ReadonlyMap<string, readonly OpenListPart[]>> {
  const { kind, dataMode } = snapshot
  if (isSynthetic(dataMode) || days.length === 0) return new Map()
  const issuerMarket = rulesOf(kind)?.issuerMarket
  const found = await db
    .selectFrom('day_part')
    .select(['market', 'day', 'part', 'state', 'lacking', 'closed'])
    .where('day', 'in', days)
    .where('market', 'in', issuerMarket ? [kind, issuerMarket] : [kind])
    .execute()
  const open: (OpenListPart & { readonly day: string })[] = []
  for (const { market, day, part, state, lacking: codes, closed } of found) {
    if (state === 'whole') continue
    if (market === kind) open.push({ day, part, codes, closed })
    else if (part in ofShares) {
      const own = codes.length === 0 ? null : await stocksOf(config.dataDir, snapshot)
      const lacking = own ? codes.filter((code) => own.has(code)) : codes
      if (!own || lacking.length > 0) open.push({ day, part: ofShares[part as keyof typeof ofShares], codes: lacking, closed })
    }
  }
  if (marketOf(kind)?.redeemed) {
    // The evening tells of them: until it has been asked they have not come, and have no row.
    for (const day of await beforeEvening(db, days)) {
      const recorded = new Set(found.filter((row) => row.market === kind && row.day === day).map(({ part }) => part))
      for (const part of ['sizes', 'announcements'] as const) if (!recorded.has(part)) open.push({ day, part, codes: [], closed: false })
    }
  }
  const byDay = new Map<string, OpenListPart[]>()
  for (const { day, ...part } of open.sort((a, b) => listParts.indexOf(a.part) - listParts.indexOf(b.part)))
    byDay.set(day, [...(byDay.get(day) ?? []), part])
  return byDay
}

/** Days of bonds that are published and whose announcements have not been asked for. */
async function beforeEvening(db: Kysely<Database>, days: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('ingest_step as bars')
    .select('bars.day')
    .where('bars.market', '=', 'cb')
    .where('bars.step', '=', 'quotes')
    .where('bars.state', '=', 'published')
    .where('bars.day', 'in', days)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('ingest_step as evening')
            .select(sql`1`.as('one'))
            .where('evening.market', '=', 'cb')
            .where('evening.step', '=', 'events')
            .where('evening.state', 'in', ['published', 'refused'])
            .whereRef('evening.day', '=', 'bars.day'),
        ),
      ),
    )
    .execute()
  return rows.map(({ day }) => day)
}

async function stocksOf(dataDir: string, snapshot: Pick<Snapshot, 'folder'>): Promise<ReadonlySet<string>> {
  const members = await knownMembers(snapshotPath(dataDir, snapshot))
  return new Set(members.flatMap(({ security }) => security.stockCode ?? []))
}

/** What stands for a part until it comes, by words that follow its name. */
const standIns: readonly (readonly [words: string, parts: readonly ListPart[]])[] = [
  ['名单按推算值', ['factors', 'valuations', 'share_factors', 'share_valuations']],
  ['缺行情的沿用最近收盘价', ['bars', 'share_bars']],
  ['名单按此前已知的', ['prices', 'sizes', 'lists', 'announcements']],
]

/** `11-20 的估值与股本尚未到齐，名单按推算值`: what of a day has not come though its hour is past; null where nothing. */
export function openPartsNote(day: string, parts: readonly OpenListPart[], now: Date): string | null {
  const at = shanghaiTime(now)
  const due = parts.filter(({ part }) => at >= `${day}T${completeFrom[part as DayPart] ?? '00:00'}`)
  const clauses = standIns.flatMap(([words, of]) => {
    const those = due.filter(({ part }) => of.includes(part))
    if (those.length === 0) return []
    const isOver = those.every(({ closed }) => closed)
    return [`${those.map(nameOf).join('、')}${isOver ? '未到齐' : '尚未到齐'}，${words}`]
  })
  return clauses.length === 0 ? null : `${day.slice(5)} 的${clauses.join('；')}`
}

/** Of bars with the codes that lack them: a list may hold one. */
function nameOf({ part, codes }: OpenListPart): string {
  const name = listPartNames[part]
  if (codes.length === 0 || (part !== 'bars' && part !== 'share_bars')) return name
  return `${name}（缺 ${namedList(codes, 3, '只')}）`
}

/** That sentence by day, for the days that need one. */
export async function openPartsNotes(
  deps: PartsGround,
  snapshot: Parameters<typeof openListParts>[1],
  days: readonly string[],
): Promise<Record<string, string>> {
  const open = await openListParts(deps, snapshot, days)
  const notes = [...open].flatMap(([day, parts]) => {
    const note = openPartsNote(day, parts, deps.now())
    return note === null ? [] : [[day, note] as const]
  })
  return Object.fromEntries(notes)
}

/** What is to be said of the newest day of a market: that a newer snapshot is damaged, and which of its parts have not come. */
export async function newestNote(deps: PartsGround, snapshot: Snapshot): Promise<string | null> {
  const { lastDate } = snapshot
  const [isDamaged, notes] = await Promise.all([isBehindDamaged(deps.db, snapshot), openPartsNotes(deps, snapshot, [lastDate])])
  const clauses = [...(isDamaged ? [`最新数据损坏，正在使用 ${lastDate} 的数据`] : []), ...(notes[lastDate] ? [notes[lastDate]] : [])]
  return clauses.length === 0 ? null : clauses.join('；')
}
