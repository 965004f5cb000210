import { randomInt } from 'node:crypto'
import { accountOf } from '@convexa/contract/account'
import { type Kysely, sql, type Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { foreignSecret, type SecretSettings } from '../base/secret.ts'
import type { Config } from '../config/config.ts'
import { locks } from '../db/locks.ts'
import type { Database } from '../db/tables.ts'
import { type Address, addressHash, addressHashes, addressOf, opensAddress, sealAddress, unsealAddress } from './addresses.ts'

type UserDeps = { readonly db: Kysely<Database>; readonly config: Config }

/** Query for the user whom a mobile or e-mail leads to, or for an account that the installation made itself. */
export function userOf({ db, config }: UserDeps, account: string) {
  const address = addressOf(account)
  const hashes = address ? addressHashes(config, address) : [Buffer.alloc(0)]
  return db
    .selectFrom('app_user')
    .select(['app_user.id', 'password_hash', 'is_demo'])
    .where((row) =>
      row.or([
        sql<boolean>`lower(account) = ${accountOf(account)}`,
        row('app_user.id', '=', (from) =>
          from.selectFrom('user_contact').select('user_id').where('address_hash', 'in', hashes).where('verified_at', 'is not', null),
        ),
      ]),
    )
}

/**
 * An installation of before the table `secret_check` shows its secret by what was sealed with it.
 * @throws StartError where it is another one
 */
export async function refuseForeignSecret({
  db,
  config,
}: {
  readonly db: Kysely<Database>
  readonly config: SecretSettings
}): Promise<void> {
  const one = await db.selectFrom('user_contact').select('sealed').limit(1).executeTakeFirst()
  if (one && !opensAddress(config, one.sealed)) throw foreignSecret(config)
}

export interface Contacts {
  mobile: Address | null
  email: Address | null
  /** An e-mail that waits for its activation. */
  pendingEmail: Address | null
}

export async function contactsOf(
  { db, config }: { readonly db: Kysely<Database>; readonly config: SecretSettings },
  userId: string,
): Promise<Contacts> {
  const rows = await db.selectFrom('user_contact').select(['kind', 'sealed', 'verified_at']).where('user_id', '=', userId).execute()
  const found = (kind: Address['kind'], verified: boolean) => {
    const row = rows.find((one) => one.kind === kind && (one.verified_at !== null) === verified)
    return row ? unsealAddress(config, row.sealed) : null
  }
  return { mobile: found('mobile', true), email: found('email', true), pendingEmail: found('email', false) }
}

/**
 * Gives a user an address that was just shown to be theirs, in place of the former one of its kind.
 * @returns false when it leads to another account; the transaction can go on
 */
export async function bindAddress(transaction: Transaction<Database>, config: Config, userId: string, address: Address): Promise<boolean> {
  const hashes = addressHashes(config, address)
  const [hash] = hashes
  const values = { address_hash: hash, sealed: sealAddress(config, address), verified_at: sql<Date>`now()` }
  // Two who bind the same address at once: the second waits here and then sees the first.
  // In one order, so that a process with the keys exchanged waits too and does not block.
  for (const lock of hashes.map((one) => one.readInt32BE()).sort((a, b) => a - b))
    await sql`select pg_advisory_xact_lock(${locks.address}, ${lock})`.execute(transaction)
  const other = await transaction
    .selectFrom('user_contact')
    .select('user_id')
    .where('address_hash', 'in', hashes)
    .where('verified_at', 'is not', null)
    .where('user_id', '!=', userId)
    .executeTakeFirst()
  const own = await transaction.selectFrom('app_user').select('id').where(sql`lower(account)`, '=', address.text).executeTakeFirst()
  if (other || own) return false
  await transaction
    .insertInto('user_contact')
    .values({ user_id: userId, kind: address.kind, ...values })
    .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doUpdateSet(values))
    .execute()
  return true
}

/** Remembers the e-mail that a user wants, unless there is one in force: that stays until the new one is activated. */
export async function notePendingEmail({ db, config }: UserDeps, userId: string, email: Address): Promise<void> {
  const values = { address_hash: addressHash(config, email), sealed: sealAddress(config, email) }
  await db
    .insertInto('user_contact')
    .values({ user_id: userId, kind: 'email', verified_at: null, ...values })
    .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doUpdateSet(values).where('user_contact.verified_at', 'is', null))
    .execute()
}

export interface NewUser {
  readonly address: Address
  readonly passwordHash: string | null
  /** Version of the texts that were agreed to; null for an account that an operator made. */
  readonly agreed: string | null
}

/** Makes the account of an address that was just shown to be somebody's. @returns its id; null when the address leads to one already */
export async function createUser(transaction: Transaction<Database>, config: Config, made: NewUser): Promise<string | null> {
  const id = uuid()
  await transaction
    .insertInto('app_user')
    .values({
      id,
      account: null,
      nickname: `用户${randomInt(100_000, 1_000_000)}`,
      password_hash: made.passwordHash,
      consent_version: made.agreed,
      consented_at: made.agreed === null ? null : sql<Date>`now()`,
    })
    .execute()
  if (await bindAddress(transaction, config, id, made.address)) return id
  await transaction.deleteFrom('app_user').where('id', '=', id).execute()
  return null
}
