import { setTimeout as sleep } from 'node:timers/promises'
import type { FeedName, FeedSettings } from '../config/feeds.ts'
import { baostock } from './baostock/baostock.ts'
import { type Chain, type ChainOptions, chain, type QuestionOutcome } from './chain.ts'
import { withDailyLists } from './daily-lists.ts'
import { eastmoney } from './eastmoney.ts'
import type { Feed } from './feed.ts'
import { file } from './file.ts'
import { jisilu } from './jisilu.ts'
import { sina } from './sina.ts'
import type { FeedDeps } from './source/feed-deps.ts'
import { type Transport, transport } from './source/transport.ts'
import { tencent } from './tencent.ts'
import { tushare } from './tushare/tushare.ts'
import type { ReadPushed } from './xtdata/pushed-store.ts'
import { xtdata } from './xtdata/xtdata.ts'

interface Settings {
  readonly feeds: FeedSettings
  /** What the bridge of a terminal pushed. */
  readonly pushed: ReadPushed
}

const makers: Readonly<Record<FeedName, (settings: FeedSettings, ask: Transport, deps: FeedDeps, pushed: ReadPushed) => Feed>> = {
  tushare: (settings, ask, deps) => tushare(settings.tushare, ask, deps.now),
  baostock: (settings, _, deps) => baostock(settings.baostock, deps),
  eastmoney: (settings, ask, deps) => eastmoney(settings.eastmoney, ask, deps),
  tencent: (settings, ask, deps) => tencent(settings.tencent, ask, deps),
  sina: (settings, ask, deps) => sina(settings.sina, ask, deps),
  jisilu: (settings, ask, deps) => jisilu(settings.jisilu, ask, deps),
  xtdata: (_settings, _ask, deps, pushed) => xtdata(pushed, deps),
  file: (settings) => file(settings.file.folder ?? ''),
}

/** The sources that are on. */
export function openFeeds({ feeds, pushed }: Settings, now: () => Date, names: readonly FeedName[] = feeds.on): Feed[] {
  const deps: FeedDeps = { now: () => now().getTime(), sleep: (ms, signal) => sleep(ms, undefined, { signal }) }
  // One for all: what is counted of a token is counted once.
  const ask = transport(deps)
  return names.map((name) => makers[name](feeds, ask, deps, pushed))
}

/** The sources that are on, in the order of each need. The outcome of each question is reported (`ChainOptions`). */
export const openChain = (
  settings: Settings,
  now: () => Date,
  onOutcome: (outcome: QuestionOutcome) => void,
  hasReleased?: ChainOptions['hasReleased'],
): Chain => {
  const clock = () => now().getTime()
  return withDailyLists(chain(openFeeds(settings, now), clock, { onOutcome, ...(hasReleased && { hasReleased }) }), clock)
}
