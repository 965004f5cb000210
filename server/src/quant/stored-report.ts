import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type CheckGrid, type DayDetail, IsoDate, type MarketId, type Report, type ReportPart, type Robustness } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { runStatus } from '@convexa/contract/enums/run-status'
import { versionUnder } from '@convexa/engine'
import { type Kysely, sql } from 'kysely'
import { validate as isUuid } from 'uuid'
import { ApiError, throwApiError, toApiError } from '../base/api-error.ts'
import { shanghaiTime } from '../base/time.ts'
import type { AppContext } from '../context/app-context.ts'
import type { CallOptions, DataRef, RunAgain, StoredReport, WithOwn } from '../context/compute.ts'
import { readBytes } from '../db/read-bytes.ts'
import type { Database } from '../db/tables.ts'
import { held, type PackedJson } from '../http/reply.ts'
import { isDamaged } from '../market/damage.ts'
import { readCore } from '../run-core/kept-core.ts'
import type { OwnMembers } from '../run-core/own-members.ts'
import { namedSources, runName } from './history.ts'
import { requestOf } from './request-of-run.ts'

// Reports and day pages of finished runs. Of a run its core is kept; what follows from its ledger is computed again by a worker, on the data
// that the run was made on. Runs from before there were cores hold the whole report and all their days.

const unpack = promisify(gunzip)

/** Every call ends within four seconds: what takes longer than this has no time left to be sent. */
const deadlineMs = 3_700

interface ReportDeps extends Pick<AppContext, 'db' | 'compute'> {
  readonly config: Pick<AppContext['config'], 'dataDir' | 'tradingRules'>
}

/** The reader of a report, and whether its client still holds the answer of a tag. */
export interface Reader {
  /** User whose computing time it takes; null: nobody. */
  readonly asker: CallOptions['asker']
  readonly signal?: AbortSignal
  holds?(tag: string): boolean
}

/** A finished run of a user as far as its report is read from it. */
export type FinishedRunRow = NonNullable<Awaited<ReturnType<typeof finishedRun>>>

/** null: no finished run of the user's, or nothing of it was ever kept. */
export const finishedRun = (db: Kysely<Database>, userId: string, runId: string) =>
  db
    .selectFrom('backtest_run as r')
    .leftJoin('run_report as f', 'f.run_id', 'r.id')
    .leftJoin('run_core as c', 'c.run_id', 'r.id')
    .select([
      'r.id',
      'r.user_id',
      'r.kind',
      'r.request',
      'r.params_hash',
      'r.data_version',
      'r.engine_version',
      'r.worker_id',
      'r.ledger_sha256',
    ])
    .select(['r.snapshot_id', 'r.index_snapshot_id', 'r.stock_snapshot_id', 'f.headless', 'c.format'])
    .where('r.id', '=', runId)
    .where('r.user_id', '=', userId)
    .where('r.status', '=', runStatus.done)
    .executeTakeFirst()

/** The first members of a report that was packed without its brace. */
export const headOf = (members: object): string => `${JSON.stringify(members).slice(0, -1)},`

/** What the run's check grid says, once it was made. */
export const checksOf = ({ robustness, grid }: { robustness: Robustness | null; grid: CheckGrid | null }): Pick<Report, 'checks'> =>
  robustness && grid ? { checks: { robustness, grid } } : {}

/**
 * The report of a user's own finished run, or the parts of it that are named; null when there is none, for whatever reason.
 * @throws ApiError as `reportAnswer`
 */
export async function ownReport(
  deps: ReportDeps,
  userId: string,
  kind: MarketId,
  runId: string,
  parts: readonly ReportPart[] | null,
  reader: Reader,
): Promise<PackedJson | null> {
  const run = await finishedRun(deps.db, userId, runId)
  if (run?.kind !== kind) return null
  const isHeaded = parts === null || parts.includes('core')
  return reportAnswer(deps, run, isHeaded ? await ownMembers(deps, run) : {}, parts, reader)
}

/** What only its owner reads. */
async function ownMembers({ db, config }: ReportDeps, run: FinishedRunRow) {
  const row = await db
    .selectFrom('backtest_run as r')
    .leftJoin('market_snapshot as m', 'm.id', 'r.snapshot_id')
    .leftJoin('run_check as c', (join) => join.onRef('c.run_id', '=', 'r.id').onRef('c.user_id', '=', 'r.user_id'))
    .select(['r.strategy_id', 'r.group_id', 'r.name', 'r.note', 'r.favourite', 'm.folder', 'm.quality'])
    .select(['c.robustness', 'c.grid'])
    .where('r.id', '=', run.id)
    .where('r.user_id', '=', run.user_id)
    .executeTakeFirst()
  if (!row) throwApiError(errorCodes.notFound)
  const earlier = await db
    .selectFrom('backtest_run as r')
    .innerJoin('backtest_run as own', (join) => join.onRef('own.params_hash', '=', 'r.params_hash').onRef('own.user_id', '=', 'r.user_id'))
    .select(['r.engine_version', 'r.finished_at'])
    .where('own.id', '=', run.id)
    .where('r.user_id', '=', run.user_id)
    .where('r.status', '=', runStatus.done)
    .whereRef('r.engine_version', '<>', 'own.engine_version')
    .whereRef('r.finished_at', '<', 'own.finished_at')
    .orderBy('r.finished_at', 'desc')
    .executeTakeFirst()
  const own: OwnMembers = {
    backtest_id: run.id,
    ...(row.strategy_id && { strategy_id: row.strategy_id }),
    ...(row.group_id && { group_id: row.group_id }),
    name: runName(row.name, run.kind),
    note: row.note ?? '',
    favourite: row.favourite,
    data_sources: await namedSources(config.dataDir, row),
    ...(earlier?.finished_at && {
      earlier_engine: { engine_version: earlier.engine_version, finished_at: shanghaiTime(earlier.finished_at) },
    }),
    ...checksOf(row),
  }
  return own
}

/**
 * A report, or parts of it, behind `members`, with a tag where the client may ask whether it is still the same.
 * @throws ApiError 21008 its data are not here yet, 21011 they are damaged, 21012 they are not kept any more, and what a call of a worker throws
 */
export async function reportAnswer(
  deps: ReportDeps,
  run: FinishedRunRow,
  members: object,
  parts: readonly ReportPart[] | null,
  reader: Reader,
): Promise<PackedJson | null> {
  const { db, compute } = deps
  if (run.headless !== null) {
    const whole = await wholeReport(db, run)
    if (!whole) return null
    if (parts === null) return { packedJson: [run.headless ? headOf(members) : '', whole] }
    const report = { packed: whole.toString('base64'), headless: run.headless }
    return joined(
      run.headless ? members : {},
      await compute.packed('storedParts', null, { report, parts }, 'members', optionsOf(run, reader)),
    )
  }
  const tag = tagOf(deps, run, members, parts)
  if (tag !== undefined && reader.holds?.(tag)) return held(tag)
  if (run.format === null) return null
  const core = await readCore({ db, dataDir: deps.config.dataDir }, run.user_id, run.id)
  if (!core) return null
  const report = { core: core.toString('base64') }
  const isCoreAlone = parts?.every((part) => part === 'core') === true
  const packed = isCoreAlone
    ? await compute.packed('storedParts', null, { report, parts }, 'members', optionsOf(run, reader))
    : await again(deps, run, report.core, reader, (again, custom, data, options) =>
        compute.packed('partsAgain', data, { run: again, custom, parts }, 'members', options),
      )
  return { ...joined(members, packed), ...(tag !== undefined && { tag }) }
}

const joined = (members: object, packed: Uint8Array): PackedJson => ({
  packedJson: [Object.keys(members).length > 0 ? headOf(members) : '{', packed],
})

/** Changes with all that an answer says; none for a run without a ledger. */
function tagOf({ config }: ReportDeps, { ledger_sha256: ledger }: FinishedRunRow, members: object, parts: readonly string[] | null) {
  if (!ledger) return undefined
  const said = createHash('sha256')
    .update(JSON.stringify([members, versionUnder(config.tradingRules)]))
    .digest('hex')
  return `${ledger.toString('hex').slice(0, 32)}-${parts?.join('+') ?? 'whole'}-${said.slice(0, 16)}`
}

/** One day of a user's own finished run; null when the run is not theirs or the day is not one of it. @throws ApiError as `reportAnswer` */
export async function ownDay(
  deps: ReportDeps,
  userId: string,
  kind: MarketId,
  runId: string,
  date: string,
  reader: Reader,
): Promise<DayDetail | null> {
  if (!isUuid(runId) || !IsoDate.safeParse(date).success) return null
  const { db, compute } = deps
  const run = await finishedRun(db, userId, runId)
  if (run?.kind !== kind) return null
  if (run.headless !== null) return storedDay(db, run, date)
  if (run.format === null) return null
  const core = await readCore({ db, dataDir: deps.config.dataDir }, run.user_id, run.id)
  if (!core) return null
  return again(deps, run, core.toString('base64'), reader, (again, custom, data, options) =>
    compute.call('dayAgain', data, { run: again, custom, date }, options),
  )
}

/** Has a worker compute a run again on its own data. */
async function again<T>(
  { db }: ReportDeps,
  row: FinishedRunRow,
  core: string,
  reader: Reader,
  ask: (run: RunAgain, custom: NonNullable<WithOwn['custom']>, data: DataRef, options: CallOptions) => Promise<T>,
): Promise<T> {
  if (row.snapshot_id === null || !row.ledger_sha256) throwApiError(errorCodes.runDataGone)
  const data = {
    kind: row.kind,
    snapshotId: row.snapshot_id,
    indexSnapshotId: row.index_snapshot_id,
    stockSnapshotId: row.stock_snapshot_id,
  }
  if (await isDamaged(db, [data.snapshotId, data.indexSnapshotId, data.stockSnapshotId])) throwApiError(errorCodes.damagedMarketData)
  const { rule, settings, custom } = requestOf(row.request)
  const run: RunAgain = { id: row.id, rule, settings, ledger: row.ledger_sha256.toString('hex'), engineVersion: row.engine_version, core }
  return ask(run, custom, data, optionsOf(row, reader)).catch((error: unknown) => {
    const failure = toApiError(error)
    throw failure.code === errorCodes.noMarketData ? new ApiError(failure.code, fetching, { retryAfterSeconds: 3 }) : error
  })
}

const fetching = '正在取回这次回测的数据，请稍后重试'

const optionsOf = ({ id, worker_id: workerId }: FinishedRunRow, { asker, signal }: Reader): CallOptions => ({
  ...{ deadlineMs, asker, near: { workerId, words: id } },
  ...(signal && { signal }),
})

/** The report of a run from before there were cores, as it was packed. */
const wholeReport = (db: Kysely<Database>, run: Pick<FinishedRunRow, 'id' | 'user_id'>): Promise<Buffer | null> =>
  readBytes(
    db,
    db
      .selectFrom('run_report as f')
      .innerJoin('backtest_run as r', 'r.id', 'f.run_id')
      .select('f.report')
      .where('r.id', '=', sql.lit(run.id))
      .where('r.user_id', '=', sql.lit(run.user_id))
      .compile(),
  )

/** What is stored of a finished run's report: its core, or the whole of before. null: nothing. */
export async function storedReport(
  { db, config }: Pick<ReportDeps, 'db'> & { readonly config: { readonly dataDir: string } },
  run: FinishedRunRow,
): Promise<StoredReport | null> {
  if (run.headless !== null) {
    const whole = await wholeReport(db, run)
    return whole && { packed: whole.toString('base64'), headless: run.headless }
  }
  const core = run.format === null ? null : await readCore({ db, dataDir: config.dataDir }, run.user_id, run.id)
  return core && { core: core.toString('base64') }
}

async function storedDay(db: Kysely<Database>, run: FinishedRunRow, date: string): Promise<DayDetail | null> {
  // Literals: of an id and a date, nothing else.
  const query = db
    .selectFrom('run_days as d')
    .innerJoin('backtest_run as r', 'r.id', 'd.run_id')
    .select('d.days')
    .where('r.id', '=', sql.lit(run.id))
    .where('r.user_id', '=', sql.lit(run.user_id))
    .where(sql<boolean>`${sql.lit(date)}::date between d.first_date and d.last_date`)
  const packed = await readBytes(db, query.compile())
  if (!packed) return null
  const days = JSON.parse((await unpack(packed)).toString('utf8')) as DayDetail[]
  return days.find((day) => day.trade_date === date) ?? null
}
