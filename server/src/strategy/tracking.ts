import type { MarketId, Tracking } from '@convexa/contract'
import { shanghaiTime } from '../base/time.ts'
import type { ListPart } from '../db/tables/day-parts.ts'
import { listPartNames } from '../feeds/ingest/list-parts.ts'
import type { PartsGround } from '../quant/open-parts.ts'
import { waitingFor } from './followed-days.ts'

/** What the newest version of a rule held on each day since it was saved, as it was written then; null: not the user's. */
export async function trackingOf(deps: PartsGround, userId: string, kind: MarketId, id: string): Promise<Tracking | null> {
  const { db } = deps
  const own = await db
    .selectFrom('strategy as s')
    .innerJoin('strategy_version as v', (join) =>
      join.onRef('v.strategy_id', '=', 's.id').onRef('v.version', '=', 's.version').onRef('v.user_id', '=', 's.user_id'),
    )
    .select(['s.version', 's.followed', 'v.created_at'])
    .where('s.id', '=', id)
    .where('s.user_id', '=', userId)
    .where('s.kind', '=', kind)
    .executeTakeFirst()
  if (!own) return null
  const days = await db
    .selectFrom('strategy_day')
    .select(['date', 'codes', 'nav', 'data_version', 'engine_version', 'on_time', 'recorded_at', 'open_parts'])
    .where('strategy_id', '=', id)
    .where('user_id', '=', userId)
    .where('version', '=', own.version)
    .orderBy('date')
    .execute()
  const { dates = [], nav = [], market } = own.followed ?? {}
  const waiting = own.followed && (await waitingFor(deps, kind, own.followed, days.at(-1)?.date))
  const named = (parts: readonly ListPart[]) => parts.map((part) => listPartNames[part])
  const now = new Map(dates.map((date, i) => [date, nav[i]!]))
  const beside = new Map(dates.map((date, i) => [date, market?.nav[i] ?? null]))
  return {
    version: own.version,
    saved_at: shanghaiTime(own.created_at),
    dates: days.map(({ date }) => date),
    nav: days.map(({ nav }) => nav),
    now: days.map(({ date }) => now.get(date) ?? null),
    ...(market && { market: { label: market.label, nav: days.map(({ date }) => beside.get(date) ?? null) } }),
    engines: days.flatMap(({ date, engine_version: version }, i) =>
      i > 0 && days[i - 1]!.engine_version === version ? [] : [{ from: date, version }],
    ),
    ...(waiting && { waiting: { date: waiting.date, parts: named(waiting.parts) } }),
    days: days.map(({ date, codes, data_version, on_time, recorded_at, open_parts: open }, i) => {
      const before = new Set(days[i - 1]?.codes)
      const codesNow = new Set(codes)
      return {
        date,
        recorded_at: shanghaiTime(recorded_at),
        on_time,
        data_version,
        codes,
        added: codes.filter((code) => !before.has(code)),
        removed: [...before].filter((code) => !codesNow.has(code)),
        ...(open.length > 0 && { open_parts: named(open) }),
      }
    }),
  }
}
