import type { SelectQueryBuilder, Transaction } from 'kysely'
import type { Database } from '../db/tables.ts'
import { limitReached } from './benefits.ts'
import { type Limits, limits, planOf } from './limits.ts'

/** Things whose number a user may keep is limited, and the limit of each. */
const kept = {
  strategies: 'strategies',
  groups: 'groups',
  custom_factors: 'customFactors',
  favourites: 'favourites',
} as const satisfies Record<string, keyof Limits>

/** Checks that one more may be kept beside those that `there` selects; the user's lock is held. @throws ApiError 21005 too many */
export async function checkStorageLimit<T extends keyof Database>(
  transaction: Transaction<Database>,
  userId: string,
  what: keyof typeof kept,
  there: SelectQueryBuilder<Database, T, object>,
): Promise<void> {
  const tier = await planOf(transaction, userId)
  const { count } = await there.select(({ fn }) => fn.countAll<string>().as('count')).executeTakeFirstOrThrow()
  if (Number(count) >= limits[tier][kept[what]]) throw limitReached(tier, what)
}
