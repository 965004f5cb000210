import type { MetricKey } from '@convexa/contract/metrics'
import type { Report, ReportCore } from '@convexa/contract/report'
import { mean, ratios, returnsOf } from '@convexa/engine/report'
import { count, fixed, percent, signedPercent } from '../../base/format.ts'
import { neverBought } from './sentences.ts'

// A formula with the numbers of this run put in: 「(1 + 300.40%)^(242 ÷ 1668) − 1 = +22.30%」. null where there is nothing to put in.

type Worked = (given: Numbers) => string | null

interface Numbers {
  report: ReportCore
  m: Report['metrics']
  /** Of the daily returns: mean, and what is made of it. */
  average: number
  spread: number
  up: number
  down: number
  /** Net value on a day, and the highest before it: the starting capital is a peak too. */
  at(date: string | null): number | null
  topBefore(date: string | null): number
}

const four = (value: number | null | undefined) => fixed(value, 4)
const thousandth = (value: number) => percent(value, 4)
const perYear = '√242'

const worked: Partial<Record<MetricKey, Worked>> = {
  total_return: ({ report, m }) => `${four(report.curves.nav.at(-1))} ÷ 1.0000 − 1 = ${signedPercent(m.total_return)}`,
  annual_return: ({ m }) =>
    m.annual_return === null ? null : `(1 ${plus(m.total_return)})^(242 ÷ ${m.days}) − 1 = ${signedPercent(m.annual_return)}`,
  max_drawdown: ({ m, at, topBefore }) =>
    m.max_drawdown_end === null
      ? null
      : `${four(at(m.max_drawdown_end))}（${m.max_drawdown_end}） ÷ ${four(topBefore(m.max_drawdown_end))}（${m.max_drawdown_start}） − 1 = ${signedPercent(m.max_drawdown)}`,
  volatility: ({ m, spread }) => (m.volatility === null ? null : `${thousandth(spread)} × ${perYear} = ${percent(m.volatility)}`),
  sharpe: ({ m, average, spread }) =>
    m.sharpe === null ? null : `${thousandth(average)} ÷ ${thousandth(spread)} × ${perYear} = ${fixed(m.sharpe)}`,
  sortino: ({ m, average }) =>
    m.sortino === null || m.downside_volatility === null
      ? null
      : `${thousandth(average)} ÷ ${thousandth(m.downside_volatility / Math.sqrt(242))} × ${perYear} = ${fixed(m.sortino)}`,
  downside_volatility: ({ m }) =>
    m.downside_volatility === null
      ? null
      : `${thousandth(m.downside_volatility / Math.sqrt(242))} × ${perYear} = ${percent(m.downside_volatility)}`,
  calmar: ({ m }) =>
    m.calmar === null ? null : `${percent(m.annual_return)} ÷ ${percent(Math.abs(m.max_drawdown ?? 0))} = ${fixed(m.calmar)}`,
  win_rate: ({ m, up }) => `${count(up)} ÷ ${count(m.days)} = ${percent(m.win_rate)}`,
  month_win_rate: ({ report, m }) => {
    const won = report.monthly.filter(({ nav_return }) => (nav_return ?? 0) > 0).length
    return `${won} ÷ ${report.monthly.length} = ${percent(m.month_win_rate)}`
  },
  turnover_annual: ({ m }) => (m.turnover_annual === null ? null : `${percent(m.turnover)} × 242 = ${fixed(m.turnover_annual, 1)} 倍`),
  excess_annual: ({ report, m }) => {
    const [own, bench] = [report.curves.nav.at(-1), report.curves.bench.at(-1)]
    if (m.excess_annual === null || !own || !bench) return null
    return `(${four(own)} ÷ ${four(bench)})^(242 ÷ ${m.days}) − 1 = ${signedPercent(m.excess_annual)}`
  },
  recent_1y: ({ report, m }) => {
    if (m.recent_1y === null) return null
    const { nav } = report.curves
    return `${four(nav.at(-1))} ÷ ${four(nav.length > 242 ? nav.at(-243) : 1)} − 1 = ${signedPercent(m.recent_1y)}`
  },
  information_ratio: ({ m }) =>
    m.information_ratio === null || m.tracking_error === null
      ? null
      : `${percent(m.information_ratio * m.tracking_error)} ÷ ${percent(m.tracking_error)} = ${fixed(m.information_ratio)}（都已折成一年）`,
  alpha: ({ report, m, average }) => {
    if (m.alpha === null || m.beta === null) return null
    const bench = mean(returnsOf(Float64Array.from(report.curves.bench, (value) => value ?? 1)))
    return `(${thousandth(average)} − ${fixed(m.beta)} × ${thousandth(bench)}) × 242 = ${signedPercent(m.alpha)}`
  },
  fees: ({ m }) => `共 ${count(m.trades)} 笔，合计 ${count(m.fees)} 元`,
}

/** Where one would lose what it says, in money: 「投入 10 万元，……」. */
const inMoney: Partial<Record<MetricKey, (wan: number, m: Report['metrics']) => string | null>> = {
  max_drawdown: (wan, m) =>
    m.max_drawdown === null ? null : `投入 ${wan} 万元买在最高点，最低时账面 ${fixed(wan * (1 + m.max_drawdown))} 万元。`,
  total_return: (wan, m) => (m.total_return === null ? null : `投入 ${wan} 万元，期末账面 ${fixed(wan * (1 + m.total_return))} 万元。`),
  annual_return: (wan, m) =>
    m.annual_return === null ? null : `投入 ${wan} 万元，平均每年变为 ${fixed(wan * (1 + m.annual_return))} 万元。`,
  worst_day: (wan, m) => (!isLoss(m.worst_day) ? null : `账面 ${wan} 万元，那一天少了 ${count(-wan * 10_000 * m.worst_day)} 元。`),
  var95: (wan, m) => (!isLoss(m.var95) ? null : `账面 ${wan} 万元，大约每二十天有一天亏 ${count(-wan * 10_000 * m.var95)} 元以上。`),
  recent_1y: (wan, m) => (m.recent_1y === null ? null : `一年前投入 ${wan} 万元，现在账面 ${fixed(wan * (1 + m.recent_1y))} 万元。`),
}

/** The formula of a metric with this run's numbers, and what it means in money. */
export function workedOut(report: ReportCore, key: MetricKey): { numbers: string | null; money: string | null } {
  // Of a run that bought nothing the page tells no figure to be worked out.
  if (neverBought(report)) return { numbers: null, money: null }
  const { dates, nav } = report.curves
  const returns = returnsOf(Float64Array.from(nav, (value) => value ?? 1))
  const { volatility } = ratios(returns)
  const given: Numbers = {
    report,
    m: report.metrics,
    average: mean(returns),
    spread: volatility / Math.sqrt(242),
    up: returns.filter((one) => one > 0).length,
    down: returns.filter((one) => one < 0).length,
    at: (date) => (date === null ? null : (nav[dates.indexOf(date)] ?? null)),
    topBefore: (date) =>
      nav.slice(0, Math.max(0, dates.indexOf(date ?? ''))).reduce<number>((high, value) => Math.max(high, value ?? high), 1),
  }
  return { numbers: worked[key]?.(given) ?? null, money: inMoney[key]?.(report.settings.capital, report.metrics) ?? null }
}

/** A short run may have lost on no day: then there is no sum to tell. */
const isLoss = (value: number | null): value is number => value !== null && value < 0

const plus = (value: number | null) => `${(value ?? 0) < 0 ? '−' : '+'} ${percent(Math.abs(value ?? 0))}`
