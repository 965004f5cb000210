import type { Browser, Page } from 'playwright-core'
import { openContext } from '../browser.ts'
import { type Figure, median } from './figure.ts'

const tries = 5

/** What a browser that knows nothing yet loads, and when it shows the first of it: the login, and the workbench of stocks with a rule. */
export async function measureFirstLoads(browser: Browser, url: string): Promise<Figure[]> {
  const known = await storedState(browser, url)
  const login = await repeated(browser, url, '/login', undefined)
  const workbench = await repeated(browser, url, '/rotation/stock/screen', known)
  return [
    { name: 'login, scripts', value: login.kilobytes, unit: 'KB gz', goal: 215 },
    { name: 'login, first contentful paint', value: login.paint, unit: 'ms', goal: 1_000 },
    { name: 'workbench, scripts before its chart', value: workbench.kilobytes, unit: 'KB gz', goal: 290 },
    { name: 'workbench, first contentful paint', value: workbench.paint, unit: 'ms', goal: 1_500 },
    { name: 'workbench, first list of 5,500 stocks', value: workbench.content, unit: 'ms', goal: 5_000 },
  ]
}

type State = Awaited<ReturnType<typeof storedState>>

async function storedState(browser: Browser, url: string) {
  const { context, page } = await openContext(browser, url)
  await page.goto('/rotation/stock/screen')
  await page.getByRole('button', { name: '进入体验账号' }).click()
  await page
    .getByRole('button', { name: /^使用模板/ })
    .first()
    .click()
  await listed(page)
  const state = await context.storageState()
  await context.close()
  return state
}

/** The list has its rows. A market that is being loaded says so: then it is asked again, as a person would. */
export async function listed(page: Page): Promise<void> {
  const rows = page.getByRole('region', { name: '筛选结果' }).getByText(/演示股份/)
  const retry = page.getByRole('region', { name: '筛选结果' }).getByRole('button', { name: '重试' })
  for (let tries = 0; tries < 8; tries++) {
    await rows.or(retry).first().waitFor({ timeout: 90_000 })
    if (await rows.count()) return
    await page.waitForTimeout(3_000)
    await retry.click()
  }
}

async function repeated(browser: Browser, url: string, path: string, storageState: State | undefined) {
  const all: { kilobytes: number; paint: number; content: number }[] = []
  for (let i = 0; i < tries; i++) {
    const context = await browser.newContext({ baseURL: url, locale: 'zh-CN', ...(storageState && { storageState }) })
    const page = await context.newPage()
    await page.addInitScript(() => {
      const look = () => (document.querySelector('main input, [data-sections]') ? performance.mark('there') : requestAnimationFrame(look))
      requestAnimationFrame(look)
    })
    await page.goto(path)
    let content = 0
    if (storageState) {
      await listed(page)
      content = await page.evaluate(() => performance.now())
    } else await page.getByLabel('手机号/邮箱').waitFor()
    const seen = await page.evaluate(() => ({
      paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      there: performance.getEntriesByName('there')[0]?.startTime ?? Number.NaN,
      scripts: performance
        .getEntriesByType('resource')
        .map((entry) => entry as PerformanceResourceTiming)
        .filter(({ name }) => name.endsWith('.js'))
        .map(({ name, encodedBodySize, startTime }) => ({ name, size: encodedBodySize, startTime })),
    }))
    // What is asked for later is fetched when the page has all of its own: for pages to come.
    const counted = seen.scripts.filter(({ startTime }) => startTime < seen.there)
    all.push({ kilobytes: counted.reduce((sum, { size }) => sum + size, 0) / 1000, paint: seen.paint, content })
    await context.close()
  }
  const of = (key: keyof (typeof all)[number]) => median(all.map((one) => one[key]))
  return { kilobytes: of('kilobytes'), paint: of('paint'), content: of('content') }
}
