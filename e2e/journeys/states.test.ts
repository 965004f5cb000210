// Screens whose content does not come: each waits, fails, is late and has nothing in its own place. A share of the matrix; the whole
// of it, with pictures, is `npm run states`.
import { calls } from '@convexa/contract/calls'
import { successLine } from '@convexa/contract/stream'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, inject, it } from 'vitest'
import { comeLoggedIn, makeAccount, password } from '../src/accounts.ts'
import { accountAt } from '../src/asking.ts'
import { launchBrowser, openContext } from '../src/browser.ts'
import { nothingSeeded, type Seeded, seed } from '../src/seed.ts'
import { faultsOn } from '../src/states/faults.ts'
import { matrixOf } from '../src/states/matrix.ts'
import { walk } from '../src/states/walk.ts'

const address = 'states@example.com'
let browser: Browser
let context: BrowserContext
let own: Seeded

beforeAll(async () => {
  browser = await launchBrowser()
  await makeAccount(address, '状态')
  own = await seed(await accountAt(inject('url'), address, password), { kinds: ['cb'], each: 2, years: 1 })
  const opened = await openContext(browser, inject('url'))
  context = opened.context
  await comeLoggedIn(opened.page, address, '/rotation/convertible-bond/screen')
  await opened.page.getByRole('button', { name: '使用模板经典双低' }).click()
  await opened.page.getByRole('region', { name: '筛选结果' }).waitFor()
  // Factors are kept in the browser when it is idle: a page that is closed before keeps none, and then none are there without the network.
  await opened.page.waitForFunction(() => localStorage.getItem('factors:cb') !== null)
  await opened.page.close()
  await context.clock.install()
})
afterAll(() => browser?.close())

describe('what does not come is told where it would be', () => {
  it.each(
    matrixOf(nothingSeeded)
      .filter(({ apart }) => !apart)
      .map(({ screen }) => screen),
  )('%s', async (screen) => {
    const page = await context.newPage()
    const row = matrixOf(own).find((one) => one.screen === screen)
    if (row) await walk(page, row)
    await page.close()
  })

  it('高级回测: a stream that breaks off is said so, and can be run again', async () => {
    const page = await context.newPage()
    const faults = await faultsOn(page)
    const stage = { type: 'stage', run_id: own.runs.cb[0], seq: 1, stage: 'simulate', label: '逐日模拟' }
    await faults.set(calls.cb.backtest, { stream: successLine(stage) })
    await page.goto('/rotation/convertible-bond/backtest')
    await page
      .getByRole('button', { name: /运行回测/ })
      .first()
      .click()
    const ended = page.getByRole('alert').filter({ hasText: '读取数据异常' })
    await ended.getByText('还没有算出结果，设置都还在。').waitFor()
    await ended.getByRole('button', { name: '重新运行' }).waitFor()
    await page.close()
  })
})
