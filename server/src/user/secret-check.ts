import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Kysely } from 'kysely'
import { everySecret, foreignSecret, keyFor, keyIdOf, type SecretSettings } from '../base/secret.ts'
import { StartError } from '../base/start-error.ts'
import type { Database } from '../db/tables.ts'
import { refuseForeignSecret } from './contacts.ts'

interface SecretDeps {
  readonly db: Kysely<Database>
  readonly config: SecretSettings
}

/** What the database keeps of a key: it shows that another one is the same, and tells nothing of it. */
export function secretProof(secrets: SecretSettings): { readonly key_id: string; readonly mac: Buffer } {
  return {
    key_id: keyIdOf(secrets),
    mac: createHmac('sha256', keyFor(secrets, 'check')).update('convexa').digest(),
  }
}

/**
 * The key of `migrate` and of the launcher: the first one is written down, after an installation of before has shown that it is the one that
 * its contacts are sealed with; later ones must be the same.
 * @throws StartError for another key
 */
export async function settleSecret({ db, config }: SecretDeps): Promise<void> {
  const current = await db.selectFrom('secret_check').select('key_id').where('current', '=', true).executeTakeFirst()
  if (!current) {
    await refuseForeignSecret({ db, config })
    await db
      .insertInto('secret_check')
      .values({ ...secretProof(config), current: true })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  await requireSecret({ db, config })
}

/**
 * The key of every other role. While the key is changed the one before may be the current one.
 * @throws StartError for another key than the one that the database was begun with
 */
export async function requireSecret({ db, config }: SecretDeps): Promise<void> {
  const current = await db.selectFrom('secret_check').select(['key_id', 'mac']).where('current', '=', true).executeTakeFirst()
  if (!current) throw new StartError('数据库还没有登记密钥：请先运行 ./convexa migrate')
  const fits = everySecret(config)
    .map(secretProof)
    .some(({ key_id, mac }) => current.key_id === key_id && timingSafeEqual(current.mac, mac))
  if (!fits) throw foreignSecret(config)
}
