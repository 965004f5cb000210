import { executions } from '@convexa/contract/enums/execution'
import type { Report } from '@convexa/contract/report'
import { yearDays } from '@convexa/engine/report'
import { fixed, percent } from '../../../base/format.ts'

/** 「单边成本每多 0.1%，年化约少 2.0 个百分点」: the slope of the sweep over its whole width; null of a run without one. */
export function costSentence({ cost_sweep: sweep }: Pick<Report, 'cost_sweep'>): string | null {
  const [first] = sweep
  const last = sweep.at(-1)
  if (!first || !last || first === last || first.annual_return === null || last.annual_return === null) return null
  const slope = ((first.annual_return - last.annual_return) / (last.rate - first.rate)) * 0.001
  return `单边成本每多 0.1%，年化约少 ${fixed(slope * 100, 1)} 个百分点。`
}

/** Net value at the end that an annual return over so many days means. */
export const finalValue = (annual: number | null, days: number): number | null =>
  annual === null ? null : (1 + annual) ** (days / yearDays)

/** The row of a sweep that is what the run itself was charged; −1 = none. The sweep knows no least fee: with one, no row is the run's. */
export function ownRate({ settings, cost_sweep: sweep }: Pick<Report, 'settings' | 'cost_sweep'>): number {
  const { cost } = settings
  if ((cost.min_fee ?? 0) > 0) return -1
  const own = (cost.buy_rate + cost.sell_rate) / 2 + (cost.slippage ?? 0)
  return sweep.findIndex(({ rate }) => Math.abs(rate - own) < 1e-9)
}

/** The row of the capacity curve that is the run's own capital; −1 = none. */
export const ownCapital = ({ settings, capacity }: Pick<Report, 'settings' | 'capacity'>): number =>
  capacity.findIndex(({ capital }) => capital === settings.capital)

/** Beyond this share of what was to be bought not being bought, the list held is no longer the rule's. */
export const tooLittleFilled = 0.95

/** 「10 万」「1 亿」 of 万元. */
export const capitalName = (wan: number): string => (wan >= 10_000 ? `${wan / 10_000} 亿` : `${wan} 万`)

/** What the capacity curve says of the run's own money, after how much of a day's turnover it took. */
export function capacitySentence(report: Pick<Report, 'settings' | 'capacity' | 'peak_participation'>): string {
  const peak = report.peak_participation ?? null
  const taken = peak === null ? '' : `单只单日最多占到当日成交额的 ${percent(peak, peak < 0.01 ? 2 : 1)}。`
  return `${taken}${curveSentence(report)}`
}

function curveSentence({ settings, capacity }: Pick<Report, 'settings' | 'capacity'>): string {
  if (capacity.length === 0)
    return executions[settings.execution].frictionless
      ? '理想成交不受成交额限制，没有容量可算。'
      : '缺少成交额数据，或轮动次数过多，没有计算容量。'
  const known = capacity.flatMap(({ capital, fill_rate: filled }) => (filled === null ? [] : [{ capital, filled }]))
  const last = known.at(-1)
  if (!last) return '没有要买的，没有容量可算。'
  const own = capitalName(settings.capital)
  const short = known.find(({ filled }) => filled < tooLittleFilled)
  if (!short) {
    const all = `到 ${capitalName(last.capital)}元为止，想买的都能买到 95% 以上；你的 ${own}元`
    return settings.capital > last.capital ? `${all}超出了这个范围，没有算过。` : `${all}容量充足。`
  }
  // Between two rows of the curve, as the slider under it says.
  const { unfilled } = capacityAt(capacity, settings.capital)
  if (unfilled !== null && unfilled > 1 - tooLittleFilled) return `你的 ${own}元已经超过容量：想买的约有 ${percent(unfilled, 0)} 买不到。`
  const beyond = known.find(({ capital, filled }) => capital > settings.capital && filled < tooLittleFilled)
  return beyond
    ? `你的 ${own}元在容量之内；到 ${capitalName(beyond.capital)}元时，想买的有 5% 以上买不到，名单已不是原策略。`
    : `你的 ${own}元在容量之内。`
}

/**
 * What the curve says of money between two of its rows: in a straight line over the logarithm of the capital, which is how the rows are spaced.
 * Outside of the rows the nearest one.
 */
export function capacityAt(capacity: Report['capacity'], wan: number): { annual: number | null; unfilled: number | null } {
  const after = capacity.findIndex(({ capital }) => capital >= wan)
  const high = capacity[after < 0 ? capacity.length - 1 : after]
  const low = capacity[Math.max(0, (after < 0 ? capacity.length : after) - 1)]
  if (!low || !high) return { annual: null, unfilled: null }
  const share = high.capital > low.capital ? Math.log(Math.max(low.capital, wan) / low.capital) / Math.log(high.capital / low.capital) : 0
  const between = (a: number | null, b: number | null) => (a === null || b === null ? null : a + (b - a) * Math.min(1, share))
  const filled = between(low.fill_rate, high.fill_rate)
  return { annual: between(low.annual_return, high.annual_return), unfilled: filled === null ? null : 1 - filled }
}

/** The share of what was to be bought that has to be bought for 「容量@90%」. */
const wellFilled = 0.9

/** 容量@90%: with how much money nine tenths of what was to be bought still are; beyond the last row of the curve, or none of it. */
export function capacitySize(capacity: Report['capacity']): string | null {
  const known = capacity.flatMap(({ capital, fill_rate: filled }) => (filled === null ? [] : [{ capital, filled }]))
  const at = known.findIndex(({ filled }) => filled < wellFilled)
  const [last, high, low] = [known.at(-1), known[at], known[at - 1]]
  if (!last) return null
  if (!high) return `${capitalName(last.capital)}元以上`
  if (!low) return `不足 ${capitalName(high.capital)}元`
  // In a straight line over the logarithm of the capital, as the slider.
  const share = (low.filled - wellFilled) / (low.filled - high.filled)
  return `约 ${capitalName(Number((low.capital * (high.capital / low.capital) ** share).toPrecision(2)))}元`
}

/** Stops of a slider over capitals: twenty to a power of ten, each a round number of 万元. */
export function capitalSteps(from: number, to: number): number[] {
  const all = Array.from({ length: Math.round(Math.log10(to / from) * 20) + 1 }, (_, i) => Number((from * 10 ** (i / 20)).toPrecision(2)))
  return [...new Set(all)]
}
