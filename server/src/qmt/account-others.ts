import type { Kysely } from 'kysely'
import type { Database } from '../db/tables.ts'
import type { ConfigRow } from './configs.ts'

/** Volumes by code in the last real reports of the account's other configs. */
export async function othersOf(db: Kysely<Database>, { id, user_id, account_id }: ConfigRow): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('qmt_config')
    .select('holdings')
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .where('id', '!=', id)
    .where('holdings_real', '=', true)
    .execute()
  const others = new Map<string, number>()
  for (const { code, volume } of rows.flatMap(({ holdings }) => holdings ?? [])) others.set(code, (others.get(code) ?? 0) + volume)
  return others
}
