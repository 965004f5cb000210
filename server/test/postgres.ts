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

/** One real PostgreSQL for all test files of the server. Only here fsync is off: nothing in it outlives the tests. */
export async function setup(project: TestProject): Promise<void> {
  Object.assign(process.env, testCode)
  dataDir = mkdtempSync(join(tmpdir(), 'convexa-test-'))
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

export async function teardown(): Promise<void> {
  if (running) await stopPostgres(running)
  rmSync(cluster.privateFolder, { recursive: true, force: true })
  rmSync(dataDir, { recursive: true, force: true })
}
