import type { Kysely } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { Database } from '../db/tables.ts'
import { hashPassword } from './passwords.ts'

/** The ready account of an embedded run, told to everybody by `GET /v1/website`. It is refused wherever DEMO_LOGIN is off. */
export const demoAccount = { account: 'demo@convexa.example', password: 'convexa-demo' }

/** Makes the demo account where it is missing. */
export async function seedDemoUser(db: Kysely<Database>): Promise<void> {
  const known = await db.selectFrom('app_user').select('id').where('account', '=', demoAccount.account).executeTakeFirst()
  if (known) return
  const password_hash = await hashPassword(demoAccount.password)
  await db
    .insertInto('app_user')
    .values({ id: uuid(), account: demoAccount.account, nickname: '体验用户', password_hash, is_demo: true })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
