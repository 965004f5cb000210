import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/tables.ts'
import type { ConfigRow } from './configs.ts'

/** What the newest targets of a config called its securities. */
export async function namesOf(db: Kysely<Database>, { id, user_id }: ConfigRow, codes: readonly string[]): Promise<Map<string, string>> {
  if (codes.length === 0) return new Map()
  const { rows } = await sql<{ code: string; name: string }>`
    select distinct on (item->>'code') item->>'code' as code, item->>'name' as name
    from qmt_targets t, jsonb_array_elements(t.body->'items') item
    where t.config_id = ${id} and t.user_id = ${user_id} and item->>'code' = any(${[...codes]})
    order by item->>'code', t.trade_date desc`.execute(db)
  return new Map(rows.map(({ code, name }) => [code, name]))
}
