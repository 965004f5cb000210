import type { TokenData, User } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { buildApp } from '../src/app.ts'
import { routes } from '../src/user/routes.ts'
import { asking, password } from './account.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { makeUser } from './users.ts'
import { testWorld } from './world.ts'

/** As its owner types it. */
export const wang = { account: 'Wang@example.cn', password }

/** The logins with a database for a test file: 老王, somebody with a mobile and no password. Each test begins logged out and unsuspected. */
export function loginSite() {
  let database: TestDatabase
  let app: FastifyInstance
  let logged: string[]
  let wangId: string
  beforeAll(async () => {
    database = await testDatabase()
    const made = testWorld(database, { config: { trustProxy: ['127.0.0.1'] } })
    logged = made.logged
    app = await buildApp(made.context, [routes])
    wangId = await makeUser(made.context, { accounts: ['wang@example.cn'], password, nickname: '老王' })
    await makeUser(made.context, { accounts: ['13800138000'] })
  })
  beforeEach(async () => {
    await sql`delete from session`.execute(database.db)
    await sql`delete from login_failure`.execute(database.db)
  })
  afterAll(async () => {
    await app.close()
    await database.drop()
  })
  const { ask, login } = asking(() => app)
  return {
    ask,
    login: (body: typeof wang, from?: string) => login(body.account, { password: body.password, ...(from !== undefined && { from }) }),
    refresh: ({ refresh_token, access_token }: TokenData) =>
      ask<TokenData>('PUT', '/v1/authorize/access-token', { body: { refresh_token, access_token } }),
    info: (token: string) => ask<User>('GET', '/v1/user/info', { token }),
    get database() {
      return database
    },
    get app() {
      return app
    },
    get logged() {
      return logged
    },
    get wangId() {
      return wangId
    },
  }
}
