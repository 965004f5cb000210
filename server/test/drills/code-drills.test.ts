import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AccountSite, accountSite } from '../fixtures/account-site.ts'
import { spendAtOnce, timeCodes } from './code-drills.ts'

// Small; `npm run drill:codes` is the whole.
let site: AccountSite
beforeAll(async () => {
  site = await accountSite()
})
beforeEach(() => site.empty())
afterAll(() => site.close())

test('of fifty concurrent uses of a code one succeeds', async () => {
  expect(await spendAtOnce(site.context, 2, 50)).toMatchObject({ successes: 2, wrong: 0 })
})

test('the time of an answer does not show whether an account exists', async () => {
  for (const timing of await timeCodes(site.context, site.app, 12)) expect(timing.differ, timing.path).toBeLessThan(timing.allowed)
})
