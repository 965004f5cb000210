import type { Envelope, TokenData } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { Database } from '../src/db/tables.ts'
import { hashPassword } from '../src/user/passwords.ts'

// Users and what they ask of an app in this process.

export const password = '一个够长的密码'

let hash: Promise<string> | undefined

/** A user with the password above. */
export async function withPassword(db: Kysely<Database>, account = `${uuid()}@test.example`): Promise<{ id: string; account: string }> {
  const id = uuid()
  hash ??= hashPassword(password)
  await db
    .insertInto('app_user')
    .values({ id, account, nickname: '测试', password_hash: await hash })
    .execute()
  return { id, account }
}

export interface Asked {
  readonly body?: object
  readonly token?: string
  /** Address that it comes from, by way of a trusted proxy. */
  readonly from?: string
  readonly fingerprint?: string
  readonly userAgent?: string
  /** Header X-Human-Check. */
  readonly humanCheck?: string
}

/** Calls of an app whose config trusts the proxy 127.0.0.1. */
export function asking(app: () => FastifyInstance) {
  const ask = async <T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, given: Asked = {}) => {
    const headers = {
      'x-forwarded-for': given.from ?? '203.0.113.7',
      ...(given.token !== undefined && { 'access-token': given.token }),
      ...(given.fingerprint !== undefined && { 'x-fingerprint': given.fingerprint }),
      ...(given.userAgent !== undefined && { 'user-agent': given.userAgent }),
      ...(given.humanCheck !== undefined && { 'x-human-check': given.humanCheck }),
    }
    const answer = await app().inject({ method, url, headers, ...(given.body ? { payload: given.body } : {}) })
    const { code, msg, data } = answer.json<Envelope<T>>()
    return { status: answer.statusCode, code, msg, data, headers: answer.headers }
  }
  const login = (account: string, given: Asked & { password?: string } = {}) =>
    ask<TokenData>('POST', '/v1/authorize/access-token/by-password', { ...given, body: { account, password: given.password ?? password } })
  /** A user who is logged in, with a browser that has a fingerprint. */
  const comeIn = async (db: Kysely<Database>) => {
    const user = await withPassword(db)
    const { data } = await login(user.account, { fingerprint: 'desktop-chrome-windows-00112233' })
    return { ...user, tokens: data, token: data.access_token }
  }
  return { ask, login, comeIn }
}
