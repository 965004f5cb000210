import type { Kysely } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { Database } from '../src/db/tables.ts'
import { request } from './requests.ts'

/** A user without a login. */
export async function insertUser(db: Kysely<Database>, level = 0): Promise<string> {
  const id = uuid()
  await db
    .insertInto('app_user')
    .values({ id, account: `${id}@test.example`, nickname: '测试', password_hash: null, vip_level: level })
    .execute()
  return id
}

/** A run as its row, queued unless said otherwise, with its first event; it has no job. */
export async function insertRun(
  db: Kysely<Database>,
  userId: string,
  ownerId: string,
  over: { status?: 0 | 1; workerId?: string } = {},
): Promise<string> {
  const id = uuid()
  const { parameters, settings } = request('cb', { start: '2022-01-04', end: '2022-12-30' })
  await db
    .insertInto('backtest_run')
    .values({
      id,
      user_id: userId,
      kind: 'cb',
      status: over.status ?? 0,
      strategy_id: null,
      note: null,
      client_run_id: null,
      request: JSON.stringify({ parameters, settings }),
      params_hash: 'hash',
      trial_no: 1,
      snapshot_id: null,
      index_snapshot_id: null,
      stock_snapshot_id: null,
      data_mode: 'demo',
      data_version: 'v',
      engine_version: '0',
      owner_id: ownerId,
      worker_id: over.workerId ?? null,
    })
    .execute()
  await db
    .insertInto('run_event')
    .values({ run_id: id, seq: 1, payload: JSON.stringify({ type: 'queued', position: 1 }) })
    .execute()
  return id
}

export const eventsOf = async (db: Kysely<Database>, runId: string) =>
  (await db.selectFrom('run_event').select(['seq', 'payload']).where('run_id', '=', runId).orderBy('seq').execute()).map(
    ({ payload }) => payload as { type: string; code?: number },
  )

export const statusOf = async (db: Kysely<Database>, runId: string) =>
  (await db.selectFrom('backtest_run').select('status').where('id', '=', runId).executeTakeFirstOrThrow()).status
