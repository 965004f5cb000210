import type { Generated, JSONColumnType } from 'kysely'

/** One-time events that are reported to their user. */
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
