import type { Account, ConfigListItem } from '@convexa/contract/qmt'

export interface Status {
  words: string
  look: 'ok' | 'warn' | 'plain'
  /** What follows, in a sentence. */
  hint: string
}

/** Where a config stands on its way to the terminal: what keeps it from trading comes first. */
export function statusOf(config: ConfigListItem, account: Account | undefined): Status {
  const { enabled, source, diff_count: differences, confirmed_at: confirmed } = config
  if (source.name === '（已删除）')
    return { words: '来源已删除', look: 'warn', hint: '策略或策略组已被删除，客户端不会交易。请编辑后另选一个。' }
  if (!enabled) return { words: '已停用', look: 'plain', hint: '客户端拉取时会得知停用，不会交易。' }
  if (account && !account.is_enabled) return { words: '账户已停用', look: 'warn', hint: '账户停用期间客户端不会交易。' }
  if (differences === null) return { words: '还没有演练', look: 'plain', hint: '演练一次，看会买卖什么、为什么。' }
  if (confirmed === null) return { words: `未确认 · 差异 ${differences}`, look: 'warn', hint: '核对演练的差异并确认后再导出。' }
  return { words: `已确认 · 差异 ${differences}`, look: 'ok', hint: '差异已核对。配置、账户或交易参数改变后要重新确认。' }
}
