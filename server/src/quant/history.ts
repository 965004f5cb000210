import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type BacktestListItem, type DayDetail, IsoDate, type Kind, type Page, type Settings } from '@convexa/contract'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/tables.ts'
import { shanghaiTime } from '../time.ts'
import { runStatus } from './run-state.ts'

const unpack = promisify(gunzip)

/** A user's runs, newest first. */
export async function listRuns(
  db: Kysely<Database>,
  userId: string,
  { offset, limit, strategy_id, kind }: { offset: number; limit: number; strategy_id?: string | undefined; kind?: Kind | undefined },
): Promise<Page<BacktestListItem>> {
  let own = db.selectFrom('backtest_run').where('user_id', '=', userId)
  if (strategy_id) own = own.where('strategy_id', '=', strategy_id)
  if (kind) own = own.where('kind', '=', kind)
  const [{ total }, rows] = await Promise.all([
    own.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
    own.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').offset(offset).limit(limit).execute(),
  ])
  return { total: Number(total), offset, limit, list_items: rows.map(listItem) }
}

const listItem = (row: Awaited<ReturnType<typeof oneRow>>): BacktestListItem => ({
  backtest_id: row.id,
  kind: row.kind,
  strategy_id: row.strategy_id,
  // Strategies are not saved yet.
  strategy_name: null,
  params_hash: row.params_hash,
  settings: row.request['settings'] as Settings,
  metrics: row.metrics,
  trial_no: row.trial_no,
  ...(row.note !== null && { note: row.note }),
  data_mode: row.data_mode,
  data_version: row.data_version,
  engine_version: row.engine_version,
  status: row.status,
  created_at: shanghaiTime(row.created_at),
  ...(row.finished_at && { finished_at: shanghaiTime(row.finished_at) }),
})

const oneRow = (db: Kysely<Database>) => db.selectFrom('backtest_run').selectAll().executeTakeFirstOrThrow()

/** The stored report of a user's own finished run, packed JSON; null when there is none, for whatever reason. */
export async function storedReport(db: Kysely<Database>, userId: string, kind: Kind, runId: string): Promise<Uint8Array | null> {
  const row = await db
    .selectFrom('run_report as f')
    .innerJoin('backtest_run as r', 'r.id', 'f.run_id')
    .select('f.report')
    .where('r.id', '=', runId)
    .where('r.user_id', '=', userId)
    .where('r.kind', '=', kind)
    .where('r.status', '=', runStatus.done)
    .executeTakeFirst()
  return row?.report ?? null
}

/** One day of a user's own finished run; null when the run is not theirs or the day is not one of it. */
export async function storedDay(db: Kysely<Database>, userId: string, kind: Kind, runId: string, date: string): Promise<DayDetail | null> {
  if (!IsoDate.safeParse(date).success) return null
  const row = await db
    .selectFrom('run_days as d')
    .innerJoin('backtest_run as r', 'r.id', 'd.run_id')
    .select('d.days')
    .where('r.id', '=', runId)
    .where('r.user_id', '=', userId)
    .where('r.kind', '=', kind)
    .where('r.status', '=', runStatus.done)
    .where(sql<boolean>`${date}::date between d.first_date and d.last_date`)
    .executeTakeFirst()
  if (!row) return null
  const days = JSON.parse((await unpack(row.days)).toString('utf8')) as DayDetail[]
  return days.find((day) => day.trade_date === date) ?? null
}
