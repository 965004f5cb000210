/**
 * A process to be killed: publishes whole markets and days behind them into the store of STORE_URL, or collects what nothing needs, until it
 * is. Says by messages what it is about. Arguments: `publish` or `collect`, connection string, data directory, milliseconds after which the
 * collector condemns and deletes.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../src/config/config.ts'
import { connect } from '../../src/db/connect.ts'
import { appendDay } from '../../src/market/append-day.ts'
import { newestSnapshot, retain } from '../../src/market/snapshot.ts'
import { condemn, condemned, deleteCondemned } from '../../src/store/catalogue.ts'
import { openSnapshotStore } from '../../src/store/open-snapshot-store.ts'
import { dayOf, tableBefore } from '../fixtures/market/day-of.ts'
import { publishTable } from '../fixtures/market/publish-table.ts'
import { smallTable } from '../fixtures/market/small-table.ts'

const [role = '', url = '', dataDir = '', guard = '0'] = process.argv.slice(2)
const reading = readConfig({ ...process.env, DATA_DIR: dataDir })
if (!reading.ok) throw new Error(reading.problems.join('; '))
const { db } = connect(url, { max: 3, onError: () => {} })
const store = await openSnapshotStore(reading.config, db)
if (!store) throw new Error('STORE_URL is not set')
const say = (what: string) => process.send?.(what)
process.once('disconnect', () => process.exit())

if (role === 'publish') {
  const { objects } = store
  for (const name of ['put', 'get'] as const) {
    const work = objects[name] as (...given: unknown[]) => Promise<unknown>
    Object.assign(objects, {
      async [name](...given: unknown[]) {
        say(name)
        const done = await work(...given)
        say(`after ${name}`)
        return done
      },
    })
  }
}

const table = smallTable('cb', { shift: process.pid })
const [firstDays, mostKept] = [20, 2]

async function publishNext(): Promise<void> {
  say('writing')
  const newest = await newestSnapshot(db, 'cb')
  const next = newest ? table.dates.indexOf(newest.lastDate) + 1 : 0
  if (next === 0 || next >= firstDays + 6) await publishTable({ db, dataDir }, tableBefore(table, firstDays))
  else await appendDay({ db, dataDir }, 'cb', dayOf(table, next))
  say('published')
  await retain(db, dataDir, mostKept)
}

async function collectOnce(): Promise<void> {
  await condemn(db, Number(guard))
  for (const key of await condemned(db, Number(guard)))
    if ((await deleteCondemned(db, key, store!.objects.remove)) === 'deleted') say('deleted')
  await sleep(30)
}

say('ready')
for (;;) {
  // The database or the store is away, or another publisher was first: what is published is whole all the same.
  await (role === 'publish' ? publishNext() : collectOnce()).catch(async (error: Error) => {
    say(`refused ${error.message}`)
    await sleep(50)
  })
}
