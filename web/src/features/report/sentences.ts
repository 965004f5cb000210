import type { Report, ReportCore } from '@convexa/contract/report'
import { leastDays, ratios, returnsOf, yearDays } from '@convexa/engine/report'
import { percent } from '../../base/format.ts'
import { capitalWords } from '../rule/capital-words.ts'

// Plain sentences computed from a report. Each is a list of pieces; a piece in `strong` is one of the report's numbers.

export type Piece = string | { strong: string }

/** Its words alone. */
export const plainText = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : piece.strong)).join('')

/** A run that bought nothing: its figures are those of cash, and say nothing about the rule. */
export const neverBought = (report: Pick<Report, 'trades_total' | 'contributions'>): boolean =>
  report.trades_total === 0 && report.contributions.length === 0
const nothingBought = '全程没有买入任何证券'

/** The deepest fall as somebody who held it lived it: how much was lost, for how long, and in money. */
export function hardestStretch(report: ReportCore): Piece[] {
  if (neverBought(report)) return [`${nothingBought}：净值没有变化，各项比率没有意义。请放宽条件，或换一段时间。`]
  const worst = report.drawdowns.reduce<Report['drawdowns'][number] | null>(
    (deep, one) => (deep && deep.depth <= one.depth ? deep : one),
    null,
  )
  if (!worst || worst.depth >= 0) return ['这段时间净值没有低于过起点和此前的高点。']
  const { dates, nav } = report.curves
  const trough = dates.indexOf(worst.trough)
  const pieces: Piece[] = ['如果从头持有，最难熬的一段亏了 ', { strong: percent(-worst.depth, 1) }]
  // Counted by the days that the report has: where the starting capital is the peak, that is the day before the first.
  if (worst.recover_days !== null) pieces.push('，从高点到回本用了 ', { strong: String(worst.down_days + worst.recover_days) }, ' 个交易日')
  else pieces.push('，到区间结束过了 ', { strong: String(worst.down_days + dates.length - 1 - trough) }, ' 个交易日还没有回本')
  const bottom = nav[trough]
  if (bottom !== null && bottom !== undefined) {
    // The starting capital can be the peak: then no day has it. From the depth it cannot be read where all was lost.
    const top = nav.slice(0, trough).reduce<number>((high, value) => Math.max(high, value ?? high), 1)
    const lost = (top - bottom) * report.settings.capital
    pieces.push('；投入 ', { strong: capitalWords(report.settings.capital) }, '，最低时账面比之前的高点少 ', { strong: capitalWords(lost) })
  }
  return [...pieces, '。']
}

/** What a year's deposit is taken to pay, all along: a measure to hold the rule against, no quotation. */
export const depositRate = 0.015

/** A deposit's value on each day, 1 at the first; by trading days of a year. */
export const depositCurve = (days: number): number[] => Array.from({ length: days }, (_, i) => (1 + depositRate) ** (i / yearDays))

/** How many months lost, and which was the best. */
export function monthsSentence(report: ReportCore, excess: boolean): string {
  if (neverBought(report)) return `${nothingBought}。`
  const rows = report.monthly.flatMap((row) => {
    const value = excess ? row.excess : row.nav_return
    return value === null ? [] : [{ period: row.period, value }]
  })
  const best = rows.reduce<(typeof rows)[number] | null>((top, row) => (top && top.value >= row.value ? top : row), null)
  if (!best) return '没有可比的月份。'
  const lost = rows.filter((row) => row.value < 0).length
  const [year, month] = best.period.split('-')
  const sign = best.value > 0 ? '+' : best.value < 0 ? '−' : ''
  return `${rows.length} 个月里有 ${lost} 个月${excess ? '跑输基准' : '亏损'}；最好的一个月是 ${year} 年 ${Number(month)} 月，${sign}${percent(Math.abs(best.value), 1)}。`
}

/** Yearly cost of trading: the annual return without costs less the one with them; null for short ranges. */
export function costDrag(report: ReportCore): number | null {
  const gross = report.gross_nav.findLast((value) => value !== null)
  const { annual_return: annual, days } = report.metrics
  if (gross === undefined || gross === null || annual === null || days < leastDays || gross <= 0) return null
  return gross ** (yearDays / days) - 1 - annual
}

/** Sharpe ratio of the days before the out-of-sample start, as the report's own is made; null below 20 days. */
export function inSampleSharpe(report: ReportCore): number | null {
  const { dates, nav } = report.curves
  const start = report.oos_start
  const until = start === null ? -1 : dates.findIndex((date) => date >= start)
  const days = nav.slice(0, Math.max(0, until)).filter((value) => value !== null)
  if (days.length < leastDays) return null
  const { sharpe } = ratios(returnsOf(Float64Array.from(days)))
  return Number.isFinite(sharpe) ? sharpe : null
}

/** What the share of the five most profitable securities is in the whole; null when the whole is not a gain. */
export function topShare(report: ReportCore, top = 5): number | null {
  const total = report.contributions.reduce((sum, one) => sum + one.share, 0)
  if (total <= 0) return null
  const best = report.contributions.map((one) => one.share).sort((a, b) => b - a)
  return best.slice(0, top).reduce((sum, share) => sum + share, 0) / total
}

/** What the marks of VaR mean; of a few days, or of a run that lay mostly in cash, the first may be no loss. */
export function lossSentence({ var95, cvar95 }: Pick<Report['metrics'], 'var95' | 'cvar95'>): string {
  if (var95 === null) return '样本不足，不给出 VaR。'
  if (var95 >= 0) return '样本太少，或很少有亏损的日子：VaR95 不是亏损。'
  return `一百天里大约有五天，单日亏损达到或超过 ${percent(-var95)}；落在这五天里，平均一天亏 ${percent(-(cvar95 ?? 0))}。`
}
