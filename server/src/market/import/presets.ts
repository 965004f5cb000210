/** The files that need no mapping: one record each. */
import { benchmarkLabel, type NamedBenchmark } from '@convexa/contract/enums/benchmark'
import type { SnapshotKind } from '../manifest.ts'
import { Mapping } from './mapping.ts'

export interface Preset {
  readonly name: string
  readonly label: string
  readonly kind: SnapshotKind
  readonly mapping: Mapping
  /** Beside the columns of the mapping, a file of this preset has these. */
  readonly also?: readonly string[]
  /** Of a folder whose files overlap only this one is taken, and why is said. */
  readonly only?: { readonly file: string; readonly why: string }
  /** Points known to be wrong in the source: kept as they are, and reported. */
  readonly known?: readonly { readonly code: string; readonly dates: readonly string[]; readonly why: string }[]
  /** Checks whose findings are reported but leave the rows as they are, and why. */
  readonly tolerate?: Readonly<Record<string, string>>
  /** Codes of series whose files name them otherwise. */
  readonly codes?: Readonly<Record<string, { readonly code: string; readonly name: string }>>
  /** Sentences for the report. */
  readonly notes: readonly string[]
}

const percent = (column: string) => ({ column, unit: '%' })
const e4 = (column: string) => ({ column, unit: '万分之一元' })
const named = (code: NamedBenchmark) => ({ code, name: benchmarkLabel(code) })
const preset = (given: Omit<Preset, 'mapping'> & { mapping: unknown }): Preset => ({ ...given, mapping: Mapping.parse(given.mapping) })

export const presets: readonly Preset[] = [
  preset({
    name: 'cb-panel',
    label: '可转债日频面板',
    kind: 'cb',
    mapping: {
      code: 'ts_code',
      date: 'trade_date',
      name: 'bond_short_name',
      stock_code: 'stk_cd',
      listed: 'is_listed',
      traded: 'is_traded',
      fields: {
        close: 'close',
        open: 'open',
        close_stk: 'stock_price',
        conv_price: 'conv_price',
        conv_value: 'conv_value',
        conv_prem: percent('conv_prem_pct'),
        ytm: percent('ytm_pct'),
        turnover: percent('turnover_pct'),
        amount: { column: 'amount_wan', unit: '万元' },
        remain_size: { column: 'remain_yi', unit: '亿元' },
        left_years: 'left_years',
        rating: 'rating',
      },
    },
    known: [
      { code: '127005.SZ', dates: ['2018-03-13'], why: '收盘价 100.00 有误' },
      { code: '128016.SZ', dates: ['2018-06-11', '2018-06-12'], why: '收盘价有误' },
      { code: '113562.SH', dates: ['2020-12-18'], why: '收盘价有误' },
    ],
    notes: ['文件没有最高价、最低价和成交量；开盘价到 2022-04-01 为止；成交额只有 2023-03-20 之后的。'],
  }),
  preset({
    name: 'stk-qfq-e4',
    label: 'A 股前复权日线（价格 × 10000）',
    kind: 'stk',
    mapping: {
      code: 'ts_code',
      date: 'trade_date',
      adjust: 'qfq',
      fields: {
        close: e4('close_e4'),
        open: e4('open_e4'),
        high: e4('high_e4'),
        low: e4('low_e4'),
        pre_close: e4('pre_close_e4'),
        vol: { column: 'vol_share', unit: '股' },
        amount: { column: 'amount_yuan', unit: '元' },
      },
    },
    tolerate: { short_last_day: '来源文件的最后一天只有部分股票，按原样保留' },
    only: { file: 'all_market_2022_2023.parquet', why: '文件夹中的两个文件内容重叠、区间不同，不合并，只导入全市场文件' },
    notes: ['价格为前复权价，成交量和成交额未复权；没有退市股票（存在幸存者偏差）；停牌日没有行。'],
  }),
  preset({
    name: 'stk-baostock',
    label: 'BaoStock A 股日线',
    kind: 'stk',
    also: ['tradestatus', 'isST'],
    mapping: {
      code: 'ts_code',
      date: 'trade_date',
      traded: 'tradestatus',
      fields: {
        close: 'close',
        open: 'open',
        high: 'high',
        low: 'low',
        pre_close: 'preclose',
        vol: { column: 'volume', unit: '股' },
        amount: { column: 'amount', unit: '元' },
        turnover: percent('turn'),
        adj_factor: 'adj_factor',
        pe_ttm: 'peTTM',
        pb: 'pbMRQ',
        ps_ttm: 'psTTM',
        is_st: 'isST',
      },
    },
    notes: [
      '成分为文件整理时的沪深 300（存在幸存者偏差）；价格未复权，复权因子随文件提供。',
      '文件的市现率按现金净增加额计算，与本系统的口径（经营现金流）不同，没有导入。',
    ],
  }),
  preset({
    name: 'stk-tushare',
    label: 'Tushare A 股日线（未复权 + 复权因子）',
    kind: 'stk',
    mapping: {
      code: 'ts_code',
      date: 'trade_date',
      fields: {
        close: 'close',
        open: 'open',
        high: 'high',
        low: 'low',
        pre_close: 'pre_close',
        vol: { column: 'vol', unit: '手' },
        amount: { column: 'amount', unit: '千元' },
        adj_factor: 'adj_factor',
      },
    },
    notes: ['价格未复权，复权因子随文件提供。'],
  }),
  preset({
    name: 'index-tushare',
    label: 'Tushare 指数日线',
    kind: 'index',
    mapping: { code: 'ts_code', date: 'trade_date', fields: { close: 'close', open: 'open', high: 'high', low: 'low' } },
    codes: {
      '000001.SH': { code: '000001', name: '上证指数' },
      '000016.SH': { code: '000016', name: '上证50' },
      '000300.SH': named('000300'),
      '000688.SH': { code: '000688', name: '科创50' },
      '000832.CSI': named('000832'),
      '000832.SH': named('000832'),
      '000852.SH': named('000852'),
      '000905.SH': named('000905'),
      '000906.SH': named('000906'),
      '932000.CSI': named('932000'),
      '399001.SZ': { code: '399001', name: '深证成指' },
      '399006.SZ': { code: '399006', name: '创业板指' },
    },
    notes: [],
  }),
  preset({
    name: 'index-sw-l1',
    label: '申万一级行业指数',
    kind: 'index',
    mapping: { code: 'sw_l1', date: 'trade_date', fields: { close: 'close' } },
    codes: Object.fromEntries(
      (
        [
          ['801010', '农林牧渔'],
          ['801030', '基础化工'],
          ['801040', '钢铁'],
          ['801050', '有色金属'],
          ['801080', '电子'],
          ['801110', '家用电器'],
          ['801120', '食品饮料'],
          ['801130', '纺织服饰'],
          ['801140', '轻工制造'],
          ['801150', '医药生物'],
          ['801160', '公用事业'],
          ['801170', '交通运输'],
          ['801180', '房地产'],
          ['801200', '商贸零售'],
          ['801210', '社会服务'],
          ['801230', '综合'],
          ['801710', '建筑材料'],
          ['801720', '建筑装饰'],
          ['801730', '电力设备'],
          ['801740', '国防军工'],
          ['801750', '计算机'],
          ['801760', '传媒'],
          ['801770', '通信'],
          ['801780', '银行'],
          ['801790', '非银金融'],
          ['801880', '汽车'],
          ['801890', '机械设备'],
          ['801950', '煤炭'],
          ['801960', '石油石化'],
          ['801970', '环保'],
          ['801980', '美容护理'],
        ] as const
      ).map(([code, name]) => [name, { code, name: `申万${name}` }]),
    ),
    notes: [],
  }),
]

/** Columns that a file must have for a preset. */
export function columnsOf({ code, date, name, stock_code, stock_name, listed, traded, attributes, fields }: Mapping): string[] {
  const plain = [code, date, name, stock_code, stock_name, listed, traded, ...Object.values(attributes)]
  const sources = Object.values(fields).map((source) => (typeof source === 'string' ? source : source.column))
  return [...new Set([...plain, ...sources].filter((column) => column !== undefined))]
}

/** The preset whose columns a file has; of several the one that reads most of them. */
export function presetFor(kind: SnapshotKind, columns: readonly string[]): Preset | null {
  const there = new Set(columns)
  const needed = (each: Preset) => [...columnsOf(each.mapping), ...(each.also ?? [])]
  const fitting = presets.filter((each) => each.kind === kind && needed(each).every((column) => there.has(column)))
  fitting.sort((a, b) => needed(b).length - needed(a).length)
  return fitting[0] ?? null
}
