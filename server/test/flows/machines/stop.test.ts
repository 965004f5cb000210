import { expect, test } from 'vitest'
import { call, newUser, openStream, startWorkerProcess } from '../../fixtures/processes.ts'
import { request, slowRequest } from '../../fixtures/requests.ts'
import { statusOf } from '../../fixtures/run-rows.ts'
import { testSite } from '../../fixtures/site.ts'

// What a stop looks like (operations: 8.2), of a worker and then of an api, as real processes with a grace.

const range = { start: '2020-06-01', end: '2022-12-30' }
const path = '/v1/quant/convertible-bond/advanced-backtest'
const grace = { DRAIN_SECONDS: '4', STREAM_GRACE_SECONDS: '120' }
const site = await testSite({
  markets: [{ kind: 'cb', from: range.start, to: range.end, securities: 100 }],
  ...{ api: grace, worker: grace },
})

test('a worker ends what it has begun and takes nothing more; an api says that it stops, ends its streams and answers all', async () => {
  const { api, worker, database } = site
  const { db } = database
  const [first, second] = [await newUser(db), await newUser(db)]
  const begun = openStream(api, first, path, slowRequest('cb', range))
  await begun.first('stage')
  const workerStopped = worker.stop()
  await expect
    .poll(async () => (await db.selectFrom('process').select('reason').where('id', '=', worker.processId).executeTakeFirst())?.reason)
    .toBe('stopping')
  const later = openStream(api, second, path, request('cb', { ...range, hold: 7 }))
  const { run_id: laterId } = await later.first('queued')
  expect(await begun.ended).toMatchObject({ kind: 'event', event: { type: 'result' } })
  await workerStopped
  expect(worker.end()).toEqual({ code: 0, signal: null })
  expect(await statusOf(db, String(laterId))).toBe(0)

  const next = await startWorkerProcess({ DATABASE_URL: database.url, DATA_DIR: site.dataDir }, db)
  try {
    expect(await later.ended).toMatchObject({ kind: 'event', event: { type: 'result' } })
    const underWay = openStream(api, first, path, slowRequest('cb', { ...range, weight: 2 }))
    await underWay.first('stage')
    const apiStopped = api.stop()
    const readiness = async () => (await fetch(`${api.address}/readyz`).then((answer) => answer.json())) as { data: { reasons: string[] } }
    await expect.poll(async () => (await readiness()).data.reasons).toEqual(['stopping'])
    const refused = await openStream(api, second, path, request('cb', { ...range, hold: 8 })).ended.catch((error: Error) => error)
    expect(JSON.stringify(refused instanceof Error ? refused.message : refused)).toContain('23022')
    expect(await call(api, second, 'GET', '/v1/quant/backtest/list')).toMatchObject({ status: 200, code: 0 })
    expect(await underWay.ended).toMatchObject({ kind: 'event', event: { type: 'result' } })
    await apiStopped
    expect(api.end()).toEqual({ code: 0, signal: null })
  } finally {
    await next.stop()
  }
})
