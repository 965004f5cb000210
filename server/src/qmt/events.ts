import type { AlertBody, AlertKey, Fill, Heartbeat } from '@convexa/contract'
import { type Kysely, sql } from 'kysely'
import { shanghaiTime } from '../base/time.ts'
import type { Database } from '../db/tables.ts'
import { tradingDays } from '../market/calendar.ts'
import { bookAsked } from './asked-books.ts'
import { type ConfigRow, clockSeconds } from './configs.ts'
import type { JournalVerdict } from './journals.ts'

// Events of automatic trading, written in the transaction that makes them true. `dedupe` keeps one of each, however often it is reported.

/** The config that an event is of. */
export interface Owner {
  readonly id: string
  readonly user_id: string
}

export type NewEvent = {
  readonly [Key in AlertKey]: {
    readonly key: Key
    readonly code: string | null
    readonly body: AlertBody<Key>
    /** What makes two of a key and config the same. */
    readonly same: readonly string[]
  }
}[AlertKey]

export async function addEvents(db: Kysely<Database>, { id, user_id }: Owner, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  await db
    .insertInto('alert_event')
    .values(
      events.map(({ key, code, body, same }) => ({
        ...{ user_id, key, scope: 'config', code, ref: id },
        body: JSON.stringify(body),
        dedupe: [key, id, ...same].join(':'),
      })),
    )
    .onConflict((conflict) => conflict.column('dedupe').doNothing())
    .execute()
}

/**
 * What a heartbeat of a client that trades for real makes known: that it is halted, and why, once a day; what is new of its book.
 * @param before the config as the heartbeat before left it
 */
export function heartbeatEvents(
  before: ConfigRow,
  heartbeat: Heartbeat,
  verdict: JournalVerdict,
  haltReason: string,
  now: Date,
): NewEvent[] {
  const today = shanghaiTime(now).slice(0, 10)
  const halted = (state: string, reason: string): NewEvent => ({
    ...{ key: 'client_halted', code: null, body: { reason } },
    same: [today, state],
  })
  const off = Math.abs(heartbeat.offset_ms ?? 0) / 1_000
  const events: NewEvent[] = []
  if (haltReason && !verdict.opening) events.push(halted(verdict.misfit ? `journal ${verdict.misfit.state}` : haltReason, haltReason))
  if (off > clockSeconds) events.push(halted('clock', `客户端电脑的时钟与网站相差 ${(off / 60).toFixed(1)} 分钟，校准前不下单`))
  // The same trouble at another minute is no other.
  if (heartbeat.note) events.push(halted(heartbeat.note.replace(/[\d:.]+/g, ''), heartbeat.note))
  if (verdict.halt) return events
  return [...events, ...bookEvents(before, heartbeat)]
}

/** Changes and rests that the heartbeat before did not tell; what the user said himself is no news to him. */
function bookEvents({ book_changes: changed, resting: rested }: ConfigRow, { changes = [], resting = [] }: Heartbeat): NewEvent[] {
  const toldBefore = new Set([...(changed ?? []), ...(rested ?? [])].map(nameOf))
  return [
    ...changes.filter((one) => !toldBefore.has(nameOf(one))).flatMap(changeEvent),
    ...resting.filter((one) => !toldBefore.has(nameOf(one))).flatMap(restEvent),
  ]
}

type Change = NonNullable<Heartbeat['changes']>[number]
type Rest = NonNullable<Heartbeat['resting']>[number]

const nameOf = (one: Change | Rest): string =>
  'date' in one ? [one.code, one.date, one.why, one.before, one.after].join(':') : [one.code, one.since, one.why].join(':')

function changeEvent({ code, date, why, before, after }: Change): NewEvent[] {
  if (why === 'user' || why === 'opening') return []
  return [{ key: 'book_changed', code, body: { date, why, before, after }, same: [code, date, why, String(before), String(after)] }]
}

/** A question about an order is an event of its own; an event that is still to come is no news before it is late. */
function restEvent({ code, since, why }: Rest): NewEvent[] {
  if (why === 'order' || why === 'event') return []
  return [{ key: 'book_changed', code, body: { date: since, why, before: null, after: null }, same: [code, since, why] }]
}

/** The first refusal of a security and side on a day. */
export const refusals = (fills: readonly Fill[]): NewEvent[] =>
  fills
    .filter(({ status, dry_run }) => status === 'rejected' && !dry_run)
    .map(({ order_id, trade_date, code, side, volume, note }) => ({
      ...{ key: 'order_refused', code, body: { order_id, side, volume, words: note } },
      same: [trade_date, code, side],
    }))

/** From when on a trading day asks anew, HH:MM of Shanghai. */
const morning = '08:30'

/** Whether what had no answer by yesterday is asked again: on a trading day, from its morning on. */
export function asksAgain(now: Date): boolean {
  const at = shanghaiTime(now)
  const today = at.slice(0, 10)
  return at.slice(11, 16) >= morning && tradingDays(today, today).length > 0
}

/**
 * Tells of orders that are in question and have no word yet, each once a day.
 * @param config of this config alone; else of all
 */
export async function addUnsureEvents(db: Kysely<Database>, now: Date, config?: Owner): Promise<void> {
  const today = shanghaiTime(now).slice(0, 10)
  await sql`
    insert into alert_event (user_id, key, scope, code, ref, body, dedupe)
    select f.user_id, 'order_unsure', 'config', f.code, f.config_id,
      jsonb_build_object('order_id', f.order_id, 'trade_date', f.trade_date::text, 'side', f.side, 'volume', f.volume),
      'order_unsure:' || f.config_id || ':' || f.order_id || ':' || ${today}::text
    from qmt_fill f
    where not f.dry_run and f.settled_filled is null and (f.status = 'unsure' or (f.status = 'open' and f.trade_date < ${today}))
      and ${config ? sql`f.config_id = ${config.id} and f.user_id = ${config.user_id}` : sql`true`}
    on conflict (dedupe) do nothing`.execute(db)
}

/**
 * Tells of books that are in question since an earlier day and have no word yet, each once a day.
 * @param config of this config alone; else of all
 */
export async function addBookEvents(db: Kysely<Database>, now: Date, config?: Owner): Promise<void> {
  const today = shanghaiTime(now).slice(0, 10)
  await sql`
    insert into alert_event (user_id, key, scope, code, ref, body, dedupe)
    select c.user_id, 'book_changed', 'config', r ->> 'code', c.id,
      jsonb_build_object('date', r ->> 'since', 'why', r ->> 'why', 'asked', true, 'before', null, 'after', null),
      concat_ws(':', 'book_changed', c.id, r ->> 'code', r ->> 'since', r ->> 'why', ${today}::text)
    from qmt_config c cross join jsonb_array_elements(coalesce(c.resting, '[]')) r
    where c.holdings_real and r ->> 'since' < ${today} and ${bookAsked(now)}
      and not exists (select from qmt_book_word w where w.config_id = c.id and w.user_id = c.user_id and w.code = r ->> 'code')
      and ${config ? sql`c.id = ${config.id} and c.user_id = ${config.user_id}` : sql`true`}
    on conflict (dedupe) do nothing`.execute(db)
}

const keptDays = 400

/** Each hour, by one worker: users whose client is off are asked too, and events of last year go. */
export async function sweepEvents(db: Kysely<Database>, now = new Date()): Promise<void> {
  if (asksAgain(now)) {
    await addUnsureEvents(db, now)
    await addBookEvents(db, now)
  }
  await sql`delete from alert_event where at < now() - make_interval(days => ${keptDays})`.execute(db)
}
