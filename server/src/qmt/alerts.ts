import { type AlertBody, type AlertItem, type AlertKey, alertBodies, alertWords, type Page } from '@convexa/contract'
import { type Kysely, sql } from 'kysely'
import { shanghaiTime } from '../base/time.ts'
import type { Database } from '../db/tables.ts'
import { configsOf } from './configs.ts'
import { namesOf } from './names.ts'

/** A user's alerts, the newest first; those of a config that is gone are not shown. */
export async function listAlerts(
  db: Kysely<Database>,
  userId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<Page<AlertItem> & { unread: number }> {
  const own = db
    .selectFrom('alert_event as e')
    .innerJoin('qmt_config as c', (join) => join.onRef('c.id', '=', 'e.ref').onRef('c.user_id', '=', 'e.user_id'))
    .where('e.user_id', '=', userId)
  const [{ total, unread }, rows, configs] = await Promise.all([
    own
      .select(({ fn }) => [fn.countAll<string>().as('total'), sql<string>`count(*) filter (where e.read_at is null)`.as('unread')])
      .executeTakeFirstOrThrow(),
    own
      .select(['e.id', 'e.key', 'e.code', 'e.ref', 'e.body', 'e.at', 'e.read_at'])
      .orderBy('e.id', 'desc')
      .offset(offset)
      .limit(limit)
      .execute(),
    configsOf(db, userId),
  ])
  const byId = new Map(configs.map((config) => [config.id, config]))
  const names = new Map(
    await Promise.all(
      [...new Set(rows.map(({ ref }) => ref!))].flatMap((id) => {
        const config = byId.get(id)
        const codes = rows.flatMap((row) => (row.ref === id && row.code ? [row.code] : []))
        return config ? [namesOf(db, config, [...new Set(codes)]).then((found) => [id, found] as const)] : []
      }),
    ),
  )
  const items = rows.flatMap(({ id, key, code, ref, body, at, read_at }): AlertItem[] => {
    const config = byId.get(ref!)
    if (!config || !isKey(key)) return []
    const about = { config: config.name, kind: config.kind, name: code === null ? '' : names.get(ref!)?.get(code) || code }
    const words = alertWords(key, body as AlertBody<typeof key>, about)
    return [{ id: Number(id), key, ...words, url: '/qmt/config', at: shanghaiTime(at), read: read_at !== null }]
  })
  return { total: Number(total), unread: Number(unread), offset, limit, list_items: items }
}

const isKey = (key: string): key is AlertKey => key in alertBodies

/** Alerts up to one, that one too, are read. */
export async function readAlerts(db: Kysely<Database>, userId: string, upTo: number): Promise<void> {
  await db
    .updateTable('alert_event')
    .set({ read_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('id', '<=', String(upTo))
    .where('read_at', 'is', null)
    .execute()
}
