import type { Config } from '../src/config/config.ts'
import { readAddress } from '../src/user/addresses.ts'
import { bindAddress, createUser } from '../src/user/contacts.ts'
import { hashPassword } from '../src/user/passwords.ts'
import type { TestDatabase } from './database.ts'

export interface Made {
  /** Mobiles and e-mails, all verified. */
  accounts: readonly string[]
  password?: string
  nickname?: string
}

/** A user as a registration leaves one. @returns the id */
export async function makeUser({ db, config }: { db: TestDatabase['db']; config: Config }, made: Made): Promise<string> {
  const passwordHash = made.password === undefined ? null : await hashPassword(made.password)
  return db.transaction().execute(async (transaction) => {
    const [first, ...more] = made.accounts.map((account) => readAddress(account))
    if (!first) throw new Error('a user has a mobile or an e-mail')
    const id = await createUser(transaction, config, { address: first, passwordHash, agreed: 'test' })
    if (!id) throw new Error('this address leads to somebody else')
    for (const address of more) await bindAddress(transaction, config, id, address)
    if (made.nickname) await transaction.updateTable('app_user').set({ nickname: made.nickname }).where('id', '=', id).execute()
    return id
  })
}
