import { type MarketId, marketIds, markets } from '@convexa/contract/enums/market'
import type { Website } from '@convexa/contract/system'
import { dateTime } from '../../base/dates.ts'
import type { WaitingOrder } from '../../features/vip/waiting-order.ts'
import type { MarketClock } from '../../market/clock.ts'

/** All that a banner may speak of. A later source adds its fact here. */
export interface BannerFacts {
  modes: Website['data_mode']
  clock: MarketClock
  /** The market of the page, if it has one. */
  kind: MarketId | null
  /** When the account is to be deleted, as its owner asked. */
  deletionAt: string | null
  /** An order that waits to be paid. */
  waiting: WaitingOrder | null
}

export interface BannerSource {
  /** Its key among the banners closed for a day; `keyOf`: where each thing that it speaks of is closed by itself. */
  key: string
  keyOf?: (facts: BannerFacts) => string
  tone: 'warn' | 'info'
  /** What can be done about it stands beside it. `restore` cannot be closed. */
  act?: 'restore' | 'pay'
  /** Null while there is nothing to say. */
  say: (facts: BannerFacts) => string | null
}

/** The first that has something to say is shown: first what ends soon. 维护预告 comes after these, with its issue. */
const bannerSources: readonly BannerSource[] = [
  { key: 'deletion', tone: 'warn', act: 'restore', say: deletionWords },
  { key: 'order', keyOf: ({ waiting }) => `order ${waiting?.id}`, tone: 'warn', act: 'pay', say: ({ waiting }) => waiting?.words ?? null },
  { key: 'demo', tone: 'warn', say: demoWords },
  { key: 'closed', tone: 'info', say: closedWords },
]

export interface Banner {
  key: string
  tone: BannerSource['tone']
  act: BannerSource['act']
  text: string
}

/** The banner of now. `dismissed` holds for each key the day on which it was closed. */
export function bannerOf(
  facts: BannerFacts,
  dismissed: Readonly<Record<string, string>>,
  sources: readonly BannerSource[] = bannerSources,
): Banner | null {
  for (const { key: name, keyOf, tone, act, say } of sources) {
    const key = keyOf?.(facts) ?? name
    if (dismissed[key] === facts.clock.date) continue
    const text = say(facts)
    if (text !== null) return { key, tone, act, text }
  }
  return null
}

function deletionWords({ deletionAt }: BannerFacts): string | null {
  return deletionAt && `账号将于 ${dateTime(deletionAt).slice(0, 16)} 注销，届时全部数据会被删除。`
}

function demoWords({ modes, kind }: BannerFacts): string | null {
  const demo = marketIds.filter((one) => modes[one] === 'demo' && (kind === null || one === kind))
  if (demo.length === 0) return null
  const which = demo.length === marketIds.length || kind !== null ? '当前' : demo.map((one) => markets[one].label).join('和')
  return `${which}是演示数据：由程序模拟生成，非真实行情，不能用于交易。`
}

function closedWords({ clock }: BannerFacts): string | null {
  if (clock.phase !== '休市') return null
  return `今日休市${clock.reason ? `（${clock.reason}）` : ''}，没有新的行情。`
}
