import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AccountSite, accountSite } from '../account-site.ts'
import { spendAtOnce, timeCodes } from '../code-drills.ts'

// Small; `npm run drill:codes` is the whole.
let site: AccountSite
beforeAll(async () => {
  site = await accountSite()
})
beforeEach(() => site.empty())
afterAll(() => site.close())

test('two codes, each shown by fifty at once: one success each', async () => {
  expect(await spendAtOnce(site.context, 2, 50)).toMatchObject({ successes: 2, wrong: 0 })
})

test('who has an account is not told by the time that an answer takes', async () => {
  for (const timing of await timeCodes(site.context, site.app, 12)) expect(timing.differ, timing.path).toBeLessThan(timing.allowed)
})
