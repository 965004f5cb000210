import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SharedReport, ShareListItem } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { runStatus } from '@convexa/contract/enums/run-status'
import { sentences } from '@convexa/contract/rules/sentences'
import { versionUnder } from '@convexa/engine'
import { type Kysely, sql } from 'kysely'
import { validate as isUuid, v7 as uuid } from 'uuid'
import { ApiError, throwApiError } from '../base/api-error.ts'
import { shanghaiTime } from '../base/time.ts'
import type { AppContext } from '../context/app-context.ts'
import type { Database } from '../db/tables.ts'
import type { PackedJson } from '../http/reply.ts'
import { currentSnapshot } from '../market/current-snapshot.ts'
import { putBytes, readBytesOf } from '../store/bytes-by-hash.ts'
import { lockThere } from '../store/catalogue.ts'
import { objectsOf } from '../store/data-objects.ts'
import { StoreError } from '../store/object-store.ts'
import { inTime } from '../store/store-away.ts'
import { refuseOften } from '../user/attempts.ts'
import { namedSources, runName } from './history.ts'
import { missingRun } from './reduced-runs.ts'
import { lockUser } from './run-state.ts'
import { checksOf, finishedRun, headOf, reportAnswer } from './stored-report.ts'

// Reports shared by a link. A token is 256 bits from the system's random source and is shown once: only its hash is kept, so that a reader
// of the database opens nothing.

/** Links of one user that are open at once. */
const mostOpen = 50
/** So long a new link waits for its report to be kept. */
const keepWithinMs = 3_000
/** An ended link says for so long what became of it. */
const rememberedDays = 90

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** @throws ApiError 40004 not the user's own finished run, 21005 too many */
export async function addShare(
  deps: Pick<AppContext, 'db' | 'config' | 'compute' | 'log'>,
  userId: string,
  { backtest_id, ttl_days }: { backtest_id: string; ttl_days: number },
): Promise<{ id: string; token: string; url: string; expire_at: string }> {
  const { db, config } = deps
  const id = uuid()
  const token = randomBytes(32).toString('base64url')
  const expires = await db.transaction().execute(async (transaction) => {
    await lockUser(transaction, userId)
    const run = await transaction
      .selectFrom('backtest_run as r')
      .leftJoin('run_report as f', 'f.run_id', 'r.id')
      .leftJoin('run_core as c', 'c.run_id', 'r.id')
      .select('r.id')
      .where('r.id', '=', backtest_id)
      .where('r.user_id', '=', userId)
      .where('r.status', '=', runStatus.done)
      // Older ones hold the note inside.
      .where((is) => is.or([is('f.headless', '=', true), is('c.format', 'is not', null)]))
      // Retention takes no run that is being shared.
      .forShare('r')
      .executeTakeFirst()
    if (!run) return missingRun(transaction, userId, null, backtest_id)
    const { open } = await transaction
      .selectFrom('report_share')
      .select(({ fn }) => fn.countAll<string>().as('open'))
      .where('user_id', '=', userId)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', sql<Date>`now()`)
      .executeTakeFirstOrThrow()
    if (Number(open) >= mostOpen) throw new ApiError(errorCodes.tooManyStrategies, `有效的分享已达上限（${mostOpen} 个），请先撤回不用的`)
    const made = await transaction
      .insertInto('report_share')
      .values({
        id,
        user_id: userId,
        run_id: run.id,
        token_hash: hashOf(token),
        expires_at: sql<Date>`now() + make_interval(days => ${ttl_days})`,
      })
      .returning('expires_at')
      .executeTakeFirstOrThrow()
    return made.expires_at
  })
  // What takes longer goes on behind the answer.
  await Promise.race([keepReport(deps, { id, userId, runId: backtest_id }), sleep(keepWithinMs, undefined, { ref: false })])
  return { id, token, url: `${config.siteUrl ?? ''}/r/${token}`, expire_at: shanghaiTime(expires) }
}

interface Share {
  readonly id: string
  readonly userId: string
  readonly runId: string
}

/** Keeps the report as it is now for the readers of a link. Where that cannot be done at this moment the first reader has it computed. */
async function keepReport(deps: Pick<AppContext, 'db' | 'config' | 'compute' | 'log'>, { id, userId, runId }: Share): Promise<void> {
  try {
    const run = await finishedRun(deps.db, userId, runId)
    // One of before there were cores is kept whole in its row.
    if (run?.headless !== null) return
    const packed = (await reportAnswer(deps, run, {}, null, { asker: { id: userId } }))?.packedJson.at(-1)
    if (packed instanceof Uint8Array) await keepPacked(deps, { id, userId }, packed)
  } catch (error) {
    deps.log.warn({ share: id, err: error }, 'shared report not kept yet')
  }
}

/** @throws StoreError */
async function keepPacked(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  { id, userId }: Pick<Share, 'id' | 'userId'>,
  packed: Uint8Array,
): Promise<void> {
  const key = await inTime(putBytes({ db, objects: objectsOf(config.dataDir) }, packed))
  await db.transaction().execute(async (transaction) => {
    if ((await lockThere(transaction, [key])).length > 0) return
    await transaction.updateTable('report_share').set({ key }).where('id', '=', id).where('user_id', '=', userId).execute()
  })
}

/** null: it is not kept, or cannot be read now. */
async function keptReport({ db, config, log }: Pick<AppContext, 'db' | 'config' | 'log'>, key: string | null): Promise<Buffer | null> {
  if (key === null) return null
  try {
    return await inTime(readBytesOf({ db, objects: objectsOf(config.dataDir) }, key))
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    log.warn({ err: error }, 'kept report not read')
    return null
  }
}

/** A user's links, the newest first. */
export async function listShares(db: Kysely<Database>, userId: string): Promise<ShareListItem[]> {
  const rows = await db
    .selectFrom('report_share as h')
    .innerJoin('backtest_run as r', 'r.id', 'h.run_id')
    .select(['h.id', 'h.run_id', 'h.views', 'h.created_at', 'h.expires_at', 'r.kind', 'r.name', statusNow.as('status')])
    .where('h.user_id', '=', userId)
    .orderBy('h.id', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    backtest_id: row.run_id,
    kind: row.kind,
    name: runName(row.name, row.kind),
    status: row.status,
    views: row.views,
    created_at: shanghaiTime(row.created_at),
    expire_at: shanghaiTime(row.expires_at),
  }))
}

const statusNow = sql<ShareListItem['status']>`
  case when h.revoked_at is not null then 'revoked' when h.expires_at <= now() then 'expired' else 'active' end`

/** By its token or its id; once more is as once. @throws ApiError 40004 */
export async function revokeShare(db: Kysely<Database>, userId: string, tokenOrId: string): Promise<void> {
  const revoked = await db
    .updateTable('report_share')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` })
    .where('user_id', '=', userId)
    .where((share) => (isUuid(tokenOrId) ? share('id', '=', tokenOrId) : share('token_hash', '=', hashOf(tokenOrId))))
    .returning('id')
    .executeTakeFirst()
  if (!revoked) throwApiError(errorCodes.notFound)
}

/**
 * The report behind a link, without anything of its owner.
 * @throws ApiError 40004 no such link, or it has ended: then it says how; 40029 too many from one network
 */
export async function sharedReport(
  deps: Pick<AppContext, 'db' | 'config' | 'compute' | 'log'>,
  token: string,
  ip: string,
  signal: AbortSignal,
): Promise<PackedJson> {
  const { db, config } = deps
  await refuseOften(db, 'shared report', ip)
  const row = await db
    .selectFrom('report_share as h')
    .innerJoin('backtest_run as r', 'r.id', 'h.run_id')
    .innerJoin('app_user as u', 'u.id', 'h.user_id')
    .leftJoin('market_snapshot as m', 'm.id', 'r.snapshot_id')
    .leftJoin('run_check as c', (join) => join.onRef('c.run_id', '=', 'r.id').onRef('c.user_id', '=', 'h.user_id'))
    .select(['c.robustness', 'c.grid'])
    .select([
      'h.id',
      'h.run_id',
      'h.user_id',
      'h.key',
      'h.created_at',
      'h.expires_at',
      'r.kind',
      'r.name',
      'm.folder',
      'm.quality',
      statusNow.as('status'),
    ])
    .where('h.token_hash', '=', hashOf(token))
    // A disabled user, or one who is leaving, shares nothing.
    .where('u.disabled_at', 'is', null)
    .where('u.deletion_at', 'is', null)
    .executeTakeFirst()
  if (!row) throwApiError(errorCodes.notFound)
  if (row.status !== 'active')
    throw new ApiError(errorCodes.notFound, row.status === 'revoked' ? sentences.shareRevoked : sentences.linkEnded)
  const [newest, sources] = await Promise.all([
    currentSnapshot(db, config.dataDir, row.kind),
    namedSources(config.dataDir, row),
    db.updateTable('report_share').set({ views: sql<number>`views + 1` }).where('id', '=', row.id).execute(),
  ])
  const members: Pick<SharedReport, 'name' | 'data_sources' | 'shared' | 'checks'> = {
    name: runName(row.name, row.kind),
    data_sources: sources,
    ...checksOf(row),
    shared: {
      created_at: shanghaiTime(row.created_at),
      expire_at: shanghaiTime(row.expires_at),
      data_version: newest?.dataVersion ?? null,
      engine_version: versionUnder(config.tradingRules),
    },
  }
  const kept = await keptReport(deps, row.key)
  if (kept) return { packedJson: [headOf(members), kept] }
  const run = await finishedRun(db, row.user_id, row.run_id)
  // How often a link was opened is not told by a tag: it is answered whole.
  const { packedJson } =
    (run && (await reportAnswer(deps, run, members, null, { asker: null, signal }))) ?? throwApiError(errorCodes.notFound)
  const packed = packedJson.at(-1)
  if (run?.headless === null && packed instanceof Uint8Array) {
    // Its reader does not wait for that.
    void keepPacked(deps, { id: row.id, userId: row.user_id }, packed).catch((error: unknown) =>
      deps.log.warn({ share: row.id, err: error }, 'shared report not kept yet'),
    )
  }
  return { packedJson }
}

/** Forgets the links that ended long ago. */
export async function sweepShares(db: Kysely<Database>): Promise<void> {
  await sql`
    delete from report_share
    where least(expires_at, revoked_at) < now() - make_interval(days => ${rememberedDays})`.execute(db)
}
