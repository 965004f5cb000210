import type { MarketId } from '@convexa/contract'
import type { Kysely } from 'kysely'
import type { RunGroup } from '../context/compute.ts'
import type { Database } from '../db/tables.ts'

/** A user's own group with its members' rules; null: not there, or somebody else's. */
export async function groupToRun(
  db: Kysely<Database>,
  userId: string,
  kind: MarketId,
  id: string,
): Promise<{ name: string; group: RunGroup } | null> {
  const rows = await db
    .selectFrom('strategy_group as g')
    .innerJoin('strategy_group_member as m', (join) => join.onRef('m.group_id', '=', 'g.id').onRef('m.user_id', '=', 'g.user_id'))
    .innerJoin('strategy as s', (join) => join.onRef('s.id', '=', 'm.strategy_id').onRef('s.user_id', '=', 'm.user_id'))
    .select(['g.name as group_name', 'g.rebalance', 'g.duplicate', 'm.weight', 's.name', 's.detail'])
    .where('g.id', '=', id)
    .where('g.user_id', '=', userId)
    .where('g.kind', '=', kind)
    .orderBy('m.place')
    .execute()
  const [one] = rows
  if (!one) return null
  // Shares may sum to a millionth more or less than 1.
  const sum = rows.reduce((total, { weight }) => total + weight, 0)
  const members = rows.map(({ name, weight, detail }) => ({ name, weight: weight / sum, parameters: detail }))
  return { name: one.group_name, group: { members, rebalance: one.rebalance, duplicate: one.duplicate } }
}
