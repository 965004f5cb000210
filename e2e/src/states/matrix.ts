import { type Call, calls } from '@convexa/contract/calls'
import type { Page } from 'playwright-core'
import { openFills } from '../qmt-desk.ts'
import type { Seeded } from '../seed.ts'

/** A screen, the call that its content comes from, and what it says while, and when, that does not come (product.md 2.34). */
export interface Row {
  screen: string
  path: string
  call: Call
  /** Opens, on a phone, what the part is behind: a sheet, a tab. */
  onPhone?: (page: Page) => Promise<unknown>
  /** Presses what asks, where the screen does not ask by itself. */
  ask?: (page: Page) => Promise<unknown>
  /** The part of the page that is about this call; else its whole content. */
  part?: string | RegExp
  /** Seen while nothing has come. */
  waiting?: string
  /** What still works when it failed. */
  still: string
  /** Said when it took too long. */
  late?: string
  /** An answer without content: what is said then, and the button or link that leads on. */
  none?: { change: (data: never) => unknown; says: string; offers?: string }
  /** Seen when it comes after all; not asked where `none` is. */
  there?: string
  /** Much the same as another, or told by a journey of its own: only `npm run states` walks it. */
  apart?: true
}

/** What is asked of it is answered by the walk. */
const noOrder = '00000000-0000-7000-8000-000000000000'
const bonds = '/rotation/convertible-bond'
const late60 = '计算超时（60 秒）'
const emptied = (data: object) => ({ ...data, list_items: [], total: 0 })
async function openSecurity(page: Page): Promise<void> {
  const list = page.getByRole('region', { name: '筛选结果' })
  const row =
    (page.viewportSize()?.width ?? 0) <= 768 ? list.getByRole('listitem').first().getByRole('button') : list.getByRole('row').nth(1)
  await row.click()
}
/** The first condition removed everybody. */
const nobodyLeft = (data: { funnel: { step: string; before: number }[] }) => {
  const at = data.funnel.findIndex(({ step }) => step.startsWith('filter.'))
  const funnel = data.funnel.map((one, i) => (i < at ? one : { ...one, before: i === at ? one.before : 0, after: 0 }))
  return { ...emptied(data), selected: 0, funnel }
}
const run = (page: Page) => page.getByRole('button', { name: '运行', exact: true }).click()

export const matrixOf = ({ strategies, groups, runs, share }: Seeded): readonly Row[] => [
  {
    screen: '工作台 · 我的策略',
    apart: true,
    path: '/',
    call: calls.cb.strategyList,
    part: '我的策略',
    still: '已存的策略没有丢失，回测与筛选仍可使用。',
    there: '经典双低',
  },
  {
    screen: '工作台 · 最近回测',
    apart: true,
    path: '/',
    call: calls.quant.backtestList,
    part: '最近回测',
    still: '已完成的报告没有丢失，可以照常运行新的回测。',
    none: { change: emptied, says: '还没有运行过回测' },
  },
  {
    screen: '工作台 · 市场',
    path: '/',
    call: calls.cb.market,
    part: '市场',
    still: '可转债行情没有读到，其余内容不受影响。',
    there: '可转债等权',
  },
  {
    screen: '模板',
    path: '/rotation/stock/screen',
    call: calls.reference.strategyOptions,
    still: '模板加载失败。',
    there: '使用',
  },
  {
    screen: '策略条件',
    path: `${bonds}/screen`,
    call: calls.cb.factors,
    part: '策略条件',
    onPhone: (page) => page.getByRole('button', { name: /^条件/ }).first().click(),
    waiting: '[data-sections]',
    still: '因子列表加载失败，正在用离线缓存',
    there: '双低',
  },
  {
    screen: '实时筛选',
    path: `${bonds}/screen`,
    call: calls.cb.realtimeScreen,
    part: '筛选结果',
    still: '策略条件还在，可以继续编辑。',
    late: late60,
    none: {
      change: nobodyLeft,
      says: '没有符合条件的证券',
      offers: '临时停用它',
    },
  },
  {
    screen: '实时筛选 · 证券',
    path: `${bonds}/screen`,
    call: calls.cb.factors,
    ask: openSecurity,
    part: /^演示转债/,
    waiting: '[data-waiting="prices"]',
    still: '名次、得分和前后名次不受影响',
    late: '读取因子超时',
    there: '强赎触发价比率',
  },
  {
    screen: '历史筛选',
    apart: true,
    path: `${bonds}/history?date=2024-02-05`,
    call: calls.cb.historyScreen,
    still: '策略条件与日期都在，可以换一天再试。',
    late: late60,
    there: '的名单',
  },
  {
    screen: '参数网格',
    path: `${bonds}/grid`,
    call: calls.quant.gridBacktest,
    ask: run,
    waiting: '[role="grid"] td',
    still: '策略与网格设置都在，可以修改后重试。',
    late: '组合过多，请减少到',
  },
  {
    screen: '分箱分析',
    apart: true,
    path: `${bonds}/binning?factor=conv_prem`,
    call: calls.cb.binning,
    ask: run,
    still: '分箱设置都在，可以修改后重试。',
    late: late60,
  },
  {
    screen: '高级回测 · 最近回测',
    apart: true,
    path: `${bonds}/backtest`,
    call: calls.quant.backtestList,
    part: '最近回测',
    still: '可以照常运行新的回测。',
    none: { change: emptied, says: '还没有运行过回测' },
  },
  {
    screen: '回测报告',
    path: `${bonds}/backtest/${runs.cb[0]}`,
    call: calls.cb.backtestDetail,
    still: '报告已保存在服务器，可以稍后再看。',
    there: '净值与回撤',
  },
  {
    screen: '分享的回测报告',
    apart: true,
    path: `/r/${share}`,
    call: calls.quant.sharedReport,
    still: '链接没有问题时，稍后再打开即可。',
    there: '净值与回撤',
  },
  {
    screen: '策略详情',
    apart: true,
    path: `/strategy/cb/${strategies.cb[0]}`,
    call: calls.cb.strategyDetail,
    still: '策略没有丢失，可以稍后再看。',
    there: '打开编辑',
  },
  {
    screen: '策略详情 · 保存后的表现',
    apart: true,
    path: `/strategy/cb/${strategies.cb[0]}`,
    call: calls.cb.tracking,
    part: '保存后的表现',
    onPhone: (page) => page.getByRole('tab', { name: '跟踪' }).click(),
    still: '概览与规则不受影响。',
    there: '保存第 1 版起',
  },
  {
    screen: '策略组详情',
    path: `/strategy/cb/group/${groups.cb}`,
    call: calls.cb.groupDetail,
    still: '策略组没有丢失，可以稍后再看。',
    there: '合并名单',
  },
  {
    screen: '策略对比',
    path: `/strategy/compare?items=${strategies.cb.slice(0, 2).map((id) => `cb:${id}`)}`,
    call: calls.cb.strategyDetail,
    still: '其余各项不受影响。',
    there: '经典双低',
  },
  {
    screen: '自定义因子',
    path: '/customized-factors',
    call: calls.cb.factors,
    still: '没有保存的内容仍在本机，可以继续编写。',
    none: { change: () => [], says: '还没有自定义因子', offers: '新建空白因子' },
  },
  {
    screen: '登录记录',
    path: '/personal/login-history',
    call: calls.user.loginRecords,
    still: '登录没有受影响，其他页面可以继续使用。',
    none: { change: emptied, says: '暂无登录记录' },
  },
  {
    screen: '回测历史',
    apart: true,
    path: '/personal/backtest-history',
    call: calls.quant.backtestList,
    still: '列表加载失败，已完成的报告没有丢失。',
    none: { change: emptied, says: '还没有回测', offers: '去回测' },
  },
  {
    screen: '我的策略',
    apart: true,
    path: '/personal/strategies',
    call: calls.cb.strategyList,
    part: '我的策略',
    still: '列表加载失败。已存的策略没有丢失，回测与筛选仍可使用。',
    none: { change: emptied, says: '还没有策略', offers: '从模板开始' },
  },
  {
    screen: '策略组',
    path: '/personal/group-strategies',
    call: calls.cb.groupList,
    still: '列表加载失败。已存的策略组没有丢失。',
    none: { change: emptied, says: '还没有策略组' },
  },
  {
    screen: '会员方案',
    path: '/personal/subscription',
    call: calls.vip.plans,
    part: '会员方案',
    still: '会员方案加载失败，现有会员不受影响。',
    none: { change: () => [], says: '暂无在售的会员方案' },
  },
  {
    screen: '订单',
    apart: true,
    path: '/personal/subscription',
    call: calls.order.list,
    part: '订单',
    still: '订单加载失败，已付的款项和会员不受影响。',
    none: { change: emptied, says: '还没有订单' },
  },
  {
    screen: '支付弹窗',
    apart: true,
    path: `/personal/subscription?order=${noOrder}`,
    call: calls.order.detail,
    part: '支付订单',
    still: '订单没有受影响。',
  },
  {
    screen: '微信支付',
    path: `/pay/wechat?order=${noOrder}`,
    call: calls.order.detail,
    still: '订单没有受影响。',
  },
  {
    screen: 'QMT 运行配置',
    path: '/qmt/config',
    call: calls.qmt.configList,
    part: '运行配置',
    still: '运行配置没有丢失，已导出的客户端照常工作。',
    none: { change: emptied, says: '还没有运行配置' },
  },
  {
    screen: 'QMT 篮子',
    apart: true,
    path: `/strategy/cb/${strategies.cb[0]}`,
    call: calls.qmt.basket,
    ask: (page) => page.getByRole('button', { name: '导出篮子' }).click(),
    part: '导出篮子文件',
    still: '名单与设置都还在。',
    there: '演示数据不能用于交易',
  },
  {
    screen: 'QMT 委托与成交',
    apart: true,
    path: '/qmt/config',
    call: calls.qmt.fillList,
    ask: openFills,
    part: '委托与成交',
    still: '客户端的记录都在你电脑上的日志里。',
    none: { change: emptied, says: '客户端还没有回报' },
  },
  {
    screen: 'QMT 交易参数',
    apart: true,
    path: '/qmt/trade-config',
    call: calls.qmt.tradingConfigList,
    part: '交易参数',
    still: '已保存的交易参数没有丢失，已导出的客户端照常工作。',
    none: { change: emptied, says: '还没有交易参数', offers: '使用「尾盘模板」' },
  },
  {
    screen: 'QMT 账户',
    apart: true,
    path: '/qmt/account-management',
    call: calls.qmt.accountList,
    part: '账户',
    still: '账户没有丢失，已导出的客户端照常工作。',
    none: { change: emptied, says: '添加第一个账户' },
  },
]
