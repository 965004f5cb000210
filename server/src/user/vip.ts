import { sql } from 'kysely'

/** A user's level that holds now, by the database's clock; `user` is the name of `app_user` in the query. No end: it holds for good. */
export const vipNow = (user: string) =>
  sql<number>`case when ${sql.ref(`${user}.vip_until`)} <= now() then 0 else ${sql.ref(`${user}.vip_level`)} end`
