import { type MarketRow, marketIds, markets } from '@convexa/contract/enums/market'

/** Chunks of pages and of the frames around them, fetched by `load.ts`: reading this table must not import a page. */
export type PageCode =
  | 'layout'
  | 'login'
  | 'wechatCallback'
  | 'register'
  | 'forgotPassword'
  | 'bindWechat'
  | 'activateEmail'
  | 'home'
  | 'rotation'
  | 'screen'
  | 'history'
  | 'grid'
  | 'binning'
  | 'backtest'
  | 'report'
  | 'sharedReport'
  | 'strategy'
  | 'group'
  | 'compare'
  | 'personal'
  | 'profile'
  | 'strategies'
  | 'backtestHistory'
  | 'groupStrategies'
  | 'subscription'
  | 'loginHistory'
  | 'maintenance'
  | 'terms'
  | 'privacy'
  | 'risk'
  | 'customizedFactors'
  | 'qmt'
  | 'qmtConfig'
  | 'tradeConfig'
  | 'accountManagement'
  | 'wechatPay'
  | 'notFound'

/** A line of the route table. Menu, palette, titles, fetching ahead and the routes themselves all read it. */
export interface Page {
  /** The whole address, with its `:places`. */
  path: string
  /** In the browser's tab, in menus, in the palette. */
  title: string
  /** Its code: a page, or the frame around its children. */
  code?: PageCode
  /** Shows nothing by itself: it leads to its first child, to the child used last, or to another address. */
  leads?: 'first' | 'last' | `/${string}`
  /** Needs a link with more than its path: left out of menus and the palette. */
  byLink?: true
  children?: readonly Page[]
}

/** A market's tabs, in their order. */
const tabsOf = ({ hasGrid, backtestTitle }: MarketRow): readonly Page[] => [
  { path: 'screen', title: '实时筛选', code: 'screen' },
  { path: 'history', title: '历史筛选', code: 'history' },
  ...(hasGrid ? [{ path: 'grid', title: '参数网格', code: 'grid' } as const] : []),
  { path: 'backtest', title: backtestTitle, code: 'backtest' },
  { path: 'binning', title: '分箱分析', code: 'binning' },
  { path: 'backtest/:backtest_id', title: '回测报告', code: 'report' },
]
const rotation = (market: MarketRow): Page => ({
  path: market.path,
  title: market.title,
  code: 'rotation',
  leads: 'last',
  children: tabsOf(market).map((tab) => ({ ...tab, path: `${market.path}/${tab.path}` })),
})

/** Open to everyone. */
export const publicPages: readonly Page[] = [
  { path: '/login', title: '登录', code: 'login' },
  { path: '/login/wechat-callback', title: '微信登录', code: 'wechatCallback', byLink: true },
  { path: '/register', title: '注册', code: 'register' },
  { path: '/forgot-password', title: '找回密码', code: 'forgotPassword' },
  { path: '/bind-wechat', title: '绑定微信', code: 'bindWechat', byLink: true },
  { path: '/activate-email', title: '激活邮箱', code: 'activateEmail', byLink: true },
  { path: '/maintenance', title: '系统维护', code: 'maintenance', byLink: true },
  { path: '/r/:share_token', title: '分享的回测报告', code: 'sharedReport', byLink: true },
  { path: '/legal/terms', title: '用户协议', code: 'terms' },
  { path: '/legal/privacy', title: '隐私政策', code: 'privacy' },
  { path: '/legal/risk', title: '风险揭示书', code: 'risk' },
]

/** Under the main layout: each needs a login. */
export const innerPages: readonly Page[] = [
  { path: '/', title: '工作台', code: 'home' },
  {
    path: '/rotation',
    title: '轮动',
    leads: 'last',
    children: marketIds.map((id) => rotation(markets[id])),
  },
  { path: '/strategy/compare', title: '策略对比', code: 'compare', byLink: true },
  { path: '/strategy/:kind/:id', title: '策略详情', code: 'strategy' },
  { path: '/strategy/:kind/group/:id', title: '策略组详情', code: 'group' },
  { path: '/customized-factors', title: '自定义因子', code: 'customizedFactors' },
  {
    path: '/personal',
    title: '个人中心',
    code: 'personal',
    leads: 'first',
    children: [
      {
        path: '/personal/profile',
        title: '个人资料',
        code: 'profile',
        // Drawers of the profile, which it draws itself.
        children: [
          { path: '/personal/profile/mobile', title: '修改手机号' },
          { path: '/personal/profile/email', title: '激活邮箱' },
          { path: '/personal/profile/password', title: '修改密码' },
          { path: '/personal/profile/wechat', title: '绑定微信' },
        ],
      },
      { path: '/personal/subscription', title: '会员订阅', code: 'subscription' },
      { path: '/personal/strategies', title: '我的策略', code: 'strategies' },
      { path: '/personal/group-strategies', title: '策略组', code: 'groupStrategies' },
      { path: '/personal/backtest-history', title: '回测历史', code: 'backtestHistory' },
      { path: '/personal/login-history', title: '登录记录', code: 'loginHistory' },
    ],
  },
  {
    path: '/qmt',
    title: 'QMT实盘',
    code: 'qmt',
    leads: 'first',
    children: [
      { path: '/qmt/config', title: '运行配置', code: 'qmtConfig' },
      { path: '/qmt/trade-config', title: '交易参数', code: 'tradeConfig' },
      { path: '/qmt/account-management', title: '账户管理', code: 'accountManagement' },
    ],
  },
  { path: '/pay/wechat', title: '微信支付', code: 'wechatPay', byLink: true },
]

export const pages: readonly Page[] = [...publicPages, ...innerPages]

/** It can be used, or something it leads to can: only then do menu and palette name it. */
export const isOpen = (page: Page): boolean => (page.leads ? shownChildren(page).length > 0 : page.code !== undefined)

/** The children that a menu or a row of tabs names. */
export const shownChildren = (page: Page): readonly Page[] =>
  (page.children ?? []).filter((child) => isOpen(child) && !child.byLink && !child.path.includes(':'))
