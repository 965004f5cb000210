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

type Credential = 'TUSHARE_TOKEN' | 'JISILU_COOKIE' | 'XTDATA_KEY' | 'FEED_FOLDER'
/** What a source cannot do without. */
export const needed: Readonly<Partial<Record<FeedName, Credential>>> = {
  tushare: 'TUSHARE_TOKEN',
  jisilu: 'JISILU_COOKIE',
  xtdata: 'XTDATA_KEY',
  file: 'FEED_FOLDER',
}
