import type { Fill, FillListItem, FillsBody, Heartbeat, HeartbeatAnswer, Page } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { type Kysely, sql } from 'kysely'
import { throwApiError } from '../base/api-error.ts'
import { shanghaiTime } from '../base/time.ts'
import type { AppContext } from '../context/app-context.ts'
import type { StoredClient } from '../db/tables/qmt-json.ts'
import type { Database } from '../db/tables.ts'
import type { KeyHolder } from '../http/caller.ts'
import { type ConfigRow, configOf } from './configs.ts'
import { addBookEvents, addEvents, addUnsureEvents, asksAgain, heartbeatEvents, refusals } from './events.ts'
import { judgeJournal, realRecord } from './journals.ts'
import { fen } from './lots.ts'
import { namesOf } from './names.ts'
import { dropWords, openWords } from './questions.ts'
import { haltReason } from './targets.ts'
import { tradingConfigOf } from './trading-configs.ts'

/**
 * Takes a heartbeat; the holdings of the config are kept for the next dry run. Holdings of a client that trades for real are not replaced
 * by those of one on paper, nor by those of a client whose journal is not the one that counts: that client is halted. The answer carries
 * the user's words.
 * @throws ApiError 40004
 */
export async function acceptHeartbeat(
  { db, now }: Pick<AppContext, 'db' | 'now'>,
  { userId }: KeyHolder,
  heartbeat: Heartbeat,
): Promise<HeartbeatAnswer> {
  const config = (await configOf(db, userId, heartbeat.config_id)) ?? throwApiError(errorCodes.notFound)
  const siteRecord = await realRecord(db, config)
  const verdict = heartbeat.dry_run ? null : judgeJournal(config, heartbeat, siteRecord, now())
  // An old client is halted, and still tells what it holds: the new one reads its journal on.
  const isKept = verdict === null || verdict.halt === '' || (heartbeat.journal === undefined && heartbeat.fresh !== true)
  const isAside =
    heartbeat.dry_run && config.holdings_real && (await tradingConfigOf(db, userId, config.trading_config_id))?.dry_run === false
  const halt_reason = (await haltReason(db, config)) || (verdict?.halt ?? '')
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('qmt_config')
      .set({
        heartbeat_at: sql<Date>`now()`,
        client: JSON.stringify({
          ...clientOf(heartbeat),
          ...(verdict?.halt === '' ? processOf(heartbeat, config.client, now()) : processKept(config.client)),
        }),
        ...(isKept && !isAside && { holdings: JSON.stringify(heartbeat.holdings), holdings_real: !heartbeat.dry_run }),
        ...(verdict && { journal_told: verdict.misfit && JSON.stringify(verdict.misfit) }),
        ...(verdict?.halt === '' && keptJournal(heartbeat)),
      })
      .where('id', '=', config.id)
      .where('user_id', '=', userId)
      .execute()
    if (verdict?.halt === '' && config.journal_word?.use === 'client') await forgetCounts(tx, config)
    if (verdict?.halt === '' && heartbeat.words) await dropWords(tx, config, heartbeat.words)
    // Orders and holdings are stored together: of a halted client neither is stored.
    if (heartbeat.fills?.length && isKept) await takeFills(tx, config, heartbeat.fills)
    if (verdict) await addEvents(tx, config, heartbeatEvents(config, heartbeat, verdict, halt_reason, now()))
    const asks = verdict !== null && asksAgain(now())
    if (heartbeat.fills?.length || asks) await addUnsureEvents(tx, now(), config)
    if (asks) await addBookEvents(tx, now(), config)
  })
  const words = verdict?.halt === '' ? await openWords(db, config) : { settled: [], books: [] }
  const at = now()
  return {
    ...{ halt: halt_reason !== '', halt_reason, server_time: shanghaiTime(at), server_ms: at.getTime() },
    ...words,
    opening: verdict?.opening ?? null,
  }
}

const clientOf = ({ client_version, dry_run, offset_ms, session, note }: Heartbeat): StoredClient => ({
  version: client_version,
  dry_run,
  offset_ms: offset_ms ?? 0,
  session: session ?? 0,
  note: note ?? '',
})

/** The client process that reported, kept for comparison with the next heartbeat. */
function processOf({ journal, fresh, may_order = fresh !== true }: Heartbeat, before: StoredClient | null, at: Date) {
  return { start: journal?.start?.token, planned: may_order ? shanghaiTime(at).slice(0, 10) : before?.planned, may_order }
}
const processKept = (client: StoredClient | null) => ({ start: client?.start, planned: client?.planned, may_order: client?.may_order })

/** The user chose the client's record: what it tells of an order wins over what another journal told, whose lines may count further. */
async function forgetCounts(db: Kysely<Database>, { id, user_id }: Pick<ConfigRow, 'id' | 'user_id'>): Promise<void> {
  await db.updateTable('qmt_fill').set({ seq: 0 }).where('config_id', '=', id).where('user_id', '=', user_id).execute()
}

/** The journal's state, stored when the client's journal is the accepted one. */
const keptJournal = ({ journal, resting, changes }: Heartbeat) => ({
  journal_id: journal!.id,
  journal_n: String(journal!.n),
  journal_word: null,
  resting: JSON.stringify(resting ?? []),
  ...(changes && { book_changes: JSON.stringify(changes) }),
})

/** Stores order reports, one row for each order; of two reports of one order the one with more filled stays. @throws ApiError 40004 */
export async function keepFills(
  { db, now }: Pick<AppContext, 'db' | 'now'>,
  { userId }: KeyHolder,
  { config_id, fills }: FillsBody,
): Promise<{ kept: number }> {
  const config = (await configOf(db, userId, config_id)) ?? throwApiError(errorCodes.notFound)
  return await db.transaction().execute(async (tx) => {
    const kept = await takeFills(tx, config, fills)
    await addUnsureEvents(tx, now(), config)
    return { kept }
  })
}

/** Stores the last report of each order in a call. @returns the number of orders */
async function takeFills(tx: Kysely<Database>, config: ConfigRow, fills: readonly Fill[]): Promise<number> {
  const newest = [...new Map(fills.map((one) => [one.order_id, one])).values()]
  await upsert(tx, config, newest)
  await addEvents(tx, config, refusals(newest))
  return newest.length
}

function upsert(db: Kysely<Database>, { id, user_id }: Pick<ConfigRow, 'id' | 'user_id'>, fills: readonly Fill[]) {
  return db
    .insertInto('qmt_fill')
    .values(
      fills.map(({ limit, seq, proof, ...one }) => ({
        ...one,
        ...{ order_price: limit ?? null, seq: seq ?? null, proof: proof ?? null },
        config_id: id,
        user_id,
        amount: fen(one.filled * (one.price ?? 0)),
        ordered_at: new Date(one.ordered_at),
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['config_id', 'order_id'])
        .doUpdateSet(({ ref }) => ({
          filled: ref('excluded.filled'),
          price: ref('excluded.price'),
          amount: ref('excluded.amount'),
          status: ref('excluded.status'),
          note: ref('excluded.note'),
          order_price: ref('excluded.order_price'),
          seq: ref('excluded.seq'),
          proof: ref('excluded.proof'),
          // Asked again: the word of before was wrong, or positions were late.
          settled_filled: sql<number | null>`case when excluded.status <> 'unsure' or qmt_fill.status in ('open', 'unsure')
            then qmt_fill.settled_filled end`,
          told_at: sql<Date>`now()`,
        }))
        // Of two tellings the later line of the journal counts. A client before 2.0.0 names none: a call of its that was late tells of an
        // order as open that has ended since with as much filled.
        .where(
          sql<boolean>`case when excluded.seq is null then qmt_fill.seq is null
              and (excluded.filled, excluded.status <> 'open') >= (qmt_fill.filled, qmt_fill.status <> 'open')
            else excluded.seq >= coalesce(qmt_fill.seq, 0) end`,
        ),
    )
    .execute()
}

/** Order reports of a config's client, newest first. @throws ApiError 40004 */
export async function listFills(
  db: Kysely<Database>,
  userId: string,
  configId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<Page<FillListItem>> {
  const config = (await configOf(db, userId, configId)) ?? throwApiError(errorCodes.notFound)
  const fills = db.selectFrom('qmt_fill').where('config_id', '=', config.id).where('user_id', '=', userId)
  const [{ total }, rows] = await Promise.all([
    fills.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
    fills.selectAll().orderBy('ordered_at', 'desc').orderBy('order_id').offset(offset).limit(limit).execute(),
  ])
  const names = await namesOf(db, config, [...new Set(rows.map(({ code }) => code))])
  return {
    ...{ total: Number(total), offset, limit },
    list_items: rows.map(
      ({ order_id, trade_date, code, side, volume, filled, price, amount, status, note, dry_run, ordered_at, told_at }) => ({
        ...{ order_id, trade_date, code, side, volume, filled, price, amount, note, dry_run },
        name: names.get(code) ?? '',
        status: status as FillListItem['status'],
        ordered_at: shanghaiTime(ordered_at),
        told_at: shanghaiTime(told_at),
      }),
    ),
  }
}
