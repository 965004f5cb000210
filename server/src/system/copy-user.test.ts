import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { copyUser } from './copy-user.ts'

// A user in a lost state of the site and on the living site.

let lost: TestDatabase
let site: TestDatabase
const userId = uuid()

beforeAll(async () => {
  ;[lost, site] = await Promise.all([testDatabase(), testDatabase()])
  for (const { db } of [lost, site])
    await db.insertInto('app_user').values({ id: userId, account: 'u@test.example', nickname: '用户', password_hash: null }).execute()
})
afterAll(async () => {
  await lost.drop()
  await site.drop()
})

async function addFactor({ db }: TestDatabase, id: string, key: string, name: string, canonical: string): Promise<void> {
  await sql`insert into custom_factor (id, user_id, kind, factor_key, name, formula, canonical, description, decimals, prefer_default)
    values (${id}, ${userId}, 'cb', ${key}, ${name}, ${canonical}, ${canonical}, '', 2, 'small')`.execute(db)
}
async function addStrategy({ db }: TestDatabase, id: string, name: string, factor: string): Promise<void> {
  const detail = JSON.stringify({ rank_factors: [{ factor_key: factor }] })
  await sql`insert into strategy (id, user_id, kind, name, remark, tags, detail, factor_versions)
    values (${id}, ${userId}, 'cb', ${name}, '', '{}', ${detail}, '{}')`.execute(db)
}

test('what was lost comes back beside what is there, under other names where they are taken; what is the same is left', async () => {
  const [same, changed, gone] = [uuid(), uuid(), uuid()]
  const [kept, removed, group] = [uuid(), uuid(), uuid()]
  await addFactor(lost, same, 'custom_aaaaaa', '一样', 'close')
  await addFactor(site, same, 'custom_aaaaaa', '一样', 'close')
  await addFactor(lost, changed, 'custom_bbbbbb', '改过', 'open')
  await addFactor(site, changed, 'custom_bbbbbb', '改过', 'high')
  await addFactor(lost, gone, 'custom_cccccc', '没了', 'low')
  await addStrategy(lost, kept, '一样的', 'custom_aaaaaa')
  await addStrategy(site, kept, '一样的', 'custom_aaaaaa')
  await addStrategy(lost, removed, '另一个', 'custom_bbbbbb')
  // Another one has its name by now.
  await addStrategy(site, uuid(), '另一个', 'close')
  await sql`insert into strategy_group (id, user_id, kind, name, remark, rebalance, duplicate)
    values (${group}, ${userId}, 'cb', '组合', '', 'never', 'merge')`.execute(lost.db)
  await sql`insert into strategy_group_member values (${group}, ${kept}, ${userId}, 'cb', 0.5, 0), (${group}, ${removed}, ${userId}, 'cb', 0.5, 1)`.execute(
    lost.db,
  )

  const copied = await copyUser(site.db, userId, lost.url)
  expect(copied).toEqual({ factors: 2, strategies: 1, groups: 1, tradingConfigs: 0, configs: 0 })
  const { rows: factors } = await sql<{ name: string; factor_key: string; canonical: string }>`
    select name, factor_key, canonical from custom_factor where user_id = ${userId} order by name`.execute(site.db)
  const renamed = factors.find(({ name }) => name === '改过（恢复）')!
  expect(factors).toHaveLength(4)
  expect(renamed.canonical).toBe('open')
  expect(renamed.factor_key).not.toBe('custom_bbbbbb')
  expect(factors.find(({ name }) => name === '没了')!.factor_key).toBe('custom_cccccc')
  const { rows: strategies } = await sql<{ id: string; key: string }>`
    select id, detail #>> '{rank_factors,0,factor_key}' as key from strategy where user_id = ${userId} and name = '另一个（恢复）'`.execute(
    site.db,
  )
  // It asks for the factor as it was.
  expect(strategies).toEqual([{ id: strategies[0]!.id, key: renamed.factor_key }])
  const { rows: members } = await sql<{ strategy_id: string }>`
    select strategy_id from strategy_group_member where user_id = ${userId} order by place`.execute(site.db)
  expect(members.map(({ strategy_id }) => strategy_id)).toEqual([kept, strategies[0]!.id])
  const { rows: said } = await sql<{ after: unknown }>`select after from audit where action = 'user.copy' and user_id = ${userId}`.execute(
    site.db,
  )
  expect(said).toEqual([{ after: copied }])
  await expect(copyUser(site.db, uuid(), lost.url)).rejects.toThrow()
})
