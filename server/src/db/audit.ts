import { hostname, userInfo } from 'node:os'
import type { Kysely } from 'kysely'
import type { Database } from './tables.ts'

type Actor = 'operator' | 'user' | 'system'

export interface Act {
  readonly actor: Actor
  /** `user.disable`, `maintenance.on` */
  readonly action: string
  /** Which operator, where it is not who sits at the machine. */
  readonly by?: string
  readonly userId?: string
  /** What was changed, as it was and as it is. Never a secret, never what names a person: these rows outlive the user. */
  readonly before?: Record<string, unknown>
  readonly after?: Record<string, unknown>
}

/** Writes one line that nobody can change any more; in the transaction of what it tells of. */
export async function audit(db: Kysely<Database>, { actor, by, action, userId, before, after }: Act): Promise<void> {
  await db
    .insertInto('audit')
    .values({
      actor: actor === 'operator' ? `operator ${by ?? operator()}` : actor,
      action,
      user_id: userId ?? null,
      before: before ? JSON.stringify(before) : null,
      after: after ? JSON.stringify(after) : null,
    })
    .execute()
}

/** Name and machine of the operator, as far as the system knows them. */
export function operator(): string {
  try {
    return `${userInfo().username}@${hostname()}`
  } catch {
    return `?@${hostname()}`
  }
}
