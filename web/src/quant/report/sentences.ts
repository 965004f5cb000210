import type { Report } from '@convexa/contract/backtest'
import { percent } from '../../ui/format.ts'

// Plain sentences computed from a report. Each is a list of pieces; a piece in `strong` is one of the report's numbers.

export type Piece = string | { strong: string }

/** The deepest fall as somebody who held it lived it: how much was lost, for how long, and in money. */
export function hardestStretch(report: Report): Piece[] {
  const worst = report.drawdowns.reduce<Report['drawdowns'][number] | null>(
    (deep, one) => (deep && deep.depth <= one.depth ? deep : one),
    null,
  )
  if (!worst || worst.depth >= 0) return ['这段时间净值没有低于过起点和此前的高点。']
  const { dates, nav } = report.curves
  const peak = dates.indexOf(worst.peak)
  const trough = dates.indexOf(worst.trough)
  const end = worst.end === null ? -1 : dates.indexOf(worst.end)
  const pieces: Piece[] = ['如果从头持有，最难熬的一段亏了 ', { strong: percent(-worst.depth, 1) }]
  if (end >= 0) pieces.push('，从高点到回本用了 ', { strong: String(end - peak) }, ' 个交易日')
  else pieces.push('，到区间结束过了 ', { strong: String(dates.length - 1 - peak) }, ' 个交易日还没有回本')
  const bottom = nav[trough]
  if (bottom !== null && bottom !== undefined) {
    // The starting capital can be the peak: then no day has it, and it is read from the depth.
    const lost = (bottom / (1 + worst.depth) - bottom) * report.settings.capital
    pieces.push('；投入 ', { strong: capitalWords(report.settings.capital) }, '，最低时账面比之前的高点少 ', { strong: capitalWords(lost) })
  }
  return [...pieces, '。']
}

/** 万元 as `10 万元`, `2.85 万元`, `1,800 元`. */
export function capitalWords(wan: number): string {
  if (Math.abs(wan) < 1) return `${Math.round(wan * 10_000).toLocaleString('zh-CN')} 元`
  return `${Number(wan.toFixed(2)).toLocaleString('zh-CN', { maximumFractionDigits: 2 })} 万元`
}

/** How many months lost, and which was the best. */
export function monthsSentence(report: Report, excess: boolean): string {
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
export function costDrag(report: Report): number | null {
  const gross = report.gross_nav.findLast((value) => value !== null)
  const { annual_return: annual, days } = report.metrics
  if (gross === undefined || gross === null || annual === null || days < 20 || gross <= 0) return null
  return gross ** (242 / days) - 1 - annual
}

/** What the share of the five most profitable securities is in the whole; null when the whole is not a gain. */
export function topShare(report: Report, top = 5): number | null {
  const total = report.contributions.reduce((sum, one) => sum + one.share, 0)
  if (total <= 0) return null
  const best = report.contributions.map((one) => one.share).sort((a, b) => b - a)
  return best.slice(0, top).reduce((sum, share) => sum + share, 0) / total
}
