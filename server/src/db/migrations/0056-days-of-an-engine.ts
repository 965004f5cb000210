import type { MarketId } from '@convexa/contract'
import { countedAnew } from '@convexa/contract/kept-meaning'
import { type Kysely, sql } from 'kysely'

/**
 * 1. Recorded days of followed strategies say by which engine; those of before are of an older one that nobody noted (null).
 * 2. What 0052 tells of saved rules it looked for in the rule alone: how calls are handled stands in the settings. Rows that were saved before
 *    that migration say it now, until they are saved anew. Nothing is rewritten.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table strategy_day add column engine_version text`.execute(db)
  const { rows } = await sql<{ strategy_id: string; version: number; kind: MarketId; detail: unknown; settings: unknown; kept: string[] }>`
    select v.strategy_id, v.version, s.kind, v.detail, v.settings, v.kept_meanings as kept
    from strategy_version v join strategy s on s.id = v.strategy_id
    where v.created_at < (select timestamp::timestamptz from kysely_migration where name = '0052-clauses-counted-anew')`.execute(db)
  for (const { strategy_id, version, kind, detail, settings, kept } of rows) {
    const said = countedAnew(kind, { detail, settings }).filter((sentence) => !kept.includes(sentence))
    if (said.length === 0) continue
    const told = sql`kept_meanings || ${said}::text[]`
    await sql`update strategy_version set kept_meanings = ${told} where strategy_id = ${strategy_id} and version = ${version}`.execute(db)
    await sql`update strategy set kept_meanings = ${told} where id = ${strategy_id} and version = ${version}`.execute(db)
  }
}
