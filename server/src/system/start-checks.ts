/**
 * What a process asks before it works on a database that DATABASE_URL names, in this order: the database is reached, keeps sessions, has the
 * tables of this program, and was begun with the same secret; the object store can be used. Each failure is one sentence.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../base/start-error.ts'
import type { Config, StoreSettings } from '../config/config.ts'
import { connect, connectProblem, isUnreachable } from '../db/connect.ts'
import { requireSchema } from '../db/schema-version.ts'
import { requireSessions } from '../db/session-probe.ts'
import { type ObjectStore, StoreError, troubleLabels } from '../store/object-store.ts'
import { openStore } from '../store/open-store.ts'
import { probeStore } from '../store/probe.ts'
import { requireSecret } from '../user/secret-check.ts'

type StartConfig = Pick<
  Config,
  'databaseDirectUrl' | 'startWaitSeconds' | 'secretKey' | 'oldSecretKey' | 'dataDir' | 'isSingleMachine' | 'store'
>

const askAgainMs = 1_000

/**
 * For the roles api and worker. The database that a launcher keeps for its children is no pooler and is not probed.
 * @throws StartError
 */
export async function checkStart(config: StartConfig, connectionString: string): Promise<void> {
  const directUrl = config.databaseDirectUrl ?? connectionString
  await untilReached(directUrl, config.startWaitSeconds)
  if (!config.isSingleMachine) await requireSessions(directUrl)
  if (directUrl !== connectionString) await requirePooled(connectionString, directUrl)
  const { db, close } = connect(directUrl, { name: 'convexa-start', max: 1 })
  try {
    await requireSchema(db, config.startWaitSeconds)
    await requireSecret({ db, config })
  } finally {
    await close()
  }
  if (config.store) await requireStore(config.store)
}

/**
 * The object store takes, gives back and removes an object.
 * @throws StartError
 */
export async function requireStore(settings: StoreSettings): Promise<void> {
  let store: ObjectStore | null = null
  try {
    store = await openStore(settings)
    await probeStore(store)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    throw new StartError(`对象存储无法使用（${troubleLabels[error.kind]}）：请检查 STORE_URL 与访问密钥`)
  } finally {
    store?.close()
  }
}

/** The address through a pooler, asked once. @throws StartError */
async function requirePooled(connectionString: string, directUrl: string): Promise<void> {
  const { pool, close } = connect(connectionString, { directUrl, name: 'convexa-start', max: 1 })
  try {
    await pool.query('select 1')
  } catch (error) {
    const problem = connectProblem(error)
    throw problem === null ? error : new StartError(problem)
  } finally {
    await close()
  }
}

/**
 * Waits for a database that is starting or away. Another mistake, as a wrong password, is reported at once.
 * @throws StartError after `waitSeconds`
 */
export async function untilReached(connectionString: string, waitSeconds: number): Promise<void> {
  for (const until = performance.now() + waitSeconds * 1_000; ; ) {
    const { pool, close } = connect(connectionString, { name: 'convexa-start', max: 1 })
    try {
      await pool.query('select 1')
      return
    } catch (error) {
      const problem = connectProblem(error)
      if (problem === null) throw error
      if (!isUnreachable(error) || performance.now() >= until) throw new StartError(problem)
    } finally {
      await close()
    }
    await sleep(Math.min(askAgainMs, Math.max(0, until - performance.now())))
  }
}
