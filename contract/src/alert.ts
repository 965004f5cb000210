import { z } from 'zod'
import { bookDoubts } from './book-doubt.ts'
import { callTable } from './call-table.ts'
import { endpoint } from './endpoint.ts'
import { page, pageQuery } from './envelope.ts'
import { num } from './scalars.ts'

// Events of automatic trading that make an alert for the user, each one once. alert-text.ts words them.

const side = z.enum(['buy', 'sell'])

/** What an event says besides its key and its security. */
export const alertBodies = {
  /** Whether an order was filled is not known: the user is asked, on each trading day anew. */
  order_unsure: z.object({ order_id: z.string(), trade_date: z.string(), side, volume: z.int() }),
  /** The first refusal of a security and side on a day. */
  order_refused: z.object({ order_id: z.string(), side, volume: z.int(), words: z.string() }),
  /** A change of the book that no order made, or a security that rests since its book is in doubt; `asked`: the user is asked, on each morning anew. */
  book_changed: z.object({
    date: z.string(),
    why: z.enum(['follow', 'cut', 'back', ...bookDoubts]),
    asked: z.boolean().optional(),
    before: num,
    after: num,
  }),
  /** A heartbeat of a client that trades for real was answered `halt`, or its clock is off. */
  client_halted: z.object({ reason: z.string() }),
}
const AlertKey = z.keyof(z.object(alertBodies))
export type AlertKey = z.output<typeof AlertKey>
export type AlertBody<Key extends AlertKey> = z.output<(typeof alertBodies)[Key]>

const AlertItem = z.object({
  id: z.int(),
  key: AlertKey,
  title: z.string(),
  text: z.string(),
  /** Path on the site where it is looked into. */
  url: z.string(),
  at: z.string(),
  read: z.boolean(),
})
export type AlertItem = z.output<typeof AlertItem>

const calls = callTable.alerts

export const alerts = {
  list: endpoint(calls.list, {
    summary: '提醒列表',
    query: pageQuery,
    data: z.object({ ...page(AlertItem).shape, unread: z.int() }),
  }),
  read: endpoint(calls.read, {
    summary: '把到这一条为止的提醒标为已读',
    body: z.strictObject({ up_to: z.int().min(0) }),
    data: z.object({}),
  }),
}
