/**
 * `npm run drill:store [-- --kills 200 --interleavings 5000]`: publications into the object store whose publishers, collector, server and
 * PostgreSQL are killed (−9) at any point, on a real S3 server where one is found (`npm run tools`), else on a folder and on the stand-in;
 * then publishers and collectors in random order on few objects. Exit 1 where a published snapshot lacks a byte.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../src/config/config.ts'
import { connect } from '../../src/db/connect.ts'
import { openStore } from '../../src/store/open-store.ts'
import { readDrillOptions } from '../drills/drill-options.ts'
import { openFigures } from '../fixtures/figures.ts'
import { makeTables } from '../fixtures/make-tables.ts'
import { ownPostgres } from '../fixtures/postgres.ts'
import { fakeKeys, fakeS3 } from '../stand-ins/fake-s3.ts'
import { collectAll, interleave } from './interleavings.ts'
import { type Killed, publishKilled } from './killed-publications.ts'
import { noRealS3, realS3 } from './real-s3.ts'

const given = readDrillOptions({
  kills: { whole: 200, quick: 20 },
  interleavings: { whole: 5_000, quick: 500 },
  seed: { whole: 1, quick: 1 },
})

interface Place {
  readonly name: string
  readonly environment: Readonly<Record<string, string>>
  readonly crash?: () => Promise<void>
  close(): Promise<void>
}

async function places(): Promise<Place[]> {
  const real = await realS3()
  if (real) {
    const crash = async () => {
      await real.kill()
      await real.restart()
    }
    const { environment, close } = real
    return [{ name: 'S3 server', environment, close, ...(real.folder !== null && { crash }) }]
  }
  const folder = await mkdtemp(join(tmpdir(), 'convexa-drill-store-'))
  const fake = await fakeS3()
  return [
    { name: 'folder', environment: { STORE_URL: `file://${folder}` }, close: () => rm(folder, { recursive: true, force: true }) },
    {
      name: 'stand-in of S3',
      environment: {
        STORE_URL: fake.url,
        STORE_ACCESS_KEY_ID: fakeKeys.accessKeyId,
        STORE_SECRET_ACCESS_KEY: fakeKeys.secretAccessKey,
      },
      async crash() {
        await fake.kill()
        await sleep(200)
        await fake.restart()
      },
      close: fake.close,
    },
  ]
}

const figures = openFigures()
const postgres = await ownPostgres()
const admin = connect(postgres.url(), { onError: () => {} })
let made = 0
/** The database outlives its server: connections are made anew. */
async function onTables<T>(work: (url: string, db: ReturnType<typeof connect>['db']) => Promise<T>): Promise<T> {
  const name = `store_${++made}`
  await admin.pool.query(`create database ${name}`)
  const { db, close } = connect(postgres.url(name), { max: 12, onError: () => {} })
  try {
    await makeTables(db)
    return await work(postgres.url(name), db)
  } finally {
    await close()
  }
}

const list = (counts: ReadonlyMap<string, number>) => [...counts].map(([what, count]) => `${what} ${count}`).join(', ') || 'none'

function judge(name: string, done: Killed): void {
  const kills = [...done.kills.values()].reduce((sum, count) => sum + count, 0)
  figures.goal(`${name}: kills −9`, `${kills} (${list(done.kills)})`, `≥ ${given.kills}`, kills >= given.kills)
  figures.fact(`${name}: what publishers were about when they were killed`, list(done.during))
  figures.goal(`${name}: publications beside them`, String(done.published), '> 0', done.published > 0)
  figures.goal(`${name}: objects collected meanwhile`, String(done.collected), '> 0', done.collected > 0)
  figures.fact(`${name}: publications given up`, list(done.refused))
  figures.goal(`${name}: snapshots read back on an empty machine`, String(done.read), '> 0', done.read > 0)
  figures.none(`${name}: published snapshots that are not whole`, done.wrong)
  figures.none(`${name}: objects of published snapshots without their bytes`, done.lost)
  figures.none(`${name}: objects that nothing needs, when all was collected`, done.extra)
}

try {
  const where = await places()
  figures.fact('object stores', where.map(({ name }) => name).join(', '))
  if (where.length > 1) figures.fact('no real S3 server', noRealS3)
  for (const { name, environment, crash, close } of where) {
    const reading = readConfig(environment)
    if (!reading.ok || !reading.config.store) throw new Error(reading.ok ? 'no store' : reading.problems.join('; '))
    const objects = await openStore(reading.config.store)
    const others = { postgres: postgres.crash, ...(crash && { store: crash }) }
    await onTables(async (url, db) =>
      judge(name, await publishKilled({ db, url, environment, objects, others, kills: given.kills, seed: given.seed })),
    )
    objects.close()
    await close()
  }
  await onTables(async (_url, db) => {
    const done = await interleave(db, { publications: given.interleavings, seed: given.seed })
    figures.goal('publications in random order beside collectors', String(done.published), String(given.interleavings), done.stuck === 0)
    figures.none('publications that lacked bytes', done.lost)
    figures.none('statements that failed', done.errors)
    figures.none('objects left when all was collected', await collectAll(db))
  })
} finally {
  await admin.close().catch(() => {})
  await postgres.stop()
}
process.exit(figures.end())
