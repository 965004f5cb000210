// Browsers of 2023, as far as today's can stand in for them: what they lack is taken away before the page's own script runs. The real ones
// are run by `npm run drill:browsers`.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { launchBrowser, openContext } from '../src/browser.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const tooOld = '浏览器版本过旧，请用 Chrome 109、Edge 109、Safari 16.4、Firefox 128 或更新版本打开'

async function opened(prepare: (page: Page) => Promise<unknown>) {
  const { context, page, faults } = await openContext(browser, inject('url'))
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
  })
  await prepare(page)
  await page.goto('/login')
  return { page, faults, scripts, close: () => context.close() }
}

const polyfills = /\/assets\/polyfills-/

it('today nothing is filled in', async () => {
  const { page, faults, scripts, close } = await opened(async () => {})
  await page.getByRole('button', { name: '进入体验账号' }).waitFor()
  expect(scripts.filter((path) => polyfills.test(path))).toEqual([])
  expect(faults).toEqual([])
  await close()
})

it('without the calls of 2023 and 2024 one logs in', async () => {
  const { page, faults, scripts, close } = await opened((page) =>
    page.addInitScript(() => {
      Reflect.deleteProperty(AbortSignal, 'any')
      Reflect.deleteProperty(URL, 'canParse')
      for (const name of ['toSorted', 'toReversed']) Reflect.deleteProperty(Array.prototype, name)
    }),
  )
  await page.getByRole('button', { name: '进入体验账号' }).click()
  await page.waitForURL((url) => url.pathname === '/')
  await page.getByRole('region', { name: '从这里开始' }).waitFor()
  expect(scripts.filter((path) => polyfills.test(path))).toHaveLength(1)
  expect(faults).toEqual([])
  await close()
})

describe('what does not come up says why', () => {
  const text = (page: Page) => page.getByRole('alert')

  it('without :has() the sentence, and the first module is not asked for', async () => {
    const { page, faults, close } = await opened((page) =>
      page.addInitScript(() => {
        CSS.supports = () => false
      }),
    )
    await text(page).getByText(tooOld).waitFor()
    expect(await page.locator('script[type="module"]').count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  })

  it('a first module that throws: the sentence, and what was thrown', async () => {
    const { page, close } = await opened((page) =>
      page.route(/\/assets\/index-[\w-]+\.js$/, (route) =>
        route.fulfill({ contentType: 'text/javascript', body: 'Promise.fromTheFuture()' }),
      ),
    )
    await text(page).getByText(tooOld).waitFor()
    await text(page).getByText('Promise.fromTheFuture is not a function').waitFor()
    await page.unroute(/\/assets\/index-[\w-]+\.js$/)
    await text(page).getByRole('button', { name: '重试' }).click()
    await page.getByRole('button', { name: '登录', exact: true }).waitFor()
    await close()
  })

  it('a first module that does not come: no word of the browser', async () => {
    const { page, close } = await opened((page) => page.route(/\/assets\/index-[\w-]+\.js$/, (route) => route.abort()))
    await text(page).getByText('页面加载失败').waitFor()
    expect(await page.getByText(tooOld).count()).toBe(0)
    await close()
  })

  it('neither within eight seconds: 加载较慢, and then the page', async () => {
    let come = () => {}
    const allowed = new Promise<void>((resolve) => {
      come = resolve
    })
    const { context, page } = await openContext(browser, inject('url'))
    // Its clock stands until it is moved: how long the page takes to begin does not count.
    const began = new Date()
    await page.clock.install({ time: began })
    await page.clock.pauseAt(began.getTime() + 1_000)
    await page.route(/\/assets\/index-[\w-]+\.js$/, async (route) => {
      await allowed
      await route.continue()
    })
    await page.goto('/login', { waitUntil: 'commit' })
    await page.getByText('加载中…').waitFor()
    await page.clock.runFor(7_900)
    expect(await page.getByText('加载较慢').count()).toBe(0)
    await page.clock.runFor(200)
    await text(page).getByText('加载较慢').waitFor()
    await text(page).getByRole('button', { name: '重试' }).waitFor()
    come()
    await page.clock.resume()
    await page.getByRole('button', { name: '登录', exact: true }).waitFor()
    expect(await page.getByText('加载较慢').count()).toBe(0)
    await context.close()
  })
})
