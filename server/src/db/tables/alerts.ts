import type { Generated, JSONColumnType } from 'kysely'

/** What happened once and a user is told of. */
export interface AlertTables {
  alert_event: {
    id: Generated<string>
    user_id: string
    key: string
    scope: string
    code: string | null
    ref: string | null
    body: JSONColumnType<object>
    dedupe: string
    at: Generated<Date>
    read_at: Date | null
  }
}
