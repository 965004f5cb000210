import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DryRun, Envelope, Targets } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { buildApp } from '../src/app.ts'
import { remoteCompute } from '../src/compute/remote.ts'
import type { AppContext } from '../src/context/app-context.ts'
import { addStrategy } from '../src/strategy/strategies.ts'
import { callerOf, openReAuth } from '../src/user/sessions.ts'
import { asking } from './account.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { newUser, startWorkerProcess, type TestUser, type WorkerProcess } from './processes.ts'
import { type QmtIds, qmtAccount, qmtConfig, qmtTrading } from './qmt.ts'
import { parameters } from './requests.ts'
import { publishSmallMarket } from './small-market.ts'
import { testWorld } from './world.ts'

export const friday = '2026-11-20'
export const monday = '2026-11-23'
export const mondayNoon = new Date(`${monday}T14:49:00+08:00`)

/** What a test file has of it, once `beforeAll` has run. */
interface Monday {
  readonly database: TestDatabase
  readonly dataDir: string
  readonly context: AppContext
  readonly app: FastifyInstance
  readonly user: TestUser
  readonly ids: QmtIds
  readonly config: string
  /** The user's API key, until a test has made another. */
  key: string
}

/** A Monday before the close, with the data of the Friday before, for a test file: a user with a config of a strategy of five, and its client. */
export function qmtMonday() {
  let database: TestDatabase
  let app: FastifyInstance
  let user: TestUser
  let worker: WorkerProcess
  let made: Monday
  const clock = { now: mondayNoon }

  const { ask: asked } = asking(() => app)
  const ask = <T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object, who = user) =>
    asked<T>(method, `/v1/quant/qmt${path}`, { token: who.token, ...(body && { body }) })
  async function client<T>(method: 'GET' | 'POST', path: string, body?: object, apiKey = made.key) {
    const answer = await app.inject({
      method,
      url: `/v1/qmt-client${path}`,
      headers: { 'x-api-key': apiKey },
      ...(body && { payload: body }),
    })
    const { code, msg, data } = answer.json<Envelope<T>>()
    return { status: answer.statusCode, code, msg, data }
  }

  beforeAll(async () => {
    database = await testDatabase()
    const dataDir = mkdtempSync(join(tmpdir(), 'qmt-monday-'))
    await publishSmallMarket(database.db, dataDir, { kind: 'cb', from: '2026-06-01', to: friday, securities: 20, real: true, calls: true })
    worker = await startWorkerProcess({ DATABASE_URL: database.url, DATA_DIR: dataDir }, database.db)
    const { context } = testWorld(database, { compute: remoteCompute(database.db), now: () => clock.now, config: { dataDir } })
    app = await buildApp(context)
    user = await newUser(database.db)
    await showPassword()
    const id = async (path: string, body: object) => (await ask<{ id: string }>('POST', path, body)).data.id
    const { id: strategy } = await addStrategy(context, user.id, 'cb', { strategy_name: '低价5', detail: parameters('cb', 'close', 5, 1) })
    const ids = {
      account: await id('/account', qmtAccount()),
      trading: await id('/trading-config', qmtTrading({ hold_rank: 7 })),
      strategy,
    }
    const config = await id('/config', qmtConfig(ids))
    const { api_key: key } = (await ask<{ api_key: string }>('PUT', '/apikey')).data
    made = { database, dataDir, context, app, user, ids, config, key }
  })
  beforeEach(async () => {
    clock.now = mondayNoon
    // Many calls of one key within a minute.
    await sql`delete from rate_use`.execute(database.db)
  })
  afterAll(async () => {
    await app.close()
    await worker.stop()
    await database.drop()
    rmSync(made.dataDir, { recursive: true, force: true })
  })

  const showPassword = async (who = user) => openReAuth(database.db, (await callerOf(database.db, who.token)).sessionId)
  return {
    /** Now, for the site. */
    clock,
    here: (): Monday => made,
    /** Any call of the site. */
    asAccount: asked,
    ask,
    client,
    showPassword,
    pull: (date = monday, apiKey = made.key) => client<Targets>('GET', `/targets?config_id=${made.config}&date=${date}`, undefined, apiKey),
    rehearse: (body: object = {}) => ask<DryRun>('POST', `/config/${made.config}/dry-run`, body),
    exported: (query = '') =>
      app.inject({
        method: 'GET',
        url: `/v1/quant/qmt/config/export/${made.config}${query}`,
        headers: { 'access-token': user.token },
      }),
  }
}
