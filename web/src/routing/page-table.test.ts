// isolated: stubs globals
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { memoryStorage } from '../../test/storage.ts'
import { chainAt, chainOfDestination, destinationOf, pageAt, titleAt, titlesAt } from './page-at.ts'
import { innerPages, isOpen, type Page, pages, shownChildren } from './page-table.ts'

beforeEach(() => vi.stubGlobal('localStorage', memoryStorage()))

const flat = (all: readonly Page[]): readonly Page[] => all.flatMap((page) => [page, ...flat(page.children ?? [])])
const destination = (path: string) => chainOfDestination(path).at(-1)?.path

/** Specification 2 and product.md 2.0, word for word. */
const asked = [
  '/login',
  '/login/wechat-callback',
  '/register',
  '/forgot-password',
  '/maintenance',
  '/bind-wechat',
  '/activate-email',
  '/r/:share_token',
  '/legal/terms',
  '/legal/privacy',
  '/legal/risk',
  '/',
  '/rotation',
  '/rotation/convertible-bond',
  '/rotation/convertible-bond/screen',
  '/rotation/convertible-bond/history',
  '/rotation/convertible-bond/grid',
  '/rotation/convertible-bond/backtest',
  '/rotation/convertible-bond/binning',
  '/rotation/convertible-bond/backtest/:backtest_id',
  '/rotation/stock',
  '/rotation/stock/screen',
  '/rotation/stock/history',
  '/rotation/stock/backtest',
  '/rotation/stock/binning',
  '/rotation/stock/backtest/:backtest_id',
  '/strategy/:kind/:id',
  '/strategy/:kind/group/:id',
  '/strategy/compare',
  '/customized-factors',
  '/personal',
  '/personal/profile',
  '/personal/profile/mobile',
  '/personal/profile/email',
  '/personal/profile/password',
  '/personal/profile/wechat',
  '/personal/subscription',
  '/personal/login-history',
  '/personal/backtest-history',
  '/personal/strategies',
  '/personal/group-strategies',
  '/qmt',
  '/qmt/config',
  '/qmt/trade-config',
  '/qmt/account-management',
  '/pay/wechat',
]

describe('the route table', () => {
  it('holds every route that was asked for, and no other', () => {
    expect(
      flat(pages)
        .map(({ path }) => path)
        .sort(),
    ).toEqual([...asked].sort())
  })

  it('gives every line one thing to do: its code, or where it leads', () => {
    for (const page of flat(pages)) {
      const drawer = page.path.startsWith('/personal/profile/')
      expect((page.code ?? page.leads) !== undefined, page.path).toBe(!drawer)
      expect(page.title, page.path).toMatch(/\p{Script=Han}/u)
    }
  })

  it.each(asked.filter((path) => path !== '/'))('%s is found under its own line', (path) => {
    const address = path.replace(':kind', 'stk').replace(/:\w+/g, '0193')
    expect(pageAt(address)?.path).toBe(path)
  })
})

describe('no page is', () => {
  it.each([
    '/nothing',
    '/personal/nothing',
    '/personal/profile/nothing',
    '/rotation/bond',
    '/rotation/stock/grid',
    '/rotation/stock/screen/more',
    '/strategy/xx/1',
    '/strategy/xx/group/1',
    '/strategy/cb',
    '/legal',
    '/pay',
    '/styleguide',
    '//elsewhere.example',
  ])('%s', (path) => expect(chainAt(path)).toEqual([]))
})

describe('what shows nothing by itself', () => {
  it.each([
    ['/rotation', '/rotation/convertible-bond/screen'],
    ['/rotation/stock', '/rotation/stock/screen'],
    ['/personal', '/personal/profile'],
    ['/qmt', '/qmt/config'],
  ])('%s leads to %s', (from, to) => expect(destination(from)).toBe(to))

  it.each([
    [
      'the market and the tab used last',
      { '/rotation': '/rotation/stock', '/rotation/stock': '/rotation/stock/backtest' },
      '/rotation/stock/backtest',
    ],
    [
      'not to a tab that the market does not have',
      { '/rotation': '/rotation/stock', '/rotation/stock': '/rotation/stock/grid' },
      '/rotation/stock/screen',
    ],
    ['not to a page that there is no more', { '/rotation': '/rotation/futures' }, '/rotation/convertible-bond/screen'],
  ])('leads to %s', (_, kept, to) => {
    localStorage.setItem('preference:lastPages', JSON.stringify(kept))
    expect(destination('/rotation')).toBe(to)
  })

  it('is never led in a circle', () => {
    for (const page of flat(pages)) if (page.leads) expect(destinationOf(page)).not.toBe(page.path)
  })
})

describe('menus', () => {
  const child = (path: string) => flat(innerPages).find((page) => page.path === path)!
  it('name what is open, without reports and pages to come', () => {
    expect(shownChildren(child('/rotation/convertible-bond')).map(({ title }) => title)).toEqual([
      '实时筛选',
      '历史筛选',
      '参数网格',
      '高级回测',
      '分箱分析',
    ])
    expect(shownChildren(child('/rotation/stock')).map(({ title }) => title)).toEqual(['实时筛选', '历史筛选', '回测', '分箱分析'])
    expect(shownChildren(child('/rotation')).map(({ title }) => title)).toEqual(['可转债轮动', '股票轮动'])
  })

  it('name the pages of the account, not the drawers of its profile', () => {
    expect(shownChildren(child('/personal')).map(({ title }) => title)).toEqual([
      '个人资料',
      '会员订阅',
      '我的策略',
      '策略组',
      '回测历史',
      '登录记录',
    ])
    expect(shownChildren(child('/personal/profile'))).toEqual([])
  })

  it('leave out a frame around nothing', () => {
    const frame: Page = { path: '/a', title: '甲', leads: 'first', children: [{ path: '/a/b', title: '乙' }] }
    expect(isOpen(frame)).toBe(false)
    expect(isOpen({ ...frame, children: [{ path: '/a/b', title: '乙', code: 'screen' }] })).toBe(true)
  })
})

describe('titles', () => {
  it.each([
    ['/login', ['登录']],
    ['/rotation/convertible-bond/screen', ['实时筛选', '可转债轮动']],
    ['/rotation/stock/backtest/0193', ['回测报告', '股票轮动']],
    ['/personal/strategies', ['我的策略', '个人中心']],
    ['/personal/profile/mobile', ['修改手机号', '个人资料', '个人中心']],
    ['/qmt/account-management', ['账户管理', 'QMT实盘']],
    ['/nowhere', ['页面不存在']],
  ])('of %s: %j', (path, titles) => expect(titlesAt(path)).toEqual(titles))

  it('in one line begin with what a page belongs to', () => expect(titleAt('/rotation/stock/backtest')).toBe('股票轮动 · 回测'))
})
