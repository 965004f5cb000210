import type { FillListItem, FillsBody, Heartbeat, Page } from '@convexa/contract'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/tables.ts'
import { fail } from '../http/fail.ts'
import { shanghaiTime } from '../time.ts'
import type { World } from '../world.ts'
import type { KeyHolder } from './api-keys.ts'
import { type ConfigRow, configOf } from './configs.ts'
import { fen } from './lots.ts'
import { haltReason } from './targets.ts'
import { tradingConfigOf } from './trading-configs.ts'

/**
 * The client lives; what it holds of a config is kept for the next dry run. What one told that trades for real is not taken back by one on
 * paper, nor by one that was started without its journal: that one is halted.
 * @throws Failure 40004
 */
export async function hearHeartbeat({ db, now }: Pick<World, 'db' | 'now'>, { userId }: KeyHolder, told: Heartbeat) {
  const config = (await configOf(db, userId, told.config_id)) ?? fail(40004)
  const known = config.holdings_real ? (config.holdings ?? []).filter(({ volume }) => volume > 0) : null
  const toldOf = new Map(told.holdings.map(({ code, volume }) => [code, volume]))
  const forgotten = (known ?? []).filter(({ code, volume }) => volume > (toldOf.get(code) ?? 0)).length
  const isLost = told.fresh === true && !told.dry_run && forgotten > 0
  const isAside = told.dry_run && known !== null && (await tradingConfigOf(db, userId, config.trading_config_id))?.dry_run === false
  await db
    .updateTable('qmt_config')
    .set({
      heartbeat_at: sql<Date>`now()`,
      ...(!isLost && !isAside && { holdings: JSON.stringify(told.holdings), holdings_real: !told.dry_run }),
    })
    .where('id', '=', config.id)
    .where('user_id', '=', userId)
    .execute()
  const halt_reason = (await haltReason(db, config)) || (isLost ? lostJournal(forgotten) : '')
  return { halt: halt_reason !== '', halt_reason, server_time: shanghaiTime(now()) }
}

const lostJournal = (securities: number): string =>
  `这个目录里没有本配置以前的委托记录，而网站记得它持有的 ${securities} 只证券不在其中，继续会重复买入。请把原目录里的 journal-live.jsonl 复制过来再启动；确要从空仓开始，请新建一个运行配置`

/** Keeps what became of orders. One told again is the same row; of two tellings the one that knows of more stays. @throws Failure 40004 */
export async function keepFills(db: Kysely<Database>, { userId }: KeyHolder, { config_id, fills }: FillsBody): Promise<{ kept: number }> {
  const config = (await configOf(db, userId, config_id)) ?? fail(40004)
  // Of one order told twice in a call the last counts.
  const newest = [...new Map(fills.map((one) => [one.order_id, one])).values()]
  await db
    .insertInto('qmt_fill')
    .values(
      newest.map((one) => ({
        ...one,
        config_id: config.id,
        user_id: userId,
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
          told_at: sql<Date>`now()`,
        }))
        // A call that was late tells of an order as open that has ended since with as much filled.
        .where(sql<boolean>`(excluded.filled, excluded.status <> 'open') >= (qmt_fill.filled, qmt_fill.status <> 'open')`),
    )
    .execute()
  return { kept: newest.length }
}

/** What a config's client told, the newest first. @throws Failure 40004 */
export async function listFills(
  db: Kysely<Database>,
  userId: string,
  configId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<Page<FillListItem>> {
  const config = (await configOf(db, userId, configId)) ?? fail(40004)
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

/** What the newest targets of a config called its securities. */
async function namesOf(db: Kysely<Database>, { id, user_id }: ConfigRow, codes: readonly string[]): Promise<Map<string, string>> {
  if (codes.length === 0) return new Map()
  const { rows } = await sql<{ code: string; name: string }>`
    select distinct on (item->>'code') item->>'code' as code, item->>'name' as name
    from qmt_targets t, jsonb_array_elements(t.body->'items') item
    where t.config_id = ${id} and t.user_id = ${user_id} and item->>'code' = any(${[...codes]})
    order by item->>'code', t.trade_date desc`.execute(db)
  return new Map(rows.map(({ code, name }) => [code, name]))
}
