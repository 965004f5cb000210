import type { Account, ConfigListItem, TradingConfig } from '@convexa/contract/qmt'
import { sentences } from '@convexa/contract/rules/sentences'

export interface Status {
  words: string
  look: 'ok' | 'warn' | 'plain'
  /** What follows, in a sentence. */
  hint: string
}

/** What a config is judged by; undefined: not known yet. */
export interface Around {
  account: Account | undefined
  trading: Pick<TradingConfig, 'dry_run'> | undefined
  /** The user has stopped all automatic trading. */
  stopped: boolean | undefined
}

/** Where a config stands on its way to the terminal: what keeps it from trading comes first. */
export function statusOf(config: ConfigListItem, { account, trading, stopped }: Around): Status {
  const { enabled, source, diff_count: differences, confirmed_at: confirmed } = config
  if (source.name === sentences.sourceDeleted)
    return { words: '来源已删除', look: 'warn', hint: '策略或策略组已被删除，客户端不会交易。请编辑后另选一个。' }
  if (!enabled) return { words: '已停用', look: 'plain', hint: '客户端拉取时会得知停用，不会交易。' }
  if (account && !account.is_enabled) return { words: sentences.accountDisabled, look: 'warn', hint: '账户停用期间客户端不会交易。' }
  if (account?.report_status === 0 && trading?.dry_run === false)
    return { words: '账户未报告', look: 'warn', hint: '账户尚未向券商报告程序化交易，真实委托不会发出。请先报告、后交易，并在账户里登记。' }
  if (config.questions > 0)
    return { words: `待核对 ${config.questions}`, look: 'warn', hint: '有委托或账本的结果不确定，回答之前客户端不交易这些证券。' }
  if (config.client_note) return { words: '客户端停止', look: 'warn', hint: `${config.client_note}。` }
  if (stopped) return { words: '已急停', look: 'warn', hint: '全部自动交易已急停，解除之前客户端不会交易。' }
  if (differences === null) return { words: '还没有演练', look: 'plain', hint: '演练一次，看会买卖什么、为什么。' }
  if (confirmed === null) return { words: `未确认 · 差异 ${differences}`, look: 'warn', hint: '核对演练的差异并确认后再导出。' }
  if (needsExport(config))
    return { words: '要重新导出', look: 'warn', hint: '差异已核对，但上次导出后有改动，已导出的客户端会拒绝交易，请重新导出。' }
  return { words: `已确认 · 差异 ${differences}`, look: 'ok', hint: '差异已核对。配置、账户或交易参数改变后要重新确认。' }
}

/** A client was at work with it, and what it trades by was changed since. */
export const needsExport = ({ exported_at: exported, last_heartbeat: heartbeatAt }: ConfigListItem): boolean =>
  exported === null && heartbeatAt !== null
