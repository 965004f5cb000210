/**
 * Store of what the bridge pushed, in the database, so that it may push to any api: the newest ticks, and of each day its bars and its calls,
 * for a week.
 */
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { BridgePush } from '@convexa/contract'
import { type Kysely, sql } from 'kysely'
import { shanghaiDate } from '../../base/time.ts'
import type { Database } from '../../db/tables.ts'
import { FeedError } from '../feed.ts'

export interface PushedBars {
  /** When it came, ms. */
  readonly at: number
  readonly push: BridgePush
}

type Shelf = { kind: 'ticks' } | { kind: 'bars' | 'calls'; date: string }

const keptDays = 7
const pack = promisify(gzip)
const unpack = promisify(gunzip)

/** Keeps a push in the place of the one before it. A push that comes late does not replace a newer one. */
export async function storePush(db: Kysely<Database>, push: BridgePush, at: number): Promise<void> {
  // Ticks come every few seconds: the least effort.
  const body = await pack(JSON.stringify(push), { level: 1 })
  const date = push.kind === 'ticks' ? shanghaiDate(new Date(at)) : push.date
  await db
    .insertInto('pushed')
    .values({ kind: push.kind, date, at: new Date(at), body })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'date'])
        .doUpdateSet((row) => ({ at: row.ref('excluded.at'), body: row.ref('excluded.body') }))
        .where('pushed.at', '<=', (row) => row.ref('excluded.at')),
    )
    .execute()
}

/** What was pushed, of one database; null: nothing was. @throws FeedError what was pushed cannot be read, or is of another release */
export type ReadPushed = (what: Shelf) => Promise<(PushedBars & { readonly bytes: Buffer }) | null>

export const pushedIn =
  (db: Kysely<Database>): ReadPushed =>
  (what) =>
    shelved(db, what)

async function shelved(db: Kysely<Database>, what: Shelf): ReturnType<ReadPushed> {
  let found = db.selectFrom('pushed').select(['at', 'body']).where('kind', '=', what.kind)
  if (what.kind !== 'ticks') found = found.where('date', '=', what.date)
  const row = await found.orderBy('at', 'desc').limit(1).executeTakeFirst()
  if (!row) return null
  try {
    const bytes = await unpack(row.body)
    return { at: row.at.getTime(), push: BridgePush.parse(JSON.parse(bytes.toString('utf8'))), bytes }
  } catch (error) {
    throw new FeedError('shape', '行情桥接程序推送的数据无法识别，可能由其他版本写入', { cause: error })
  }
}

/** Takes away what is older than a week. */
export async function sweepPushed(db: Kysely<Database>): Promise<void> {
  await db.deleteFrom('pushed').where('at', '<', sql<Date>`now() - make_interval(days => ${keptDays})`).execute()
}
