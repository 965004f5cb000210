import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { connect } from '../src/db/connect.ts'
import { migrate } from '../src/db/migrate.ts'
import {
  type Cluster,
  clusterOf,
  connectionStringOf,
  ensureCluster,
  type Running,
  startPostgres,
  stopPostgres,
} from '../src/db/postgres.ts'
import { prepareQueue } from '../src/queue/queue.ts'
import { testCode } from './code.ts'
import { judgeStatements } from './statements.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: Running
  }
}

/** Of the migrated database that every test database is copied from. */
export const template = 'convexa_template'

let dataDir: string
let cluster: Cluster
let running: Running | null

/**
 * One real PostgreSQL for all test files of the server. Only here fsync is off: nothing in it outlives the tests.
 * @public called by Vitest
 */
export async function setup(project: TestProject): Promise<void> {
  dataDir = mkdtempSync(join(tmpdir(), 'convexa-test-'))
  const statements = join(dataDir, 'statements')
  mkdirSync(statements)
  Object.assign(process.env, testCode, { RECORD_STATEMENTS: statements })
  mkdirSync(dataDir, { recursive: true })
  cluster = clusterOf(dataDir)
  await ensureCluster(cluster)
  running = await startPostgres(cluster, ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'max_connections=400'])
  if (!running) throw new Error('the tests could not start their PostgreSQL')
  const admin = connect(connectionStringOf(running, 'postgres'))
  await admin.pool.query(`create database ${template}`)
  await admin.close()
  const store = connect(connectionStringOf(running, template))
  await migrate(store.db)
  await store.close()
  await prepareQueue(connectionStringOf(running, template))
  project.provide('postgres', running)
}

/** @public called by Vitest */
export async function teardown(): Promise<void> {
  const unnamed = running ? await judged(running) : []
  if (running) await stopPostgres(running)
  rmSync(cluster.privateFolder, { recursive: true, force: true })
  rmSync(dataDir, { recursive: true, force: true })
  if (unnamed.length > 0)
    throw new Error(`statements on rows of users that name no user (server/test/statements.ts):\n${unnamed.join('\n')}`)
}

/** The second wall behind authorization in the query: what the product sent to all databases of this run. */
async function judged(postgres: Running): Promise<string[]> {
  const { db, close } = connect(connectionStringOf(postgres, template))
  const unnamed = await judgeStatements(join(dataDir, 'statements'), db)
  await close()
  return unnamed
}
