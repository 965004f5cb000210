import type { AlertItem } from '@convexa/contract/alert'
import { callStatuses } from '@convexa/contract/enums/call-status'
import type { MarketId } from '@convexa/contract/enums/market'
import { labelOf } from '@convexa/contract/enums/table'
import type { ConfigListItem } from '@convexa/contract/qmt'
import type { StrategyListItem } from '@convexa/contract/saved-strategy'
import { type ClosedDays, tradingDaysAfter } from '../../market/clock.ts'
import { needsExport } from '../qmt/run-config/config-status.ts'
import { type CallRisk, isFull, isUrgent, silentWords } from '../strategy/glance-text.ts'

// 待办: what a person may want to look at today. Facts with a way to them; nothing here says what to buy or sell.

export interface Todo {
  key: string
  /** warn: it will not wait for ever. */
  look: 'warn' | 'info'
  title: string
  text: string
  action: { label: string; to: string }
}

export interface OwnStrategy extends StrategyListItem {
  kind: MarketId
}

interface Known {
  strategies: readonly OwnStrategy[]
  /** Of the terminal; those that are switched off wait for nothing. */
  configs?: readonly ConfigListItem[]
  /** Of automatic trading, the newest first. */
  alerts?: readonly AlertItem[]
  /** The day that is today in Shanghai, and the closed days of its year. */
  today?: string
  closed?: ClosedDays
  user: { demo?: boolean | undefined; email_masked: string | null; email_activated: boolean } | null
}

/** What waits, the most pressing first. */
export const todosOf = ({ strategies, configs = [], alerts = [], today = '', closed = null, user }: Known): Todo[] => [
  ...strategies.flatMap(callTodos),
  ...strategies.flatMap(silentTodos),
  ...alertTodos(alerts),
  ...configs.filter(({ enabled }) => enabled).flatMap((config) => configTodo(config, today, closed) ?? []),
  ...staleTodos(strategies),
  ...emailTodos(user),
]

/** Bonds of a list whose count is nearly full, or that are called. */
function callTodos({ kind, id, strategy_name: name, glance }: OwnStrategy): Todo[] {
  const risks = glance?.call_risk.filter(isUrgent) ?? []
  const [nearest] = risks
  if (!nearest) return []
  const { name: bond, count, threshold, last_trade_date: last } = nearest
  const left = threshold - (count ?? threshold)
  const text = last
    ? `${bond} 已公告强赎，最后交易日 ${last}`
    : left > 0
      ? `${bond} 计数 ${count}/${threshold}，再有 ${left} 日满足即触发`
      : `${bond} 计数 ${count}/${threshold}，公司尚未公告`
  return [
    {
      key: `call:${id}`,
      look: 'warn',
      title: `「${name}」有 ${urgentWords(risks)}`,
      text,
      action: { label: '查看', to: `/strategy/${kind}/${id}` },
    },
  ]
}

/** Positions that have not traded for long: suspended, or gone without a word in the data. */
function silentTodos({ kind, id, strategy_name: name, glance }: OwnStrategy): Todo[] {
  const words = silentWords(glance?.silent)
  if (!words) return []
  return [
    {
      key: `silent:${id}`,
      look: 'warn',
      title: `「${name}」有 ${glance?.silent?.length} 只持仓长期没有成交`,
      text: words,
      action: { label: '查看', to: `/strategy/${kind}/${id}` },
    },
  ]
}

/** `1 只已满足强赎条件、2 只接近强赎触发`: as much as is true of each. */
function urgentWords(risks: readonly CallRisk[]): string {
  const called = risks.filter(({ last_trade_date: last }) => last !== null).length
  const full = risks.filter((risk) => risk.last_trade_date === null && isFull(risk)).length
  const parts = [
    [called, labelOf(callStatuses, 'announced')],
    [full, labelOf(callStatuses, 'met')],
    [risks.length - called - full, '接近强赎触发'],
  ] as const
  return parts.flatMap(([many, what]) => (many > 0 ? [`${many} 只${what}`] : [])).join('、')
}

/** Glances that say something about older data or an older rule, and strategies that have none. */
function staleTodos(strategies: readonly OwnStrategy[]): Todo[] {
  const old = strategies.filter(({ glance }) => !glance || glance.stale)
  const [first] = old
  if (!first) return []
  return [
    {
      key: 'stale',
      look: 'info',
      title: old.length === 1 ? `「${first.strategy_name}」的概览待刷新` : `${old.length} 个策略的概览待刷新`,
      text: '数据或规则比概览新，或还没有计算过',
      action: { label: '去刷新', to: `/personal/strategies?kind=${first.kind}` },
    },
  ]
}

/** Beyond these the page of QMT lists them. */
const mostAlerts = 3

/** What was not read of automatic trading. Orders in question stand at their configs until they have an answer. */
function alertTodos(alerts: readonly AlertItem[]): Todo[] {
  const unread = alerts.filter(({ read, key }) => !read && key !== 'order_unsure')
  const look = 'warn' as const
  const shown = unread.slice(0, mostAlerts).map(({ id, title, text, url }) => ({
    ...{ key: `alert:${id}`, look, title, text },
    action: { label: '查看', to: url },
  }))
  const [next] = unread.slice(mostAlerts)
  if (!next) return shown
  const more = { key: 'alerts', look, title: `还有 ${unread.length - mostAlerts} 条自动交易提醒未读`, text: next.title }
  return [...shown, { ...more, action: { label: '查看', to: next.url } }]
}

/** As many days of trade a config may go without its list being taken. */
const mostDays = 3

/** What its user has not looked at, or not taken, although it is switched on. */
function configTodo(config: ConfigListItem, today: string, closed: ClosedDays): Todo | null {
  const { id, name, diff_count: count, confirmed_at: confirmed, exported_at: exported, last_heartbeat: heartbeatAt } = config
  const todo = (title: string, text: string, label: string, step: string): Todo => ({
    ...{ key: `config:${id}`, look: 'warn', title, text },
    action: { label, to: `/qmt/config?id=${id}${step}` },
  })
  if (config.questions > 0)
    return todo(`「${name}」有 ${config.questions} 项待核对`, '委托或账本的结果不确定，回答之前客户端不交易这些证券', '去核对', '')
  if (count === null) return todo(`「${name}」运行配置还没有演练`, '演练会列出与现有持仓的差异，确认后才能导出', '去演练', '&step=dry-run')
  if (count > 0 && confirmed === null)
    return todo(`「${name}」有 ${count} 处差异未确认`, '核对后确认，终端才会用新的名单', '去核对', '&step=dry-run')
  if (needsExport(config)) return todo(`「${name}」要重新导出`, '上次导出后有改动，已导出的客户端会拒绝交易', '去导出', '')
  // A client that was exported once pulls the lists by itself, for as long as it runs.
  const byClient = heartbeatAt !== null && (exported === null || heartbeatAt > exported)
  const last = (byClient ? heartbeatAt : exported)?.slice(0, 10)
  const days = last && today ? tradingDaysAfter(last, today, closed) : 0
  if (days < mostDays) return null
  return byClient
    ? todo(`「${name}」的客户端 ${days} 个交易日没有心跳`, `最近心跳 ${last}`, '去看看', '')
    : todo(`「${name}」运行配置 ${days} 个交易日未导出`, `上次导出 ${last}`, '去看看', '')
}

const emailTodos = (user: Known['user']): Todo[] =>
  !user || user.demo || user.email_activated
    ? []
    : [
        {
          key: 'email',
          look: 'info',
          title: user.email_masked ? '邮箱未激活' : '还没有绑定邮箱',
          text: '激活后可用邮箱找回密码',
          action: { label: '去激活', to: '/personal/profile/email' },
        },
      ]
