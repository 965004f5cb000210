import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { baostock } from './baostock/baostock.ts'
import { type Chain, type ChainOptions, chain, type Heard } from './chain.ts'
import { withDailyLists } from './daily-lists.ts'
import { eastmoney } from './eastmoney.ts'
import type { Feed } from './feed.ts'
import { file } from './file.ts'
import { jisilu } from './jisilu.ts'
import type { FeedName, FeedSettings } from './settings.ts'
import { sina } from './sina.ts'
import type { Ground } from './source/ground.ts'
import { type Transport, transport } from './source/transport.ts'
import { tencent } from './tencent.ts'
import { tushare } from './tushare/tushare.ts'
import { xtdata } from './xtdata/xtdata.ts'

type Settings = Pick<Config, 'feeds' | 'dataDir'>

const makers: Readonly<Record<FeedName, (settings: FeedSettings, ask: Transport, ground: Ground, dataDir: string) => Feed>> = {
  tushare: (settings, ask, ground) => tushare(settings.tushare, ask, ground.now),
  baostock: (settings, _, ground) => baostock(settings.baostock, ground),
  eastmoney: (settings, ask, ground) => eastmoney(settings.eastmoney, ask, ground),
  tencent: (settings, ask, ground) => tencent(settings.tencent, ask, ground),
  sina: (settings, ask, ground) => sina(settings.sina, ask, ground),
  jisilu: (settings, ask, ground) => jisilu(settings.jisilu, ask, ground),
  xtdata: (_settings, _ask, ground, dataDir) => xtdata(dataDir, ground),
  file: (settings) => file(settings.file.folder ?? ''),
}

/** The sources that are on. */
export function openFeeds({ feeds, dataDir }: Settings, now: () => Date, names: readonly FeedName[] = feeds.on): Feed[] {
  const ground: Ground = { now: () => now().getTime(), sleep: (ms, signal) => sleep(ms, undefined, { signal }) }
  // One for all: what is counted of a token is counted once.
  const ask = transport(ground)
  return names.map((name) => makers[name](feeds, ask, ground, dataDir))
}

/** The sources that are on, in the order of each need. `hear`: told how they answer. */
export const openChain = (
  settings: Settings,
  now: () => Date,
  hear: (heard: Heard) => void,
  hasReleased?: ChainOptions['hasReleased'],
): Chain => {
  const clock = () => now().getTime()
  return withDailyLists(chain(openFeeds(settings, now), clock, { hear, ...(hasReleased && { hasReleased }) }), clock)
}
