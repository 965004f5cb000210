import { executions } from '@convexa/contract/enums/execution'
import { exitReasons } from '@convexa/contract/enums/exit-reason'
import { labelOf } from '@convexa/contract/enums/table'
import { namedList } from '../base/named-list.ts'
import { lacksBar } from '../panel/missing-bars.ts'
import type { Panel } from '../panel/panel.ts'
import { unweighedText } from '../screen/weigh.ts'
import { paymentOf } from './redemption-payments.ts'
import type { Simulation } from './simulation.ts'

/** Positions closed because their prices ended: so many are named one by one. */
const mostEnds = 10

/** Warnings of positions closed because their data ended: the first ones, and the number of the others. */
export function exitWarnings(ends: readonly string[]): string[] {
  if (ends.length <= mostEnds) return [...ends]
  return [...ends.slice(0, mostEnds), `另有 ${ends.length - mostEnds} 次持仓因无行情退出`]
}

/** Trading days without a trade from which on a position is named: it may be suspended, or the data may not say that it has left. */
export const silentDays = 20

/** The last day on which a security traded, as an index of days; null: it did within the last `silentDays` of a day. −1: never. */
export function silentSince({ traded, stride }: Pick<Panel, 'traded' | 'stride'>, security: number, day: number): number | null {
  let t = day
  while (t >= 0 && traded[t * stride + security] === 0) t--
  return day - t < silentDays ? null : t
}

/** The warnings of positions at the end of a run that have not traded for long, with their share of equity. */
export function silentWarnings(
  { panel, last }: Pick<Simulation, 'panel' | 'last'>,
  positions: readonly number[],
  worth: (security: number) => number,
  equity: number,
): string[] {
  const warnings = positions.flatMap((i) => {
    const since = silentSince(panel, i, last)
    if (since === null) return []
    const { name, code } = panel.securities[i]
    const share = ((100 * worth(i)) / equity).toFixed(1)
    const from = panel.dates[Math.max(0, since)]
    if (lacksBar(panel, i, last)) return [`${name}（${code}）自 ${from} 之后没有成交，期末缺行情，按最近收盘价计值，占期末权益 ${share}%`]
    return [`${name}（${code}）自 ${from} 之后没有成交，按停牌持有，占期末权益 ${share}%；也可能已经退市而数据没有写明`]
  })
  return warnings.length <= mostEnds ? warnings : [...warnings.slice(0, mostEnds), `另有 ${warnings.length - mostEnds} 只持仓长期没有成交`]
}

/** The warning of bonds that a run which holds to the redemption has sold on their last day: nobody knows what they pay. */
export function unpaidWarnings({ panel }: Pick<Simulation, 'panel'>, sold: ReadonlySet<number>): string[] {
  if (sold.size === 0) return []
  const named = [...sold].sort((a, b) => a - b).map((i) => `${panel.securities[i].name}（${panel.securities[i].code}）`)
  return [`${namedList(named, mostNamed, '只')}的兑付金额无法推算，未持有到兑付，按最后交易日收盘卖出`]
}

/** The warnings of claims at the end of a run: what is to be paid, and when that is known. */
export function claimWarnings(
  { panel, last }: Pick<Simulation, 'panel' | 'last'>,
  claims: readonly number[],
  worth: (security: number) => number,
  equity: number,
): string[] {
  const warnings = claims.map((i) => {
    const { name, code, exitReason } = panel.securities[i]
    const share = `占期末权益 ${((100 * worth(i)) / equity).toFixed(1)}%`
    const payment = paymentOf(panel, i, last)
    if (payment !== null)
      return `${name}（${code}）期末待兑付，按${redemptionWords[payment.reason]} ${payment.price.toFixed(3)} 元计值，${share}`
    const why = exitReason === undefined ? '' : `（${labelOf(exitReasons, exitReason)}）`
    return `${name}（${code}）已无行情${why}，兑付金额无法推算，期末未兑付，按最后收盘价计值，${share}`
  })
  return warnings.length <= mostEnds
    ? warnings
    : [...warnings.slice(0, mostEnds), `另有 ${warnings.length - mostEnds} 只债券期末待兑付或未兑付`]
}

/** The price of a redemption, as users call it. */
export const redemptionWords = { called: '赎回价', matured: '到期兑付价' } as const

/** Warning of securities weighed without a size or volatility of their own on some day of the run. */
export function unweighedWarnings({ panel, compiled, parameters }: Simulation, lacking: ReadonlySet<number>): string[] {
  const names = [...lacking].sort((a, b) => a - b).map((i) => `${panel.securities[i].name}（${panel.securities[i].code}）`)
  const text = unweighedText(parameters.hold_method.hold_weight_type, compiled.weight?.label ?? '', names)
  return text === null ? [] : [`部分轮动日${text}`]
}

const mostNamed = 5

/** Shares that were held on days whose adjustment factor nobody tells. */
export function unadjustedWarnings({ panel }: Simulation, positions: ReadonlySet<number>): string[] {
  if (positions.size === 0) return []
  const named = [...positions].sort((a, b) => a - b).map((i) => `${panel.securities[i].name}（${panel.securities[i].code}）`)
  return [
    `${namedList(named, mostNamed, '只')}持有期间有交易日缺少复权因子，也没有前收盘价可以推算：其间的分红送转到下一个有因子的交易日才计入`,
  ]
}

/** Warning of a run without a single fill: the reason for it. */
export function explainEmptyRun({ rankings, settings }: Simulation): string {
  if (rankings.size.every((size) => size === 0)) return '每个轮动日都没有可选的标的（全部被剔除或缺少打分因子），全程空仓'
  if (executions[settings.execution].frictionless) return '没有一笔成交（权重全为零，或选出的标的都无法买入），全程空仓'
  return '没有一笔成交（资金不足以买入一手，或选出的标的都无法买入），全程空仓'
}
