// Every screen that is kept in pictures (`npm run screenshots`), asked by axe in the light and in the dark; and that each says below
// what it shows that no result is a promise.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { comeLoggedIn, makeAccount, password } from '../src/accounts.ts'
import { accountAt } from '../src/asking.ts'
import { darkFaults, seriousFaults } from '../src/axe.ts'
import { launchBrowser, openContext } from '../src/browser.ts'
import { leadTo } from '../src/lead.ts'
import { quietOf } from '../src/quiet.ts'
import { scenesOf } from '../src/screenshots/scenes.ts'
import { nothingSeeded, type Seeded, seed } from '../src/seed.ts'

const address = 'axe@example.com'
/** Over in a blink, on real data, or another state or the other market of a screen that is asked anyhow. */
const apart = [
  'qmt-basket-rows',
  'qmt-dry-run-real',
  'qmt-clauses',
  'cb-running',
  'cb-history-days',
  'cb-excluded',
  'cb-factor-picker',
  'stk-screen',
  'stk-report',
  'import',
]
/** `pay.test.ts` asks them of an order that is paid, or not. */
const paying = /^pay-/
const asked = scenesOf(nothingSeeded).filter(({ name }) => !apart.includes(name) && !paying.test(name))
/** Risk notice of pages with results: in the footer, or on the login page. */
const risk = '不构成投资建议'
/** Pages without results, so without the risk notice. */
const plain = ['factors', 'not-found']

interface Visitor {
  context: BrowserContext
  page: Page
  quiet: () => Promise<void>
}
let browser: Browser
let guest: Visitor
let known: Visitor
let own: Seeded

async function visitor(): Promise<Visitor> {
  const { context, page } = await openContext(browser, inject('url'))
  await context.addInitScript(() => localStorage.setItem('preference:theme', '"system"'))
  return { context, page, quiet: quietOf(context) }
}

beforeAll(async () => {
  browser = await launchBrowser()
  await makeAccount(address, '查验')
  own = await seed(await accountAt(inject('url'), address, password), { kinds: ['cb'], each: 2, years: 1 })
  guest = await visitor()
  await guest.page.goto('/login')
  known = await visitor()
  const { page } = known
  await comeLoggedIn(page, address, '/rotation/convertible-bond/screen')
  await page.getByRole('button', { name: '使用模板经典双低' }).click()
  await page.getByRole('region', { name: '筛选结果' }).getByText('演示转债').first().waitFor()
})
afterAll(() => browser?.close())

describe('axe finds nothing serious, light or dark', () => {
  it('is asked on twenty screens or more', () => expect(asked.length).toBeGreaterThanOrEqual(20))

  it.each(asked.map(({ name }) => name))('%s', async (name) => {
    const scene = scenesOf(own).find((one) => one.name === name)
    if (!scene) throw new Error(`no scene ${name}`)
    const { page, quiet } = scene.guest ? guest : known
    await page.emulateMedia({ colorScheme: 'light' })
    await leadTo(page, scene.path)
    await scene.before?.(page)
    await quiet()
    if (!plain.includes(name)) expect(await page.getByText(risk).count()).toBeGreaterThan(0)
    if (name.endsWith('report')) expect(await page.getByRole('region', { name: '结论' }).getByText(risk).count()).toBe(1)
    expect(await seriousFaults(page)).toEqual([])
    expect(await darkFaults(page)).toEqual([])
  })
})
