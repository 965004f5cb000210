/**
 * Days of followed strategies, each written once and never again (providers.md 10.1): the newest when the parts that its rule reads are
 * whole, at 20:15 of its day in any case, then with what had not come.
 */

import type { MarketId } from '@convexa/contract'
import { isSynthetic } from '@convexa/contract/enums/data-mode'
import { marketIds } from '@convexa/contract/enums/market'
import type { OutOfSampleTrack } from '@convexa/engine'
import { sql } from 'kysely'
import { shanghaiDate, shanghaiTime } from '../base/time.ts'
import type { ListPart } from '../db/tables/day-parts.ts'
import { isBeyondCalendar } from '../market/expected-days.ts'
import { newestSnapshot, type Snapshot } from '../market/snapshot.ts'
import { openListParts, type PartsGround } from '../quant/open-parts.ts'

/** Later than this of its own day nothing is waited for. */
const recordedBy = '20:15'

/** Milliseconds until it comes next, today or tomorrow. */
export function untilRecordTime(now: Date): number {
  const today = Date.parse(`${shanghaiDate(now)}T${recordedBy}:00+08:00`)
  return (today > now.getTime() ? today : today + dayMs) - now.getTime()
}
const dayMs = 86_400_000

/** Days of real data were traded; those of a demo market may be no trading days once the year's closed days are known. */
const isReal = ({ dataMode }: Pick<Snapshot, 'dataMode'>, date: string): boolean => !isSynthetic(dataMode) || !isBeyondCalendar(date)

/** Days before the newest that are known for the first time: they are written later than they were. */
export async function recordBefore(
  deps: PartsGround,
  userId: string,
  of: { readonly id: string; readonly version: number; readonly engine: string; readonly reads: readonly ListPart[] },
  snapshot: Snapshot,
  { dates, nav, lists }: OutOfSampleTrack,
): Promise<void> {
  const known = dates.flatMap((date, i) => (date < snapshot.lastDate && isReal(snapshot, date) ? [{ date, i }] : []))
  if (known.length === 0) return
  const open = await openListParts(
    deps,
    snapshot,
    known.map(({ date }) => date),
  )
  const days = known.map(({ date, i }) => {
    const lacking = (open.get(date) ?? []).flatMap(({ part }) => (of.reads.includes(part) ? [part] : []))
    return { date, nav: nav[i], codes: lists[i], open: lacking }
  })
  await sql`
    insert into strategy_day (strategy_id, version, user_id, date, codes, nav, data_version, engine_version, on_time, open_parts)
    select ${of.id}, ${of.version}, ${userId}, d.date, array(select jsonb_array_elements_text(d.codes)), d.nav, ${snapshot.dataVersion}, ${of.engine}, false,
      array(select jsonb_array_elements_text(d.open))
    from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as d(date date, nav double precision, codes jsonb, open jsonb)
    on conflict do nothing`.execute(deps.db)
}

/**
 * The newest day of those strategies (of one: `of`) that are followed up to it and have not recorded it, as their glances of the newest data
 * tell it. @returns how many
 */
export async function recordNewest(
  deps: PartsGround,
  snapshot: Snapshot,
  of: { readonly id: string; readonly userId: string } | null = null,
): Promise<number> {
  const { kind, lastDate: day, dataVersion } = snapshot
  if (!isReal(snapshot, day)) return 0
  const open = ((await openListParts(deps, snapshot, [day])).get(day) ?? []).map(({ part }) => part)
  const isLate = shanghaiTime(deps.now()) >= `${day}T${recordedBy}`
  const { rows } = await sql`
    insert into strategy_day (strategy_id, version, user_id, date, codes, nav, data_version, engine_version, on_time, open_parts)
    select s.id, s.version, s.user_id, ${day}, array(select jsonb_array_elements_text(s.followed -> 'held')),
      (s.followed -> 'nav' ->> -1)::double precision, ${dataVersion}, s.followed ->> 'engine', true, lacking.parts
    from strategy s,
      lateral (select array(select part from jsonb_array_elements_text(s.followed -> 'reads') with ordinality as r(part, place)
        where part = any (${open}::text[]) order by place) as parts) lacking
    where s.kind = ${kind} and s.glance_version = s.version
      and (${of === null}::boolean or (s.id = ${of?.id ?? null}::uuid and s.user_id = ${of?.userId ?? null}::uuid))
      and not exists (select from strategy_day d where d.strategy_id = s.id and d.version = s.version and d.date = ${day} and d.user_id = s.user_id)
      and s.glance ->> 'data_version' = ${dataVersion} and s.followed -> 'dates' ->> -1 = ${day}
      and s.followed -> 'held' is not null and (${isLate}::boolean or cardinality(lacking.parts) = 0)
    on conflict do nothing
    returning strategy_id`.execute(deps.db)
  return rows.length
}

/** The same of both markets, for those whose glance came before the parts did. */
export async function recordWaiting(deps: PartsGround): Promise<number> {
  let recorded = 0
  for (const kind of marketIds) {
    const newest = await newestSnapshot(deps.db, kind)
    if (newest) recorded += await recordNewest(deps, newest)
  }
  return recorded
}

/** What the newest day of a strategy waits for; null where it waits for nothing. */
export async function waitingFor(
  deps: PartsGround,
  kind: MarketId,
  { dates, reads = [] }: { readonly dates: readonly string[]; readonly reads?: readonly ListPart[] },
  recorded: string | undefined,
): Promise<{ date: string; parts: ListPart[] } | null> {
  const date = dates.at(-1)
  if (date === undefined || (recorded !== undefined && recorded >= date)) return null
  const newest = await newestSnapshot(deps.db, kind)
  if (newest?.lastDate !== date) return null
  const open = (await openListParts(deps, newest, [date])).get(date) ?? []
  const parts = open.flatMap(({ part }) => (reads.includes(part) ? [part] : []))
  return parts.length === 0 ? null : { date, parts }
}
