import { globSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { makeTables } from '../../test/fixtures/make-tables.ts'
import { testWorld } from '../../test/fixtures/world.ts'
import { type SecretSettings, sealFor, unsealFor } from '../base/secret.ts'
import { addAccount } from '../qmt/accounts.ts'
import { addressHash, readAddress, sealAddress } from '../user/addresses.ts'
import { bindAddress, contactsOf, createUser, userOf } from '../user/contacts.ts'
import { secretUses } from '../user/sealed-columns.ts'
import { requireSecret } from '../user/secret-check.ts'
import { giveCredential, ownerOf } from '../user/wechat-credentials.ts'
import { rotateSecret, sealedTables } from './rotate-secret.ts'

const [before, after] = ['the key before, thirty-two letters', 'the key that follows, more letters']
const mobile = readAddress('13800138000')
const identity = { openid: 'openid-1', unionid: 'unionid-1', nickname: '小明', avatarUrl: null }
const account = {
  account_no: '8881234567',
  alias: '主账户',
  broker: '证券',
  account_type: 'STOCK',
  client_type: 'mini',
  initial_capital: 100_000,
  report_status: 0,
  is_enabled: true,
} as const

let database: TestDatabase
let userId: string
const config = (secretKey: string, oldSecretKey: string | null = null) =>
  testWorld(database, { config: { secretKey, oldSecretKey } }).context.config

beforeEach(async () => {
  database = await testDatabase()
  const { db } = database
  await db.deleteFrom('secret_check').execute()
  await makeTables(db, before)
  const own = config(before)
  userId = await db.transaction().execute(async (transaction) => {
    const id = (await createUser(transaction, own, { address: mobile, passwordHash: null, agreed: null }))!
    expect(await giveCredential(transaction, own, id, identity)).toBe(true)
    return id
  })
  await addAccount({ db, config: own }, userId, account)
  await db
    .insertInto('wechat_payer')
    .values({ user_id: userId, sealed: sealFor(own, secretUses.wechatPayer, 'openid-2'), app_id: null })
    .execute()
  await db
    .insertInto('message')
    .values({ id: uuid(), sealed: sealFor(own, 'message', '{}'), expires_at: new Date('2030-01-01') })
    .execute()
})
afterEach(() => database.drop())

/** What the site finds and reads under these keys. */
async function found(keys: ReturnType<typeof config>) {
  const { db } = database
  const payer = await db.selectFrom('wechat_payer').select('sealed').executeTakeFirstOrThrow()
  const message = await db.selectFrom('message').select('sealed').executeTakeFirstOrThrow()
  return {
    user: (await userOf({ db, config: keys }, mobile.text).executeTakeFirst())?.id,
    contact: await contactsOf({ db, config: keys }, userId).then(
      (contacts) => contacts.mobile?.text,
      () => 'unreadable',
    ),
    wechat: (await ownerOf({ db, config: keys }, identity))?.id,
    payer: unsealFor(keys, secretUses.wechatPayer, payer.sealed),
    message: unsealFor(keys, 'message', message.sealed),
  }
}
const all = () => ({ user: userId, contact: mobile.text, wechat: userId, payer: 'openid-2', message: '{}' })

describe('while the key is changed', () => {
  test('both keys open and find everything, before and after the rotation; then the new one alone', async () => {
    expect(await found(config(before, after))).toEqual(all())
    expect(await found(config(after, before))).toEqual(all())
    expect(await rotateSecret({ db: database.db, config: config(after, before) })).toEqual({ renewed: 5, unreadable: 0 })
    expect(await found(config(after, before))).toEqual(all())
    expect(await found(config(before, after))).toEqual(all())
    expect(await found(config(after))).toEqual(all())
    expect(await found(config(before))).toEqual({ contact: 'unreadable', payer: null, message: null })
  })

  test('an address, a WeChat or a broker account that stands under the old key is not given away under the new one', async () => {
    const { db } = database
    const keys = config(after, before)
    const other = await db.transaction().execute(async (transaction) => {
      const made = { address: readAddress('13900139000'), passwordHash: null, agreed: null }
      return (await createUser(transaction, keys, made))!
    })
    await db.transaction().execute(async (transaction) => {
      expect(await bindAddress(transaction, keys, other, mobile)).toBe(false)
      expect(await giveCredential(transaction, keys, other, identity)).toBe(false)
    })
    await expect(addAccount({ db, config: keys }, userId, { ...account, alias: '另一个' })).rejects.toMatchObject({ code: 24002 })
  })

  test('it goes on where it was interrupted, and leaves what opens under neither key', async () => {
    const { db } = database
    const keys = config(after, before)
    await db
      .updateTable('user_contact')
      .set({ sealed: sealAddress(keys, mobile), address_hash: addressHash(keys, mobile) })
      .execute()
    await db
      .updateTable('wechat_payer')
      .set({ sealed: Buffer.alloc(40) })
      .execute()
    expect(await rotateSecret({ db, config: keys })).toEqual({ renewed: 3, unreadable: 1 })
    expect(await rotateSecret({ db, config: keys })).toEqual({ renewed: 0, unreadable: 1 })
  })
})

test('a process starts with the current key, or with both while it is changed, and with no other', async () => {
  const { db } = database
  const starts = (keys: SecretSettings) =>
    requireSecret({ db, config: keys }).then(
      () => 'starts',
      (error: Error) => error.message,
    )
  const refusal = '环境变量 SECRET_KEY 不是这个数据库原来用的：请换回原来的'
  const every = () => Promise.all([config(before), config(before, after), config(after, before), config(after)].map(starts))
  expect(await every()).toEqual(['starts', 'starts', 'starts', refusal])
  await rotateSecret({ db, config: config(after, before) })
  expect(await every()).toEqual([refusal, 'starts', 'starts', 'starts'])
})

describe('every secret that is stored', () => {
  test('has its column in the table of the rotation, or lives no longer than an hour', async () => {
    const shortLived = ['verification_code.sealed_target']
    const { rows } = await sql<{ name: string }>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and column_name like '%sealed%' order by 1`.execute(database.db)
    expect(rows.map(({ name }) => name)).toEqual([...sealedTables.map(({ table }) => `${table}.sealed`), ...shortLived].sort())
  })

  test('is under one of the known uses of the key', () => {
    const used = globSync('**/*.ts', { cwd: new URL('..', import.meta.url).pathname }).flatMap((file) => {
      if (file.endsWith('.test.ts') || file === 'base/secret.ts' || file === 'system/rotate-secret.ts') return []
      const text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
      return [...text.matchAll(/\b(?:sealFor|keysFor|keyFor|digestsFor|digest|macs)\(\s*[a-z]\w*,\s*('[^']+'|[\w.]+)/g)].map(
        ([, use]) => `${file} ${use}`,
      )
    })
    expect([...new Set(used)].sort()).toEqual([
      // Backups: the old key is kept with those made under it.
      "backup/backup-info.ts 'backup list'",
      "backup/data-files.ts 'backup names'",
      'backup/sealed-piece.ts useOf',
      'message/queue.ts messageUse',
      'payment/payer.ts use',
      'qmt/accounts.ts accountUse',
      "user/addresses.ts 'address'",
      // Counters of limits: a day at most.
      "user/addresses.ts 'source'",
      'user/addresses.ts use',
      // Codes: ten minutes.
      "user/codes.ts 'code key'",
      "user/codes.ts 'code'",
      // Human checks: minutes.
      "user/human-check.ts 'human check key'",
      "user/human-check.ts 'human check'",
      "user/sealed-columns.ts 'qmt account index'",
      "user/sealed-columns.ts 'wechat index'",
      'user/sealed-columns.ts use',
      "user/secret-check.ts 'check'",
      'user/wechat-credentials.ts use',
      // Tickets to bind a WeChat: minutes.
      'user/wechat-tickets.ts use',
    ])
  })
})
