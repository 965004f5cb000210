/** Which sources are on, and with what: read with the other settings of a process, never made of anything that a request says. */

export const feedNames = ['tushare', 'baostock', 'eastmoney', 'tencent', 'sina', 'jisilu', 'xtdata', 'file'] as const
export type FeedName = (typeof feedNames)[number]
/** What a person reads. */
export const feedLabels: Readonly<Record<FeedName, string>> = {
  tushare: 'Tushare Pro',
  baostock: 'BaoStock',
  eastmoney: '东方财富',
  tencent: '腾讯',
  sina: '新浪',
  jisilu: '集思录',
  xtdata: '本地终端行情',
  file: '文件',
}
/** Of a name as it stands in a row or a manifest; one that is not known is its own label. */
export const feedLabel = (name: string): string => feedNames.flatMap((known) => (known === name ? feedLabels[known] : []))[0] ?? name

export interface FeedSettings {
  readonly on: readonly FeedName[]
  readonly tushare: { readonly url: string; readonly token: string; readonly perMinute: number }
  readonly baostock: { readonly host: string; readonly port: number }
  readonly eastmoney: { readonly listUrls: readonly string[]; readonly historyUrl: string; readonly dataUrl: string }
  readonly tencent: { readonly url: string }
  readonly sina: { readonly url: string }
  readonly jisilu: { readonly url: string; readonly cookie: string }
  /** Authenticates what the bridge on the user's computer pushes. */
  readonly xtdata: { readonly key: string }
  /** How long answers are kept as they came. */
  readonly keepDays: number
  /** Where a user puts files; null: nowhere. */
  readonly file: { readonly folder: string | null }
}

/** How the settings of a process are read (config.ts): mistakes are noted there. */
export interface SettingsReader {
  text(name: string, fallback: string): string
  integer(name: string, fallback: number, min: number, max: number): number
  /** An address that begins with http:// or https://. */
  url(name: string, fallback: string): string
  problem(sentence: string): void
}

/** What a source cannot do without. */
export const needed: Readonly<Partial<Record<FeedName, string>>> = {
  tushare: 'TUSHARE_TOKEN',
  jisilu: 'JISILU_COOKIE',
  xtdata: 'XTDATA_KEY',
  file: 'FEED_FOLDER',
}

export function readFeedSettings({ text, integer, url, problem }: SettingsReader): FeedSettings {
  const listed = text('FEEDS', '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean)
  const isKnown = (name: string): name is FeedName => feedNames.some((known) => known === name)
  const unknown = listed.find((name) => !isKnown(name))
  if (unknown !== undefined) problem(`环境变量 FEEDS 需为 ${feedNames.join('、')} 中的若干个，以逗号分隔，现在有“${unknown}”`)
  const on = feedNames.filter((name) => listed.includes(name))
  for (const name of on) {
    const variable = needed[name]
    if (variable && !text(variable, '')) problem(`环境变量 FEEDS 启用了 ${name}，还需设置 ${variable}`)
  }

  // Sent as a header: a line end in it would begin another.
  const secret = (name: string) => {
    const given = text(name, '')
    if (/[^\x20-\x7e]/.test(given)) problem(`环境变量 ${name} 只能有可打印的 ASCII 字符`)
    return given
  }
  const address = text('BAOSTOCK_ADDRESS', 'public-api.baostock.com:10030')
  const found = /^([\w.-]{1,253}):(\d{1,5})$/.exec(address)
  if (!found || Number(found[2]) > 65_535) problem(`环境变量 BAOSTOCK_ADDRESS 需为 主机:端口，现在是“${address}”`)
  const key = secret('XTDATA_KEY')
  if (key && key.length < 32) problem('环境变量 XTDATA_KEY 需至少 32 个字符')

  return {
    on,
    tushare: {
      url: url('TUSHARE_URL', 'http://api.tushare.pro'),
      token: secret('TUSHARE_TOKEN'),
      perMinute: integer('TUSHARE_PER_MINUTE', 200, 1, 10_000),
    },
    baostock: { host: found?.[1] ?? '', port: Number(found?.[2] ?? 0) },
    eastmoney: {
      // The delayed mirror last: it is the one that answers when the others do not.
      listUrls: [url('EASTMONEY_URL', 'https://82.push2.eastmoney.com'), url('EASTMONEY_OTHER_URL', 'https://push2delay.eastmoney.com')],
      historyUrl: url('EASTMONEY_HISTORY_URL', 'https://push2his.eastmoney.com'),
      dataUrl: url('EASTMONEY_DATA_URL', 'https://datacenter-web.eastmoney.com'),
    },
    tencent: { url: url('TENCENT_URL', 'https://qt.gtimg.cn') },
    sina: { url: url('SINA_URL', 'https://hq.sinajs.cn') },
    jisilu: { url: url('JISILU_URL', 'https://www.jisilu.cn'), cookie: secret('JISILU_COOKIE') },
    xtdata: { key },
    keepDays: integer('FEED_KEEP_DAYS', 400, 30, 36_500),
    file: { folder: text('FEED_FOLDER', '') || null },
  }
}
