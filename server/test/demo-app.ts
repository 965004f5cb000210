import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll } from 'vitest'
import { buildApp, type Routes } from '../src/app.ts'
import { demoAccount } from '../src/user/guests.ts'
import { routes as user } from '../src/user/routes.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { testWorld } from './world.ts'

/** A feature's calls beside the logins, with a database and an empty data directory for a test file; asked without a login or as a guest. */
export function demoApp(routes: Routes) {
  let database: TestDatabase
  let dataDir: string
  let app: FastifyInstance
  let token: string
  beforeAll(async () => {
    database = await testDatabase()
    dataDir = await mkdtemp(join(tmpdir(), 'convexa-app-'))
    const { context } = testWorld(database, { config: { dataDir } })
    app = await buildApp(context, [user, routes])
    const login = await app.inject({ method: 'POST', url: '/v1/authorize/access-token/by-password', payload: demoAccount })
    token = login.json().data.access_token
  })
  afterAll(async () => {
    await app.close()
    await database.drop()
    await rm(dataDir, { recursive: true })
  })
  return {
    async get(url: string, login = false) {
      const answer = await app.inject({ url, headers: login ? { 'access-token': token } : {} })
      return { status: answer.statusCode, ...answer.json() }
    },
    get database() {
      return database
    },
    get dataDir() {
      return dataDir
    },
  }
}
