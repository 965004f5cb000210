import type { Operation } from '../graph.ts'
import { each, eachPair } from './cells.ts'
import { type BarPrice, type FunctionArgument, type FunctionEntry, line, n, twoDays, x } from './function.ts'
import { difference, multiply } from './operators.ts'
import { runningTotal } from './recursive.ts'

// Functions that are written in the language itself: a line of data each. What they mean is what their formulas say.

const condition: FunctionArgument = { name: 'cond', label: '条件', kind: 'series' }
const other = (name: string): FunctionArgument => ({ name, label: '数值', kind: 'series' })
const days = (name: string, label: string, standard?: number): FunctionArgument => ({
  name,
  label,
  kind: 'window',
  ...(standard === undefined ? {} : { default: standard }),
})
const macd = [x, days('short', '快线周期', 12), days('long', '慢线周期', 26), days('signal', '信号周期', 9)]
const kdj = [days('n', '周期（交易日）', 9), days('m1', 'K 平滑周期', 3), days('m2', 'D 平滑周期', 3)]
const bands = [x, days('n', '周期（交易日）', 20), { name: 'k', label: '标准差倍数', kind: 'number', default: 2 } as const]

interface Written {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly label: string
  readonly args: readonly FunctionArgument[]
  readonly formula: string
  /** Prices that it reads by itself, and how it does so where the data have an adjustment factor. */
  readonly bar?: readonly BarPrice[]
  readonly adjusted?: string
  readonly isYuanOfDay?: true
  /** Days before today that are read, by the numbers. */
  readonly back: (...numbers: readonly number[]) => number
  readonly doc: string
  readonly example: string
  readonly minimum?: true
}

const window = (length: number) => length - 1
const whole = (length: number) => length
const recent = '最近 n 个交易日'
const macdLine = 'ema(x, short) - ema(x, long)'
const raw = '(close - ts_min(low, n)) / (ts_max(high, n) - ts_min(low, n)) * 100'
const typical = 'price := (high + low + close) / 3; '
const trueRange = 'max(high - low, abs(high - ref(close, 1)), abs(low - ref(close, 1)))'
const bar = ['high', 'low', 'close'] as const
/** Adjusted prices that differ by less than half a tick of the raw price are the same. */
const halfTick = 'least := tick * factor / 2; '

const written: readonly Written[] = [
  {
    name: 'log_ret',
    label: '对数收益率',
    args: [x, days('n', '周期（交易日）', 1)],
    formula: 'log(x / ref(x, n))',
    back: whole,
    doc: '当日值 ÷ n 个交易日前的值的自然对数',
    example: 'log_ret(close, 1)',
  },
  {
    name: 'ts_zscore',
    label: '时序标准分',
    args: [x, twoDays],
    minimum: true,
    formula: '(x - ts_mean(x, n, mp)) / ts_std(x, n, mp)',
    back: window,
    doc: `当日值减去${recent}均值后除以标准差（自由度减一）`,
    example: 'ts_zscore(conv_prem, 60)',
  },
  {
    name: 'ts_minmax',
    label: '区间位置',
    args: [x, twoDays],
    minimum: true,
    formula: '(x - ts_min(x, n, mp)) / (ts_max(x, n, mp) - ts_min(x, n, mp))',
    back: window,
    doc: `当日值在${recent}最小值与最大值之间的位置，0 为最小，1 为最大`,
    example: 'ts_minmax(close, 60)',
  },
  {
    name: 'ts_ir',
    label: '均值波动比',
    args: [x, twoDays],
    minimum: true,
    formula: 'ts_mean(x, n, mp) / ts_std(x, n, mp)',
    back: window,
    doc: `${recent}的均值 ÷ 标准差（自由度减一）`,
    example: 'ts_ir(pct(close, 1), 20)',
  },
  {
    name: 'ts_count',
    aliases: ['count'],
    label: '成立天数',
    args: [condition, n],
    minimum: true,
    formula: 'ts_sum(bool(cond), n, mp)',
    back: window,
    doc: `${recent}中条件成立的天数`,
    example: 'ts_count(close > open, 10)',
  },
  {
    name: 'ts_all',
    aliases: ['every'],
    label: '一直成立',
    args: [condition, n],
    minimum: true,
    formula: 'ts_min(bool(cond), n, mp)',
    back: window,
    doc: `${recent}条件都成立为 1，否则为 0`,
    example: 'ts_all(close > 100, 5)',
  },
  {
    name: 'ts_any',
    aliases: ['exist'],
    label: '曾经成立',
    args: [condition, n],
    minimum: true,
    formula: 'ts_max(bool(cond), n, mp)',
    back: window,
    doc: `${recent}条件成立过为 1，否则为 0`,
    example: 'ts_any(vol == 0, 5)',
  },
  {
    name: 'cross',
    label: '上穿',
    args: [other('a'), other('b')],
    formula: 'd := diff(a, b); ref(d, 1) <= 0 and d > 0',
    back: () => 1,
    doc: '前一日 a ≤ b 而当日 a > b 为 1，否则为 0',
    example: 'cross(ma(close, 5), ma(close, 20))',
  },
  {
    name: 'ts_vol',
    label: '年化波动率',
    args: [x, twoDays],
    minimum: true,
    formula: 'ts_std(log_ret(x, 1), n, mp) * sqrt(242)',
    back: whole,
    doc: `${recent}对数收益率的标准差 × √242`,
    example: 'ts_vol(close, 20)',
  },
  {
    name: 'ts_downvol',
    label: '下行波动率',
    args: [x, twoDays],
    formula: 'r := log_ret(x, 1); ts_std(where(diff(x, ref(x, 1)) < 0, r), n, 2) * sqrt(242) + 0 * ts_sum(r, n)',
    back: whole,
    doc: `${recent}中为负的对数收益率的标准差 × √242；不足两个时缺失`,
    example: 'ts_downvol(close, 60)',
  },
  {
    name: 'ts_er',
    label: '效率系数',
    args: [x, n],
    formula: 'abs(x - ref(x, n)) / ts_sum(abs(delta(x, 1)), n)',
    back: whole,
    doc: 'n 个交易日的净变动 ÷ 每日变动绝对值之和，1 为单边走势',
    example: 'ts_er(close, 20)',
  },
  {
    name: 'tr',
    label: '真实波幅',
    args: [],
    bar,
    formula: trueRange,
    adjusted: `${trueRange} / factor`,
    isYuanOfDay: true,
    back: () => 1,
    doc: '最高价 − 最低价、|最高价 − 前收盘价|、|最低价 − 前收盘价| 中最大的；按复权价，折算为当日的元',
    example: 'tr() / close',
  },
  {
    name: 'atr',
    label: '平均真实波幅',
    args: [days('n', '周期（交易日）', 14)],
    minimum: true,
    bar,
    formula: `ts_mean(${trueRange}, n, mp)`,
    adjusted: `ts_mean(${trueRange}, n, mp) / factor`,
    isYuanOfDay: true,
    back: whole,
    doc: `${recent}真实波幅的平均；按复权价，折算为当日的元`,
    example: 'atr(14) / close',
  },
  {
    name: 'rsi',
    label: '相对强弱',
    args: [x, days('n', '周期（交易日）', 6)],
    formula: 'd := diff(x, ref(x, 1)); sma(max(d, 0), n, 1) / sma(abs(d), n, 1) * 100',
    back: whole,
    doc: '上涨幅度占涨跌幅度的百分比，按 SMA(n, 1) 平滑',
    example: 'rsi(close, 6)',
  },
  {
    name: 'macd_dif',
    label: 'MACD 快线',
    args: macd,
    formula: macdLine,
    back: (short, long) => Math.max(short, long) - 1,
    doc: '快慢两条指数平均之差',
    example: 'macd_dif(close, 12, 26, 9)',
  },
  {
    name: 'macd_dea',
    label: 'MACD 慢线',
    args: macd,
    formula: `ema(${macdLine}, signal)`,
    back: (short, long, signal) => Math.max(short, long) + signal - 2,
    doc: '快线的指数平均',
    example: 'macd_dea(close, 12, 26, 9)',
  },
  {
    name: 'macd',
    label: 'MACD 柱',
    args: macd,
    formula: `dif := ${macdLine}; 2 * (dif - ema(dif, signal))`,
    back: (short, long, signal) => Math.max(short, long) + signal - 2,
    doc: '快线与慢线之差的 2 倍',
    example: 'macd(close, 12, 26, 9)',
  },
  {
    name: 'kdj_k',
    label: 'KDJ K 值',
    args: kdj,
    bar,
    formula: `sma(${raw}, m1, 1)`,
    back: (length, m1) => length + m1 - 2,
    doc: '未成熟随机值按 SMA(m1, 1) 平滑，首值不强制为 50；按复权价',
    example: 'kdj_k(9, 3, 3)',
  },
  {
    name: 'kdj_d',
    label: 'KDJ D 值',
    args: kdj,
    bar,
    formula: `sma(sma(${raw}, m1, 1), m2, 1)`,
    back: (length, m1, m2) => length + m1 + m2 - 3,
    doc: 'K 值按 SMA(m2, 1) 平滑；按复权价',
    example: 'kdj_d(9, 3, 3)',
  },
  {
    name: 'kdj_j',
    label: 'KDJ J 值',
    args: kdj,
    bar,
    formula: `k := sma(${raw}, m1, 1); 3 * k - 2 * sma(k, m2, 1)`,
    back: (length, m1, m2) => length + m1 + m2 - 3,
    doc: '3 倍 K 值减 2 倍 D 值；按复权价',
    example: 'kdj_j(9, 3, 3)',
  },
  {
    name: 'boll_mid',
    label: '布林中轨',
    args: bands,
    formula: 'ts_mean(x, n)',
    back: window,
    doc: `${recent}的均值`,
    example: 'boll_mid(close, 20)',
  },
  {
    name: 'boll_up',
    label: '布林上轨',
    args: bands,
    formula: 'ts_mean(x, n) + k * STD(x, n)',
    back: window,
    doc: '中轨加 k 倍标准差（除以 n）',
    example: 'close / boll_up(close, 20, 2) - 1',
  },
  {
    name: 'boll_low',
    label: '布林下轨',
    args: bands,
    formula: 'ts_mean(x, n) - k * STD(x, n)',
    back: window,
    doc: '中轨减 k 倍标准差（除以 n）',
    example: 'close / boll_low(close, 20, 2) - 1',
  },
  {
    name: 'bias',
    label: '乖离率',
    args: [x, n],
    minimum: true,
    formula: 'x / ts_mean(x, n, mp) - 1',
    back: window,
    doc: `当日值 ÷ ${recent}均值 − 1`,
    example: 'bias(close, 20)',
  },
  {
    name: 'cci',
    label: '顺势指标',
    args: [{ ...days('n', '周期（交易日）', 14), min: 2 }],
    bar,
    formula: `${typical}(price - ts_mean(price, n)) / (0.015 * avedev(price, n))`,
    back: window,
    doc: '典型价格与均值之差 ÷ (0.015 × 平均绝对偏差)；按复权价',
    example: 'cci(14)',
  },
  {
    name: 'wr',
    label: '威廉指标',
    args: [days('n', '周期（交易日）', 10)],
    bar,
    formula: '(ts_max(high, n) - close) / (ts_max(high, n) - ts_min(low, n)) * 100',
    back: window,
    doc: '(最高价 − 收盘价) ÷ (最高价 − 最低价) × 100，价格为区间内的；按复权价',
    example: 'wr(10)',
  },
  {
    name: 'mfi',
    label: '资金流量',
    args: [days('n', '周期（交易日）', 14)],
    bar,
    formula: `${typical}d := diff(price, ref(price, 1)); flow := price * vol; 100 * ts_sum(if(d > 0, flow, 0), n) / ts_sum(if(d != 0, flow, 0), n)`,
    // A mean of three prices goes by thirds of a tick.
    adjusted: `${typical}least := tick * factor / 6; d := diff(price, ref(price, 1)); flow := price * vol; 100 * ts_sum(if(d > least, flow, 0), n) / ts_sum(if(abs(d) > least, flow, 0), n)`,
    back: whole,
    doc: '典型价格上涨日的成交额占涨跌日成交额的百分比；按复权价，成交量不复权',
    example: 'mfi(14)',
  },
  {
    name: 'vwap_n',
    label: '区间均价',
    args: [n],
    minimum: true,
    formula: 'ts_sum(amount, n, mp) * 10000 / (ts_sum(vol, n, mp) * volume_unit)',
    adjusted: 'ts_sum(amount, n, mp) * 10000 / (ts_sum(vol / factor, n, mp) * volume_unit) / factor',
    isYuanOfDay: true,
    back: window,
    doc: `${recent}的成交额 ÷ 成交量，单位元；成交量按复权因子折算，结果为当日的元`,
    example: 'close / vwap_n(5) - 1',
  },
  {
    name: 'psy',
    label: '心理线',
    args: [days('n', '周期（交易日）', 12)],
    bar: ['close'],
    formula: '100 * ts_count(diff(close, ref(close, 1)) > 0, n) / n',
    adjusted: `${halfTick}100 * ts_count(diff(close, ref(close, 1)) > least, n) / n`,
    back: whole,
    doc: `${recent}中上涨天数的百分比；按复权价`,
    example: 'psy(12)',
  },
  {
    name: 'limit_streak',
    label: '连板数',
    args: [],
    formula: "bars_streak(flag('limit_up'))",
    back: () => 0,
    doc: '连续收于涨停的天数',
    example: 'limit_streak()',
  },
]

const direction: Operation = { name: 'sign', run: each(Math.sign) }
/** Of a change of adjusted prices and the factor: neither up nor down where it is less than half a tick of the raw price. */
const directionInTicks = (tick: number): Operation => ({
  name: `sign_in_ticks ${tick}`,
  run: eachPair((change, factor) => (Math.abs(change) > (tick * factor) / 2 ? Math.sign(change) : 0 * change * factor)),
})

export const indicators: readonly FunctionEntry[] = [
  ...written.map(({ back, ...entry }) => line({ ...entry, category: '时序', lookback: (numbers) => back(...numbers) })),
  line({
    name: 'obv',
    label: '能量潮',
    category: '时序',
    args: [],
    fields: (_, { bars }) => ['vol', ...(bars.factor === null ? ['close'] : ['adj_close', bars.factor])],
    lookback: () => 1,
    doc: '自上市起，上涨日加成交量、下跌日减成交量的累计；按复权价',
    example: 'delta(obv(), 5)',
    build: (graph, { series: [vol, close, factor], market }) => {
      // Prices of adjusted files are computed ones: equal ones differ in the last digits.
      const change = graph.apply(difference, [graph.series(close), graph.delay(close, 1)])
      const way = factor ? graph.apply(directionInTicks(market.bars.tick), [change, factor]) : graph.apply(direction, [change])
      return runningTotal(graph, graph.apply(multiply, [way, vol]))
    },
  }),
]
