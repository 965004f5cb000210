import type { AlertBody, AlertKey } from './alert.ts'
import { type BookDoubt, passingDoubts } from './book-doubt.ts'
import { type MarketId, markets } from './enums/market.ts'

/** Run configuration, market and security of an alert. */
export interface AlertAbout {
  /** Name of the run configuration. */
  readonly config: string
  readonly kind: MarketId
  /** Name of the security; its code where no name is known, '' where the alert concerns no security. */
  readonly name: string
}

export interface AlertWords {
  /** At most 30 characters with a name of usual length. */
  readonly title: string
  readonly text: string
}

const sides = { buy: '买入', sell: '卖出' } as const

/** Why nothing of a security is traded until the account and the book agree, or the user has said what is held. */
export const restWords: Readonly<Record<BookDoubt, string>> = {
  event: '除权、到期或代码变更后，账户里的数量与账本不符',
  ex: '终端的前收盘与网站不同，可能有网站还不知道的除权',
  less: '账户里的数量少于各配置账本之和',
  unproven: '终端的持仓少于账本，或曾少于账本、后来又变多，无法确认其中多少是本配置的',
  record: '按网站记录重建之后，无法确定记录里是否已有当日的成交',
}

const bookWords: Record<'follow' | 'cut' | 'back', (book: string) => string> = {
  follow: (book) => `随除权、到期或代码变更，账本${book}。`,
  cut: (book) => `账户里的数量少于账本，账本${book}。下一交易日的计划会再买回。`,
  back: (book) => `减少的数量已回到账户，账本${book}。`,
}

const writers: { readonly [Key in AlertKey]: (body: AlertBody<Key>, about: AlertAbout) => AlertWords } = {
  order_unsure: ({ trade_date, side, volume }, { config, kind, name }) => ({
    title: `委托待核对：${name}`,
    text: `「${config}」${trade_date} ${sides[side]}${name} ${volume} ${markets[kind].unit}，客户端不知道是否成交。回答之前不再买卖它，请在终端的当日委托、历史成交里核对后回答。`,
  }),
  order_refused: ({ side, volume, words }, { config, kind, name }) => ({
    title: `委托被拒：${name}`,
    text: `「${config}」${sides[side]}${name} ${volume} ${markets[kind].unit}被拒：${words || '终端没有说明原因'}。其余委托照常。`,
  }),
  book_changed: ({ why, asked, before, after }, { config, name }) => {
    if (why === 'follow' || why === 'cut' || why === 'back') {
      return { title: `账本变动：${name}`, text: `「${config}」的${name}：${bookWords[why](`由 ${before} 变为 ${after}`)}` }
    }
    const isAsked = asked === true || !passingDoubts.includes(why)
    const next = isAsked ? '请在运行配置页回答本配置持有多少。' : '通常次日自动恢复，满 3 个交易日仍不符会请你核对。'
    return { title: `暂停买卖：${name}`, text: `「${config}」暂停买卖${name}：${restWords[why]}。${next}` }
  },
  client_halted: ({ reason }, { config }) => ({ title: '自动交易已停', text: `「${config}」：${reason}。` }),
}

/** An alert as a title and a sentence: what is known, what follows by the user's own settings, never advice. */
export const alertWords = <Key extends AlertKey>(key: Key, body: AlertBody<Key>, about: AlertAbout): AlertWords => writers[key](body, about)
