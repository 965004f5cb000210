import { mendedBars, mendedBarsIn } from '@convexa/contract/kept-meaning'
import { type Kysely, sql } from 'kysely'

/**
 * Functions that read the bar by themselves take adjusted prices from engine 0.5.0 on: what was saved before is computed so too, and the row
 * says it until it is saved anew. Nothing is rewritten.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const told = (sentences: readonly string[]) => sql`kept_meanings || ${sentences}::text[]`
  const strategies = await sql<{ id: string; detail: unknown }>`select id, detail from strategy where kind = 'stk'`.execute(db)
  for (const { id, detail } of strategies.rows) {
    const said = mendedBarsIn('stk', detail)
    if (said.length > 0) await sql`update strategy set kept_meanings = ${told(said)} where id = ${id}`.execute(db)
  }
  const versions = await sql<{ strategy_id: string; version: number; detail: unknown }>`
    select v.strategy_id, v.version, v.detail from strategy_version v join strategy s on s.id = v.strategy_id where s.kind = 'stk'`.execute(
    db,
  )
  for (const { strategy_id, version, detail } of versions.rows) {
    const said = mendedBarsIn('stk', detail)
    if (said.length > 0)
      await sql`update strategy_version set kept_meanings = ${told(said)} where strategy_id = ${strategy_id} and version = ${version}`.execute(
        db,
      )
  }
  const factors = await sql<{ id: string; formula: string }>`select id, formula from custom_factor where kind = 'stk'`.execute(db)
  for (const { id, formula } of factors.rows) {
    const said = mendedBars('stk', formula)
    if (said.length > 0) await sql`update custom_factor set kept_meanings = ${told(said)} where id = ${id}`.execute(db)
  }
}
