import type { MarketId } from '@convexa/contract'
import { countedAnew } from '@convexa/contract/kept-meaning'
import { type Kysely, sql } from 'kysely'

/**
 * Clauses are counted by the days on which the share traded, an issuer may be presumed not to call, and a bond held to its redemption is paid its
 * price: that holds for what was saved before too, and the row says it until it is saved anew. Nothing is rewritten.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const told = (sentences: readonly string[]) => sql`kept_meanings || ${sentences}::text[]`
  const strategies = await sql<{ id: string; kind: MarketId; detail: unknown }>`select id, kind, detail from strategy`.execute(db)
  for (const { id, kind, detail } of strategies.rows) {
    const said = countedAnew(kind, detail)
    if (said.length > 0) await sql`update strategy set kept_meanings = ${told(said)} where id = ${id}`.execute(db)
  }
  const versions = await sql<{ strategy_id: string; version: number; kind: MarketId; detail: unknown }>`
    select v.strategy_id, v.version, s.kind, v.detail from strategy_version v join strategy s on s.id = v.strategy_id`.execute(db)
  for (const { strategy_id, version, kind, detail } of versions.rows) {
    const said = countedAnew(kind, detail)
    if (said.length > 0)
      await sql`update strategy_version set kept_meanings = ${told(said)} where strategy_id = ${strategy_id} and version = ${version}`.execute(
        db,
      )
  }
  const factors = await sql<{ id: string; formula: string }>`select id, formula from custom_factor where kind = 'cb'`.execute(db)
  for (const { id, formula } of factors.rows) {
    const said = countedAnew('cb', { formula })
    if (said.length > 0) await sql`update custom_factor set kept_meanings = ${told(said)} where id = ${id}`.execute(db)
  }
}
