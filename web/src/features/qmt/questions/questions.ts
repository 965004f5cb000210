import type { JournalQuestion, OrderQuestion, Questions } from '@convexa/contract/qmt-trade'

/** Whether anything is asked or told. */
export const isQuiet = ({ orders, books, journals, changes }: Questions): boolean =>
  orders.length + books.length + journals.length + changes.length === 0

/** Questions that have no answer yet. */
export const openCount = ({ orders, books, journals }: Questions): number =>
  orders.filter(({ settled_filled: said, is_correction: ended }) => said === null && !ended).length +
  books.filter(({ settled_volume: said }) => said === null).length +
  journals.filter(({ use }) => use === null).length

export const changeWords: Record<Questions['changes'][number]['why'], string> = {
  follow: '随除权、到期或代码变更改变',
  cut: '账户少于账本，按账户减少，下一交易日的计划会再买回',
  back: '已回到账户，恢复',
  user: '按你的回答改变',
  opening: '按网站记录重建',
}

export const journalWords: Record<JournalQuestion['state'], string> = {
  lost: '客户端的目录里没有本配置以前的委托记录，已停止，以免重复买入。也可以把原目录里的 journal-live.jsonl 复制过去再启动。',
  damaged: '客户端的委托记录已损坏，已停止。也可以把备份（目录 journal-copies）复制回去再启动。',
  other: '客户端的委托记录与网站最后见到的不同，已停止：可能是旧的副本，或另一台电脑也在运行本配置、定了计划而没有报告结束。',
}

/** State of the question about an order, in words; `online`: whether its client sends heartbeats. */
export function stateOf(
  { settled_filled: said, filled, volume, is_correction: ended, is_over: over }: OrderQuestion,
  online: boolean,
): string {
  if (said === null) return ended ? `已核对：成交 ${filled}` : '待核对'
  return `已回答：成交 ${said}，${said < volume && !over ? '收盘后（15:05）生效' : waitWords(online)}`
}

/** What an answer given here still waits for. */
export const waitWords = (online: boolean): string => (online ? '等待客户端确认' : '客户端不在线，下次心跳时收到')

/** Three missed heartbeats. */
const silentMs = 180_000

/** Whether a client has told of itself lately. */
export const isOnline = (heartbeatAt: string | null, now: number): boolean =>
  heartbeatAt !== null && now - Date.parse(heartbeatAt) < silentMs

/** Where its volumes stand. */
export const volumesOf = ({ account, book, others }: Pick<OrderQuestion, 'account' | 'book' | 'others'>): string =>
  `账户 ${account ?? '—'} · 账本 ${book} · 其他配置 ${others}`
