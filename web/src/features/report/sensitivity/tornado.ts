import type { ReportCore } from '@convexa/contract/report'
import { mostProfitable, withoutStretches } from '../what-if/what-if.ts'

/** A bar of the tornado: the lowest and the highest annual return that a change gave. */
export interface Bar {
  key: string
  name: string
  /** What was changed to what. */
  terms: string
  low: number
  high: number
}

/** What can be told from the stored days at once: without the best five, the best month, any one year. */
export function ownBars(report: ReportCore): Bar[] {
  const annual = (from: string, to: string) => withoutStretches(report, [{ from, to }]).metrics.annual_return
  const bar = (key: string, name: string, terms: string, values: (number | null)[]): Bar[] => {
    const known = values.filter((value) => value !== null)
    return known.length === 0 ? [] : [{ key, name, terms, low: Math.min(...known), high: Math.max(...known) }]
  }
  // The engine's own figure, by the same definition: what each earned by day need not be here.
  const five = mostProfitable(report, 5).length > 0 ? report.robustness.drop_best5.annual_return : null
  const months = [...report.monthly].sort((a, b) => (b.nav_return ?? 0) - (a.nav_return ?? 0))
  const [best] = months
  const worst = months.at(-1)
  const years = report.yearly.length > 1 ? report.yearly : []
  return [
    ...bar('five', '去掉最赚的 5 只', '位置空着', [five]),
    ...bar(
      'year',
      '去掉任意一年',
      `${years.length} 种`,
      years.map(({ start, end }) => annual(start, end)),
    ),
    ...(best ? bar('best', '去掉最好的一个月', best.period, [annual(best.start, best.end)]) : []),
    ...(worst ? bar('worst', '去掉最差的一个月', worst.period, [annual(worst.start, worst.end)]) : []),
  ]
}

/** The widest first: what matters most stands on top. */
export const byWidth = (bars: readonly Bar[], base: number): Bar[] =>
  [...bars].sort((a, b) => spread(b, base) - spread(a, base) || (a.key < b.key ? -1 : 1))

const spread = ({ low, high }: Bar, base: number) => Math.max(high, base) - Math.min(low, base)

/** Ends of the axis: round steps around everything that is drawn. */
export function axisOf(bars: readonly Bar[], base: number): { from: number; to: number; ticks: number[] } {
  const low = Math.min(base, ...bars.map((bar) => bar.low))
  const high = Math.max(base, ...bars.map((bar) => bar.high))
  const rough = (high - low || 0.01) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((one) => one * power >= rough) ?? 10) * power
  const from = Math.floor(low / step + 1e-9) * step
  const count = Math.max(1, Math.ceil((high - from) / step - 1e-9))
  const ticks = Array.from({ length: count + 1 }, (_, k) => Number((from + k * step).toFixed(10)))
  return { from, to: ticks.at(-1) ?? high, ticks }
}
