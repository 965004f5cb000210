import { afterAll, beforeAll, expect, test } from 'vitest'
import { drillWords, payDrill, shuffled } from './pay-drill.ts'
import { type DrillSite, drillSite } from './pay-drill-site.ts'

// G1, G2, G11 and G22: each kind of death once or a few times; `npm run chaos:pay` is the long proof, with more than a thousand.

let site: DrillSite

beforeAll(async () => {
  site = await drillSite()
})
afterAll(() => site.close())

test('SIGKILL, SIGTERM and restarts of api, worker and PostgreSQL while sixteen clients buy: nothing is lost or counts twice', {
  timeout: 600_000,
}, async () => {
  const ended = { 'api told': 1, 'worker told': 1, 'postgres restarted': 1 } as const
  const isEnough = async () => (await site.db.selectFrom('payment').select('effect').distinct().execute()).length === 2
  const seen = await payDrill({ ...site, isEnough, deaths: shuffled({ api: 1, worker: 2, postgres: 1, ...ended }, 1) })
  console.info(drillWords(seen))
  expect(seen).toMatchObject({ lost: [], wrong: [], wrongDays: 0 })
  for (const some of [seen.granted, seen.refunded, seen.strategies]) expect(some).toBeGreaterThan(0)
})
