import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Report } from '@convexa/contract'
import { expect, test } from 'vitest'
import { claimDataDir } from '../../src/base/data-dir.ts'
import { connect } from '../../src/db/connect.ts'
import { openEmbedded } from '../../src/db/embedded.ts'
import { makeTables } from '../fixtures/make-tables.ts'
import { publishSmallMarket } from '../fixtures/market/small-market.ts'
import { call, newUser, openStream, startApiProcess, startWorkerProcess } from '../fixtures/processes.ts'
import { slowRequest } from '../fixtures/requests.ts'
import { statusOf } from '../fixtures/run-rows.ts'

const range = { start: '2019-01-02', end: '2022-12-30' }

test('kill -9 of PostgreSQL during a run: the run goes on, its result is stored and sent', { timeout: 90_000 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 's3-away-'))
  claimDataDir(dataDir)
  const embedded = await openEmbedded(dataDir, 'server')
  const { db, close } = connect(embedded.connectionString)
  await makeTables(db)
  await publishSmallMarket(db, dataDir, { kind: 'cb', from: range.start, to: range.end, securities: 150 })
  const env = { DATABASE_URL: embedded.connectionString, DATA_DIR: dataDir }
  const [api, worker] = await Promise.all([startApiProcess(env), startWorkerProcess(env, db)])
  const user = await newUser(db)

  const stream = openStream(api, user, '/v1/quant/convertible-bond/advanced-backtest', slowRequest('cb', range))
  const { run_id: id } = await stream.first('stage')
  await sleep(300)
  const pid = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  process.kill(pid, 'SIGKILL')
  const last = await stream.ended
  expect(last).toMatchObject({ kind: 'event', event: { type: 'result', backtest_id: id } })
  expect(await statusOf(db, String(id))).toBe(2)
  const { data } = await call<Report>(api, user, 'GET', `/v1/quant/convertible-bond/backtest/${id}/detail/report`)
  expect(data.curves.dates.at(-1)).toBe(range.end)

  // Presence, queue and news have come back: the next run is computed too.
  const next = openStream(
    api,
    await newUser(db),
    '/v1/quant/convertible-bond/advanced-backtest',
    slowRequest('cb', { ...range, weight: 2 }),
  )
  expect(await next.ended).toMatchObject({ kind: 'event', event: { type: 'result' } })

  await Promise.all([api.stop(), worker.stop()])
  await close()
  await embedded.close()
  rmSync(dataDir, { recursive: true, force: true })
})
