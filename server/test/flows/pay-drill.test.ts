import { afterAll, beforeAll, expect, test } from 'vitest'
import { drillWords, payDrill, shuffled } from '../pay-drill.ts'
import { type DrillSite, drillSite } from '../pay-drill-site.ts'

// G1, G2, G11 and G22, a small share of them; `npm run chaos:pay` does a thousand.

let site: DrillSite

beforeAll(async () => {
  site = await drillSite()
})
afterAll(() => site.close())

test('50 × SIGKILL of api, worker and PostgreSQL, and a few ends and restarts, while sixteen clients buy: nothing is lost or counts twice', {
  timeout: 600_000,
}, async () => {
  const ended = { 'api told': 2, 'worker told': 1, 'postgres restarted': 1 } as const
  const seen = await payDrill({ ...site, deaths: shuffled({ api: 12, worker: 34, postgres: 4, ...ended }, 1) })
  console.info(drillWords(seen))
  expect(seen).toMatchObject({ lost: [], wrong: [], wrongDays: 0 })
  for (const some of [seen.granted, seen.refunded, seen.strategies]) expect(some).toBeGreaterThan(0)
})
