/** Publishers and a collector on one store, killed (−9) at any point, the store's server and PostgreSQL too where they can be. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { isDatabaseAway } from '../../src/base/api-error.ts'
import type { Database } from '../../src/db/tables.ts'
import { damageOf } from '../../src/market/damage.ts'
import { condemn, condemned, deleteCondemned } from '../../src/store/catalogue.ts'
import { type ObjectStore, StoreError } from '../../src/store/object-store.ts'
import { readVerified } from '../../src/store/read-object.ts'
import { snapshotStore } from '../../src/store/snapshot-store.ts'
import { hashOf } from '../../src/store/store-manifest.ts'
import { testCode } from '../fixtures/code.ts'
import { generator } from '../fixtures/generator.ts'

type Victim = 'publisher' | 'collector' | 'store' | 'postgres'

interface Story {
  readonly db: Kysely<Database>
  readonly url: string
  /** `STORE_URL` and its keys. */
  readonly environment: Readonly<Record<string, string>>
  /** The same store, for who looks. */
  readonly objects: ObjectStore
  readonly kills: number
  readonly seed: number
  /** Kills what is no process of ours and has it come back; a stand-in has its next answers fail instead. */
  readonly others: Partial<Record<'store' | 'postgres', () => Promise<void>>>
}

export interface Killed {
  readonly kills: Map<Victim, number>
  /** What publishers were about when they were killed. */
  readonly during: Map<string, number>
  readonly published: number
  /** Objects that were deleted while publishers worked. */
  readonly collected: number
  /** Publications that were given up since the store, PostgreSQL or another publisher was in the way. */
  readonly refused: Map<string, number>
  /** Published snapshots that were read back on a machine that had nothing. */
  readonly read: number
  /** Published snapshots that could not be read back, with the reason. */
  readonly wrong: string[]
  /** Objects that a published snapshot needs and that are not there, or not with their bytes. */
  readonly lost: string[]
  /** Objects that are left in the store when all was collected, and that nothing needs. */
  readonly extra: string[]
}

const program = new URL('./store-forever.ts', import.meta.url)
/** So long after their last use the collector takes objects: far shorter than a day, so that it meets publishers. */
const guardMs = 700
const publishers = 2
/** What publishers say that they are about. */
const steps = ['writing', 'put', 'after put', 'get', 'after get', 'published']

export async function publishKilled(story: Story): Promise<Killed> {
  const { db, objects } = story
  const random = generator(story.seed)
  const root = await mkdtemp(join(tmpdir(), 'convexa-killed-'))
  const kills = new Map<Victim, number>()
  const during = new Map<string, number>()
  const refused = new Map<string, number>()
  const found = { wrong: [] as string[], lost: [] as string[], read: 0 }
  let [published, collected] = [0, 0]
  const doing = new Map<ChildProcess, string>()

  const start = async (role: 'publish' | 'collect', machine: string): Promise<ChildProcess> => {
    const child = fork(program, [role, story.url, join(root, machine), String(guardMs)], {
      execArgv: [],
      env: { ...process.env, ...testCode, ...story.environment },
    })
    child.on('message', (said: string) => {
      doing.set(child, said)
      if (said === 'published') published++
      if (said === 'deleted') collected++
      if (said.startsWith('refused')) add(refused, said.slice(8, 68))
    })
    const [first] = await Promise.race([once(child, 'message'), once(child, 'exit')])
    if (typeof first !== 'string') throw new Error('a publisher did not start')
    return child
  }
  const end = async (child: ChildProcess): Promise<string> => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    return doing.get(child) ?? ''
  }

  const about = async (child: ChildProcess, step: string): Promise<void> => {
    for (let waited = 0; doing.get(child) !== step && waited < 1_000; waited += 2) await sleep(2)
    await sleep(random() * 4)
  }

  const children = [
    ...(await Promise.all(Array.from({ length: publishers }, (_, i) => start('publish', `machine-${i}`)))),
    await start('collect', 'collector'),
  ]
  try {
    for (let kill = 0; kill < story.kills; kill++) {
      await sleep(20 + random() * 500)
      const victim = victimOf(random(), story.others)
      add(kills, victim)
      if (victim === 'store' || victim === 'postgres') await story.others[victim]!()
      else {
        const at = victim === 'publisher' ? Math.floor(random() * publishers) : publishers
        // Every step is met as often as any other, though most of the time is spent with waiting for the lock of publications.
        if (victim === 'publisher') await about(children[at]!, steps[Math.floor(random() * steps.length)]!)
        const was = await end(children[at]!)
        if (victim === 'publisher') add(during, was.split(' refused')[0]!.slice(0, 20))
        children[at] = await (victim === 'publisher' ? start('publish', `machine-${at}`) : start('collect', 'collector'))
      }
      if (kill % 5 === 4) await look(story, join(root, 'reader'), found)
    }
    // What was begun may come to its end.
    await sleep(500)
  } finally {
    await Promise.all(children.map(end))
  }
  await look(story, join(root, 'reader'), found)
  await collectAll(db, objects)
  await look(story, join(root, 'last'), found)
  const extra = await extraIn(db, objects)
  await rm(root, { recursive: true, force: true })
  return { kills, during, refused, published, collected, ...found, extra }
}

function victimOf(chance: number, others: Story['others']): Victim {
  if (chance < 0.1 && others.store) return 'store'
  if (chance > 0.95 && others.postgres) return 'postgres'
  return chance < 0.3 ? 'collector' : 'publisher'
}

/** Reads every published snapshot on a machine that has nothing: each object by its SHA-256, then the files that they make. */
async function look(
  { db, objects }: Story,
  machine: string,
  found: { read: number; readonly wrong: string[]; readonly lost: string[] },
): Promise<void> {
  const store = snapshotStore({ db, objects, marketFolder: join(machine, 'market') })
  const rows = await again(() => db.selectFrom('market_snapshot').select(['id', 'folder', 'manifest_sha256']).execute())
  for (const { id, folder, manifest_sha256 } of rows) {
    const faults: string[] = []
    const keys = await again(() => db.selectFrom('snapshot_object').select('key').where('snapshot_id', '=', id).execute())
    for (const { key } of keys) {
      const bytes = await again(() => readVerified(objects, key, hashOf(key))).catch((error: Error) => error.message)
      if (bytes === null || typeof bytes === 'string') faults.push(`${folder}: ${key} ${bytes ?? 'not there'}`)
    }
    const damage = await again(() => store.ensureLocal(folder))
      .then((path) => damageOf(path, manifest_sha256))
      .catch((error: Error) => error.message)
    // Publishers go on meanwhile: one that was retained away is none any more.
    const stays = await again(() => db.selectFrom('market_snapshot').select('id').where('id', '=', id).executeTakeFirst())
    if (!stays) continue
    found.read++
    found.lost.push(...faults)
    if (damage !== null) found.wrong.push(`${folder}: ${damage}`)
  }
  await rm(machine, { recursive: true, force: true })
}

/** What may be away for a moment is asked again. */
async function again<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      const isAway = isDatabaseAway(error) || (error instanceof StoreError && error.kind === 'unreachable')
      if (!isAway || tries >= 50) throw error
      await sleep(100)
    }
  }
}

/** As the collector does after years: whatever nothing needs goes. */
async function collectAll(db: Kysely<Database>, objects: ObjectStore): Promise<void> {
  await again(() => condemn(db, 0))
  for (const key of await again(() => condemned(db, 0))) await again(() => deleteCondemned(db, key, objects.remove))
}

async function extraIn(db: Kysely<Database>, objects: ObjectStore): Promise<string[]> {
  const rows = await sql<{ key: string }>`
    select key from snapshot_object union select store_key from market_snapshot where store_key is not null`.execute(db)
  const needed = new Set(rows.rows.map(({ key }) => key))
  const extra: string[] = []
  for await (const { key } of objects.list('o/')) if (!needed.has(key)) extra.push(key)
  return extra
}

const add = <K>(counts: Map<K, number>, key: K) => counts.set(key, (counts.get(key) ?? 0) + 1)
