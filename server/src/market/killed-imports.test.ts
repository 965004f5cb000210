import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { Random } from './demo/random.ts'
import { loadPanel } from './panels.ts'
import { marketFolder, newestSnapshot, snapshotPath, sweep } from './snapshot.ts'

/** `KILLS=200 npx vitest run killed-imports` for the long proof. */
const kills = Number(process.env['KILLS'] ?? 12)

it(`${kills} imports killed at random points leave whole snapshots only`, { timeout: 30_000 + 3_000 * kills }, async () => {
  const database = await testDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'convexa-kills-'))
  const random = new Random(7, 'kills')
  let snapshots = 0
  let leftovers = 0
  for (let kill = 0; kill < kills; kill++) {
    const child = fork(new URL('../../test/publish-forever.ts', import.meta.url), [database.url, dataDir], { execArgv: [] })
    const [said] = await Promise.race([once(child, 'message'), once(child, 'exit')])
    expect(said).toBe('ready')
    await sleep(random.between(0, 250))
    child.kill('SIGKILL')
    await once(child, 'exit')

    const newest = await newestSnapshot(database.db, 'cb')
    if (newest !== null) await expect(loadPanel(snapshotPath(dataDir, newest), null, 'all')).resolves.toBeDefined()
    const published = await database.db.selectFrom('market_snapshot').select('folder').execute()
    snapshots = published.length
    leftovers += (await readdir(marketFolder(dataDir)).catch(() => [])).length - snapshots
  }
  // Every row ever published is whole, and what the dead left behind goes.
  for (const { folder } of await database.db.selectFrom('market_snapshot').select('folder').execute()) {
    await expect(loadPanel(join(marketFolder(dataDir), folder), null, 'all')).resolves.toBeDefined()
  }
  await sweep(database.db, dataDir)
  expect(await readdir(marketFolder(dataDir))).toHaveLength(snapshots)
  expect(snapshots).toBeGreaterThan(0)
  expect(leftovers, 'no kill fell into an import: the test proves nothing').toBeGreaterThan(0)
  await database.drop()
  await rm(dataDir, { recursive: true })
})
