import { type Kysely, type RawBuilder, sql } from 'kysely'
import { unsealFor } from '../base/secret.ts'
import { shanghaiTime } from '../base/time.ts'
import type { AppContext } from '../context/app-context.ts'
import type { Database } from '../db/tables.ts'
import { type Own, ownTables } from './own-tables.ts'

const rowsAtOnce = 200

/**
 * A user's own data as the text of one JSON object, `{exported_at, account: […], …}`, read and written a few rows at a time however much
 * it is.
 */
export async function* exportOf(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  userId: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield `{"exported_at":${JSON.stringify(shanghaiTime(new Date()))}`
  for (const own of ownTables) {
    yield `,${JSON.stringify(own.name)}:[`
    let comma = ''
    for await (const row of rowsOf(db, own, userId)) {
      signal.throwIfAborted()
      yield comma + open(config, own.opened, row)
      comma = ',\n'
    }
    yield ']'
  }
  yield '}'
}

/** The row's text with what was sealed in it opened; PostgreSQL writes bytes as `\\x…`. */
function open(config: AppContext['config'], opened: Own['opened'], row: string): string {
  if (!opened) return row
  const value = JSON.parse(row) as Record<string, unknown>
  for (const [column, use] of Object.entries(opened)) {
    const bytes = Buffer.from(String(value[column]).slice(2), 'hex')
    value[column] = unsealFor(config, use, bytes)
  }
  return JSON.stringify(value)
}

async function* rowsOf(db: Kysely<Database>, { table, owner, columns, opened = {}, order }: Own, userId: string): AsyncGenerator<string> {
  const place = sql.raw(order)
  let after: string | null = null
  for (;;) {
    const some: RawBuilder<{ place: string; row: string }> = sql`
      select (${place})::text as place,
        (select to_jsonb(r)::text from (select ${sql.join([...columns, ...Object.keys(opened)].map((column) => sql.ref(`t.${column}`)))}) r) as row
      from ${sql.table(table)} t
      where ${sql.ref(owner)} = ${userId} ${after === null ? sql`` : sql`and (${place}) > ${after}`}
      order by ${place} limit ${rowsAtOnce}`
    const { rows } = await db.transaction().execute(async (transaction) => {
      // PostgreSQL writes moments in the zone of the session; on the wire they are Shanghai's.
      await sql`set local time zone 'Asia/Shanghai'`.execute(transaction)
      return some.execute(transaction)
    })
    for (const { row } of rows) yield row
    after = rows.at(-1)?.place ?? null
    if (rows.length < rowsAtOnce) return
  }
}
