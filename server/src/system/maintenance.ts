import { errorCodes } from '@convexa/contract/enums/error-code'
import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { ApiError, apiError } from '../base/api-error.ts'
import { audit } from '../db/audit.ts'
import type { Database } from '../db/tables.ts'
import { answeredAlways } from '../http/admission.ts'

/** The operator's switch. `until` is announced to visitors; only the operator ends it. */
export interface Maintenance {
  readonly on: boolean
  readonly until: Date | null
}

/** Every call of ours is below one of these; pages and files are not. */
const calls = /^\/(v1|user)(\/|$)/
const lookEveryMs = 400
/** Time after which clients ask again when no end is known, or it has passed. */
const usualWaitSeconds = 60

export async function readMaintenance(db: Kysely<Database>): Promise<Maintenance> {
  const row = await db.selectFrom('maintenance').select(['is_on', 'until']).executeTakeFirst()
  return { on: row?.is_on ?? false, until: row?.until ?? null }
}

/** Turns the switch and writes down who did. */
export async function setMaintenance(db: Kysely<Database>, next: Maintenance): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select from maintenance for update`.execute(tx)
    const before = await readMaintenance(tx)
    await tx.updateTable('maintenance').set({ is_on: next.on, until: next.until }).execute()
    await audit(tx, { actor: 'operator', action: `maintenance.${next.on ? 'on' : 'off'}`, before: { ...before }, after: { ...next } })
  })
}

/**
 * Refuses every call while the switch is on (503, 50303). Each api looks at the database's row a few times a second by itself: a lost
 * message cannot leave one of many open. While the database is away the last known state holds.
 */
export function refuseInMaintenance(app: FastifyInstance, db: Kysely<Database>): void {
  let known: Maintenance = { on: false, until: null }
  let looking = false
  const look = async () => {
    if (looking) return
    looking = true
    known = await readMaintenance(db).catch(() => known)
    looking = false
  }
  let timer: NodeJS.Timeout | undefined
  app.addHook('onReady', async () => {
    timer = setInterval(look, lookEveryMs)
    timer.unref()
    // Not waited for: a database that hangs keeps no api from coming up.
    void look()
  })
  app.addHook('onClose', async () => clearInterval(timer))
  app.addHook('onRequest', async (request) => {
    if (!known.on) return
    // The route that was found: a path can be spelled in many ways. Without one, what was asked for.
    const path = request.routeOptions.url ?? request.url.split('?', 1)[0] ?? ''
    if (!calls.test(path) || answeredAlways.has(`${request.method} ${path}`)) return
    const seconds = known.until ? Math.ceil((known.until.getTime() - Date.now()) / 1_000) : 0
    const refusal = apiError(errorCodes.maintenance)
    throw new ApiError(errorCodes.maintenance, refusal.message, {
      retryAfterSeconds: seconds > 0 ? Math.min(seconds, 3_600) : usualWaitSeconds,
    })
  })
}
