import type { Envelope, TokenData } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { buildApp } from '../src/app.ts'
import type { Config } from '../src/config/config.ts'
import type { AppContext } from '../src/context/app-context.ts'
import { routes } from '../src/user/routes.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { messagesTo } from './messages.ts'
import { testWorld } from './world.ts'

export const goodPassword = '一个谁也猜不到的密码'
const home = '203.0.113.7'

interface Given {
  body?: object
  token?: string
  from?: string
  headers?: Record<string, string>
}

/** The account calls on a database of their own, as a client meets them. */
export interface AccountSite {
  readonly database: TestDatabase
  readonly context: AppContext
  readonly app: FastifyInstance
  readonly logged: readonly string[]
  ask<T>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD',
    url: string,
    given?: Given,
  ): Promise<Envelope<T> & { status: number; headers: Record<string, unknown>; text: string }>
  /** The code in the newest message to a mobile or e-mail; '' when there is none. */
  codeFor(to: string): Promise<string>
  /** Lets so many seconds pass for codes, limits and human checks. */
  later(seconds: number): Promise<void>
  /** A registration by code, whole. */
  register(target: string, password?: string): Promise<TokenData>
  /** Opens the five minutes. */
  reAuth(token: string, password?: string): Promise<void>
  empty(): Promise<void>
  close(): Promise<void>
}

const tables = ['app_user', 'verification_code', 'code_send', 'human_check_used', 'message', 'login_failure'] as const

export async function accountSite(config: Partial<Config> = {}): Promise<AccountSite> {
  const database = await testDatabase()
  const { context, logged } = testWorld(database, { config: { trustProxy: ['127.0.0.1'], ...config } })
  const app = await buildApp(context, [routes])
  const { db } = database
  const site: AccountSite = {
    database,
    context,
    app,
    logged,
    async ask(method, url, given = {}) {
      const headers = { 'x-forwarded-for': given.from ?? home, ...(given.token && { 'access-token': given.token }), ...given.headers }
      const answer = await app.inject({ method, url, headers, ...(given.body && { payload: given.body }) })
      const envelope = answer.body ? answer.json() : { code: -1, msg: '', data: null, request_id: '' }
      return { status: answer.statusCode, headers: answer.headers, text: answer.body, ...envelope }
    },
    codeFor: async (to) => (await messagesTo(context, to)).at(-1)?.code ?? '',
    async later(seconds) {
      const by = sql`make_interval(secs => ${seconds})`
      await sql`update code_send set sent_at = sent_at - ${by}`.execute(db)
      await sql`update verification_code set expires_at = expires_at - ${by}, created_at = created_at - ${by}`.execute(db)
      await sql`update human_check_used set expires_at = expires_at - ${by}`.execute(db)
    },
    async register(target, password = goodPassword) {
      await site.ask('GET', `/v1/user/${encodeURIComponent(target)}/register-code`)
      const body = { target, verification_code: await site.codeFor(target), password, agree: true }
      const { data } = await site.ask<TokenData>('POST', '/v1/user/by-register', { body })
      // The limits of the next code begin anew.
      await sql`delete from code_send`.execute(db)
      return data
    },
    async reAuth(token, password = goodPassword) {
      await site.ask('POST', '/v1/user/re-auth', { token, body: { password } })
    },
    async empty() {
      for (const table of tables) await sql`delete from ${sql.table(table)}`.execute(db)
    },
    async close() {
      await app.close()
      await database.drop()
    },
  }
  return site
}
