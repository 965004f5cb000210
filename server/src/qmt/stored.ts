import { sql } from 'kysely'

/**
 * What becomes of a config once anything is changed that its client trades by: it has to be looked at and exported anew, and what was
 * exported before refuses to trade.
 */
export const outdated = { version: sql<number>`version + 1`, confirmed_at: null, dry_run: null, exported_at: null }
