import { type FeedSettings, needed } from './feeds.ts'
import type { SettingsReader } from './read-settings.ts'

/** The settings of the market data sources; each that is on has what it cannot do without. */
export function readFeedSettings({ read, isSet, problem }: SettingsReader): FeedSettings {
  const on = read('FEEDS')
  for (const name of on) {
    const variable = needed[name]
    if (variable && !isSet(variable)) problem(`环境变量 FEEDS 启用了 ${name}，还需设置 ${variable}`)
  }
  const [host = '', port] = read('BAOSTOCK_ADDRESS').split(':')
  return {
    on,
    tushare: { url: read('TUSHARE_URL'), token: read('TUSHARE_TOKEN'), perMinute: read('TUSHARE_PER_MINUTE') },
    baostock: { host, port: Number(port) },
    eastmoney: {
      // The delayed mirror last: it is the one that answers when the others do not.
      listUrls: [read('EASTMONEY_URL'), read('EASTMONEY_OTHER_URL')],
      historyUrl: read('EASTMONEY_HISTORY_URL'),
      dataUrl: read('EASTMONEY_DATA_URL'),
    },
    tencent: { url: read('TENCENT_URL') },
    sina: { url: read('SINA_URL') },
    jisilu: { url: read('JISILU_URL'), cookie: read('JISILU_COOKIE') },
    xtdata: { key: read('XTDATA_KEY') },
    keepDays: read('FEED_KEEP_DAYS'),
    file: { folder: read('FEED_FOLDER') || null },
  }
}
