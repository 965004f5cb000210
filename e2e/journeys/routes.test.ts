// Every address of the product in a real browser, on the production bundle: access, title and heading, and the page's behaviour when its
// code, its style sheet or the whole site cannot be loaded.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { launchBrowser, openContext } from '../src/browser.ts'
import { jump } from '../src/later.ts'
import { follow, leadTo } from '../src/lead.ts'
import { pictureOf } from '../src/picture.ts'
import { hold, quietOf } from '../src/quiet.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const open = () => openContext(browser, inject('url'))
const picture = (page: Page, name: string) => pictureOf(page, name)
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const addressOf = (page: Page) => page.url().slice(inject('url').length)
const header = (page: Page) => page.getByRole('navigation', { name: '主导航' })
/** The page's own chunk, not the ones that begin with the same word. */
const backtestCode = /\/assets\/backtest-[\w-]{8}\.js$/
const failed = '页面资源加载失败（可能刚刚发布了新版本）'

async function enter(page: Page, path = '/login') {
  await page.goto(path)
  await page.getByRole('button', { name: '进入体验账号' }).click()
  await page.waitForURL((url) => url.pathname !== '/login')
}

/** One main heading for screen readers, and a tab title that begins with the page's name. */
async function expectPage(page: Page, title: string, name: string | RegExp) {
  await heading(page, name).waitFor()
  expect(await page.locator('h1').count(), page.url()).toBe(1)
  expect(await page.title()).toBe(`${title} · 凸度量化`)
}

const publicPages: readonly (readonly [path: string, title: string, heading: string | RegExp])[] = [
  ['/login', '登录', /./],
  ['/login/wechat-callback', '微信登录', /./],
  ['/register', '注册', /./],
  ['/forgot-password', '找回密码', /./],
  ['/maintenance', '系统维护', /系统/],
  ['/bind-wechat', '绑定微信', /./],
  ['/activate-email', '激活邮箱', /./],
  ['/r/no-such-share', '链接已失效 · 分享的回测报告', '分享的回测报告'],
  ['/legal/terms', '用户协议', '凸度量化用户协议'],
  ['/legal/privacy', '隐私政策', '凸度量化隐私政策'],
  ['/legal/risk', '风险揭示书', '凸度量化风险揭示书'],
]

const innerPages: readonly (readonly [path: string, title: string, heading: string | RegExp])[] = [
  ['/', '工作台', '工作台'],
  ['/rotation/convertible-bond/screen', '实时筛选 · 可转债轮动', '可转债轮动'],
  ['/rotation/convertible-bond/history', '历史筛选 · 可转债轮动', /./],
  ['/rotation/convertible-bond/grid', '参数网格 · 可转债轮动', /./],
  ['/rotation/convertible-bond/backtest', '高级回测 · 可转债轮动', '可转债轮动'],
  ['/rotation/convertible-bond/binning', '分箱分析 · 可转债轮动', /./],
  ['/rotation/stock/screen', '实时筛选 · 股票轮动', '股票轮动'],
  ['/rotation/stock/history', '历史筛选 · 股票轮动', /./],
  ['/rotation/stock/backtest', '回测 · 股票轮动', '股票轮动'],
  ['/rotation/stock/binning', '分箱分析 · 股票轮动', /./],
  ['/strategy/compare', '策略对比', '策略对比'],
  ['/customized-factors', '自定义因子', /./],
  ['/personal/profile', '个人资料 · 个人中心', '个人中心'],
  ['/personal/subscription', '会员订阅 · 个人中心', '个人中心'],
  ['/personal/login-history', '登录记录 · 个人中心', '个人中心'],
  ['/personal/backtest-history', '回测历史 · 个人中心', '个人中心'],
  ['/personal/strategies', '我的策略 · 个人中心', '个人中心'],
  ['/personal/group-strategies', '策略组 · 个人中心', '个人中心'],
  ['/qmt/config', '运行配置 · QMT实盘', 'QMT 实盘'],
  ['/qmt/trade-config', '交易参数 · QMT实盘', 'QMT 实盘'],
  ['/qmt/account-management', '账户管理 · QMT实盘', 'QMT 实盘'],
  ['/pay/wechat', '微信支付', /./],
]
const drawers = ['mobile', 'email', 'password', 'wechat'].map((name) => `/personal/profile/${name}`)
const nowhere = ['/nothing', '/personal/nothing', '/rotation/bond', '/rotation/stock/grid', '/strategy/xx/1', '/styleguide']

/** Goes by a link to an address that leads nowhere, from a page that is there. */
async function leadNowhere(page: Page, path: string): Promise<void> {
  await leadTo(page, '/legal/terms')
  await follow(page, path)
}

it('every address of a page is answered with the same document, in which the page is found', async () => {
  // Each answer has a nonce of its own.
  const whole = async (path: string) => (await (await fetch(new URL(path, inject('url')))).text()).replaceAll(/nonce="[^"]*"/g, '')
  const document = await whole('/')
  expect(document).toContain('id="root"')
  for (const path of [...publicPages, ...innerPages].map(([path]) => path).concat(drawers, nowhere))
    expect(await whole(path), path).toBe(document)
})

describe('a visitor without a login', () => {
  let opened: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened?.context.close())

  it('sees the public pages, and is led to the login from all others', async () => {
    const { page, faults } = opened
    await page.goto('/legal/risk')
    for (const [path, title, name] of publicPages) {
      await leadTo(page, path)
      await expectPage(page, title, name)
    }
    for (const path of ['/rotation', '/personal', '/qmt', ...innerPages.map(([path]) => path), ...drawers]) {
      await (path === '/rotation' ? page.goto(path) : leadTo(page, path))
      await page.waitForURL((url) => url.pathname === '/login')
      expect(new URL(page.url()).searchParams.get('redirect')).toBe(path === '/' ? null : path)
    }
    // No report is shared under that address.
    expect(faults.splice(0).filter((fault) => !/Failed to load resource|no-such-share/.test(fault))).toEqual([])
  })

  it('is told that an address leads nowhere, without a login', async () => {
    const { page, faults } = opened
    await page.goto('/nothing')
    for (const path of nowhere) {
      await leadNowhere(page, path)
      await expectPage(page, '页面不存在', '页面不存在')
      expect(await header(page).count()).toBe(0)
    }
    expect(faults).toEqual([])
  })

  it.each([
    ['/rotation/stock/backtest?from=link', '/rotation/stock/backtest?from=link'],
    ['//elsewhere.example/x', '/'],
    ['https://elsewhere.example', '/'],
  ])('comes back after the login to %s: only to a path of this site', async (redirect, to) => {
    const { page } = opened
    await page.evaluate(() => localStorage.clear())
    await enter(page, `/login?redirect=${encodeURIComponent(redirect)}`)
    await page.waitForURL(`**${to}`)
    expect(addressOf(page)).toBe(to)
  })
})

describe('whoever is logged in', () => {
  let opened: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    opened = await open()
    await enter(opened.page)
  })
  afterAll(() => opened?.context.close())

  // First: nothing has been used yet.
  it('is led on from what shows nothing by itself, to what was used last', async () => {
    const { page } = opened
    const leads = async (from: string, to: string) => {
      await leadTo(page, from)
      await page.waitForURL(`**${to}`)
      await stands()
    }
    // A market's heading may be there before the code of its tab; used is what was on the screen.
    const stands = async () => {
      await heading(page, /./).waitFor()
      await page.locator('.page-spinner').waitFor({ state: 'detached' })
    }
    await leads('/rotation', '/rotation/convertible-bond/screen')
    await leads('/personal', '/personal/profile')
    await leads('/qmt', '/qmt/config')
    await leadTo(page, '/rotation/stock/backtest')
    await stands()
    await leads('/rotation', '/rotation/stock/backtest')
    await leads('/rotation/convertible-bond', '/rotation/convertible-bond/screen')
    await leads('/rotation/stock', '/rotation/stock/backtest')
  })

  it('finds every page by its address, in the layout, with one heading, its title and the footer', async () => {
    const { page, faults } = opened
    for (const [path, title, name] of innerPages) {
      await leadTo(page, path)
      await expectPage(page, title, name)
      expect(await header(page).count(), path).toBe(1)
      await page.getByRole('contentinfo').getByText('© 2022').waitFor()
    }
    for (const path of drawers) {
      await leadTo(page, path)
      await heading(page, /./).first().waitFor()
    }
    for (const path of nowhere) {
      await leadNowhere(page, path)
      await expectPage(page, '页面不存在', '页面不存在')
      expect(await header(page).count(), path).toBe(1)
    }
    // What was looked for is found by its name or its initials.
    await page.getByRole('searchbox', { name: '搜索' }).fill('gjhc')
    await page.getByRole('link', { name: '可转债轮动 · 高级回测' }).first().waitFor()
    await page.getByRole('searchbox', { name: '搜索' }).fill('900001')
    await page.getByRole('list', { name: '搜索结果' }).getByRole('link').first().waitFor()
    await picture(page, 'not-found-inside')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/screen\?code=9/)
    expect(faults).toEqual([])
  })
})

describe('back and forward', () => {
  it('find each page where it was left; a page gone to begins at its top, with the focus on its heading', async () => {
    const { context, page, faults } = await open()
    const place = () => page.evaluate(() => Math.round(window.scrollY))
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await page.goto('/legal/terms')
    await heading(page, '凸度量化用户协议').waitFor()
    await page.mouse.wheel(0, 900)
    await expect.poll(place).toBe(900)
    await page.getByRole('link', { name: '隐私政策' }).click()
    await heading(page, '凸度量化隐私政策').waitFor()
    await expect.poll(focused).toBe('凸度量化隐私政策')
    expect(await place()).toBe(0)
    await page.mouse.wheel(0, 500)
    await expect.poll(place).toBe(500)

    await page.goBack()
    await heading(page, '凸度量化用户协议').waitFor()
    await expect.poll(place).toBe(900)
    expect(await page.title()).toBe('用户协议 · 凸度量化')
    await page.goForward()
    await heading(page, '凸度量化隐私政策').waitFor()
    await expect.poll(place).toBe(500)
    await page.reload()
    await heading(page, '凸度量化隐私政策').waitFor()
    await expect.poll(place).toBe(500)
    expect(faults).toEqual([])
    await context.close()
  })
})

describe('a page whose code comes late', () => {
  it('takes the focus for its heading, but not from a menu that was opened meanwhile', async () => {
    const { context, page } = await open()
    await enter(page)
    await heading(page, '工作台').waitFor()
    let release = () => {}
    const held = new Promise<void>((done) => (release = done))
    await page.route(backtestCode, async (route) => {
      await held
      await route.continue()
    })
    await page.evaluate(() => {
      history.pushState(null, '', '/rotation/stock/backtest')
      dispatchEvent(new PopStateEvent('popstate'))
    })
    await page.getByText('加载中…').waitFor()
    await page.getByRole('button', { name: /^账户菜单/ }).click()
    release()
    await heading(page, '股票轮动').waitFor()
    await page.getByRole('button', { name: '退出登录' }).click()
    await page.waitForURL('**/login')
    await context.close()
  })
})

describe('a link in view', () => {
  const privacyCode = /\/assets\/privacy-[\w-]{8}\.js$/
  it('brings the code of its page before it is followed', async () => {
    const { context, page } = await openContext(browser, inject('url'), undefined, { prefetch: true })
    const fetched = page.waitForRequest(privacyCode)
    await page.goto('/legal/terms')
    await fetched
    await context.close()
  })

  it('brings nothing while data is saved, until it is followed', async () => {
    const { context, page } = await open()
    let fetched = 0
    page.on('request', (request) => privacyCode.test(request.url()) && fetched++)
    await page.goto('/legal/terms')
    await page.getByRole('link', { name: '隐私政策' }).hover()
    await page.waitForTimeout(400)
    expect(fetched).toBe(0)
    await page.getByRole('link', { name: '隐私政策' }).click()
    await heading(page, '凸度量化隐私政策').waitFor()
    expect(fetched).toBe(1)
    await context.close()
  })
})

describe('what pages need soon', () => {
  const ahead = ['/v1/user/info', '/v1/dictionary/items', '/v1/quant/trade-calender/']
  it('is asked for once a login, after the first page is drawn, and by nobody else', async () => {
    const { context, page } = await open()
    const quiet = quietOf(context)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const times = () => ahead.map((path) => asked.filter((one) => one.startsWith(path)).length)
    await page.clock.install()
    await page.goto('/login')
    await page.getByRole('button', { name: '进入体验账号' }).waitFor()
    await quiet()
    await jump(page, 10_000)
    await quiet()
    expect(times()).toEqual([0, 0, 0])
    await page.getByRole('button', { name: '进入体验账号' }).click()
    await page.waitForURL((url) => url.pathname === '/')
    await expect.poll(times, { timeout: 60_000 }).toEqual([1, 1, 1])
    for (const path of ['/rotation/convertible-bond/backtest', '/rotation/stock/screen', '/rotation/convertible-bond/screen']) {
      await page.evaluate((to) => history.pushState(null, '', to), path)
      await page.goBack()
      await page.goForward()
    }
    await quiet()
    expect(times()).toEqual([1, 1, 1])
    await context.close()
  })
})

describe('code that does not come', () => {
  it('is told in the place of the page, header and menu stand, and the reload mends it', async () => {
    const { context, page, faults } = await open()
    await enter(page)
    await heading(page, /./).waitFor()
    await page.route(backtestCode, (route) => route.abort())
    await page.goto('/rotation/stock/backtest')
    await page.getByText(failed).waitFor()
    expect(await header(page).count()).toBe(1)
    expect(faults.join()).toMatch(/ChunkLoadError: Loading chunk backtest failed\. \(error: \S+\/assets\/backtest-\S+\.js\)/)
    await picture(page, 'chunk-failed')

    // Another page works; and coming back is another try, without a reload.
    await page.getByRole('link', { name: '实时筛选', exact: true }).first().click()
    await page.waitForURL('**/screen')
    expect(await page.getByText(failed).count()).toBe(0)
    await page.goBack()
    await page.getByText(failed).waitFor()
    await page.unroute(backtestCode)
    await page.getByRole('button', { name: '刷新重试' }).click()
    await page.getByText(failed).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: '回测', exact: true }).first().waitFor()
    expect(addressOf(page)).toBe('/rotation/stock/backtest')
    await context.close()
  })

  // The texts of the law share one chunk of theirs (web/scripts/page-chunks.ts).
  it('as a style sheet is a CSS chunk load error, and the next try is not undressed', async () => {
    const { context, page, faults } = await open()
    await page.route('**/assets/pages-*.css', (route) => route.abort())
    await page.goto('/legal/terms')
    await page.getByText(failed).waitFor()
    expect(faults.join()).toMatch(/ChunkLoadError: Loading CSS chunk terms failed\. \(\S+\/assets\/\S+\.css\)/)
    await page.unroute('**/assets/pages-*.css')
    // Within the same document: the address changes, nothing is loaded anew.
    await page.evaluate(() => {
      history.pushState(null, '', '/legal/risk')
      dispatchEvent(new PopStateEvent('popstate'))
    })
    await heading(page, '凸度量化风险揭示书').waitFor()
    const width = await page.locator('article').evaluate((article) => getComputedStyle(article).maxWidth)
    expect(width).toBe('720px')
    await context.close()
  })

  it('that is only slow is there before a journey lets the clock jump past its limit', async () => {
    const { context, page, faults } = await open()
    await page.clock.install()
    await page.route('**/assets/terms-*.js', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 2_000))
      await route.continue()
    })
    await page.goto('/legal/terms')
    await page.getByText('加载中…').waitFor()
    await jump(page, 130_000)
    await heading(page, '凸度量化用户协议').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('a clock stops in every frame of a page, however late it is told', async () => {
    const { context, page } = await open()
    await page.clock.install()
    await page.setContent('<iframe srcdoc="a"></iframe><iframe srcdoc="b"></iframe>')
    const pauseAt = page.clock.pauseAt.bind(page.clock)
    for (let i = 0; i < 5; i++) {
      // A busy machine: the moment that was chosen is over.
      page.clock.pauseAt = async (time) => {
        page.clock.pauseAt = pauseAt
        await page.waitForTimeout(120)
        return pauseAt(time)
      }
      await jump(page, 60_000)
    }
    await context.close()
  })

  it('is waited for behind a spinner, which says after 8 s that the network is slow, for 120 s', async () => {
    const { context, page, faults } = await open()
    await page.clock.install()
    await page.route('**/assets/terms-*.js', hold)
    await page.goto('/legal/terms')
    await page.getByText('加载中…').waitFor()
    await jump(page, 8_000)
    await page.getByText('网络较慢，仍在加载…').waitFor()
    await picture(page, 'chunk-slow')
    // The clock also goes by itself: a slow machine has the seconds that are left out.
    await jump(page, 100_000)
    expect(await page.getByText(failed).count()).toBe(0)
    await jump(page, 12_500)
    await page.getByText(failed).waitFor()
    expect(faults.join()).toContain('ChunkLoadError: Loading chunk terms failed. (timeout: 120 s)')
    await context.close()
  })
})

describe('maintenance', () => {
  it('is reached from any call that is answered so, says until when, and leads back when it is over', async () => {
    const { context, page } = await open()
    await enter(page, '/login?redirect=/rotation/stock/screen?from=here')
    await heading(page, '股票轮动').waitFor()
    const website = await page.evaluate(async () => (await (await fetch('/v1/website')).json()) as { data: object })
    const until = new Date(Date.now() + 72 * 60_000).toISOString()
    const closed = { ...website, data: { ...website.data, maintenance: { on: true, until } } }
    let shut = true
    await page.route('**/v1/**', (route) => {
      if (!shut) return route.continue()
      if (route.request().url().endsWith('/v1/website')) return route.fulfill({ json: closed })
      return route.fulfill({ status: 503, json: { code: 50303, msg: '系统维护中', data: null, request_id: 'x' } })
    })
    await page.reload()
    await heading(page, '系统维护中').waitFor()
    expect(new URL(page.url()).searchParams.get('redirect')).toBe('/rotation/stock/screen?from=here')
    await page.getByText(/预计 \d{4}-\d\d-\d\d \d\d:\d\d 恢复（剩余 1 小时 1[12] 分）/).waitFor()
    await picture(page, 'maintenance')

    await page.keyboard.press('r')
    await page.getByText('仍在维护').waitFor()
    shut = false
    // By the key: any other call that is answered leads back as well, and takes the button with it. A press joins a question that is
    // still under way, whose answer may be of before.
    await expect
      .poll(async () => {
        const shown = addressOf(page).startsWith('/maintenance')
        if (shown) await page.keyboard.press('r')
        return shown
      })
      .toBe(false)
    await heading(page, '股票轮动').waitFor()
    expect(addressOf(page)).toBe('/rotation/stock/screen?from=here')
    await context.close()
  })

  it('is asked for again every 60 s', async () => {
    const { context, page } = await open()
    await page.clock.install()
    let asked = 0
    await page.route('**/v1/website', (route) => {
      asked++
      return route.fulfill({ status: 503, json: { code: 50303, msg: '系统维护中', data: null, request_id: 'x' } })
    })
    await page.goto('/login')
    await heading(page, '系统维护中').waitFor()
    await page.unroute('**/v1/website')
    expect(asked).toBeGreaterThan(0)
    await jump(page, 61_000)
    await page.waitForURL((url) => url.pathname === '/login')
    await context.close()
  })
})
