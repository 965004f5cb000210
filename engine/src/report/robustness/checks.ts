import type { Robustness, RobustnessCheck, TrustState, WorthState } from '@convexa/contract'
import { robustnessChecks } from '@convexa/contract/enums/robustness-check'
import { yearDays } from '../../base/calendar.ts'
import { figure } from '../../base/figure.ts'
import { percent } from '../reasons.ts'

/** What the checks look at. */
export interface Evidence
  extends Pick<
    Robustness,
    'trials' | 'luck_threshold' | 'dsr' | 'pbo' | 'oos_ratio' | 'neighbour_std' | 'drop_best5' | 'drop_best_month' | 'worst_year_dropped'
  > {
  readonly days: number
  /** Annual, as `annual`; null where there were too few days. */
  readonly sharpe: number | null
  readonly annual: number | null
  /** Annual return of the days inside the sample; null where either part is too short to compare. */
  readonly inside: number | null
  /** A group has no parameters of its own: what a grid would tell is left out. */
  readonly isGroup: boolean
  /** Sharpe ratios of the check grid, where there is one. */
  readonly cells?: readonly number[] | undefined
}

/** Bars of product.md 3.8. */
const bars = { deflated: 0.95, deflatedLow: 0.8, overfitting: 0.3, outOfSample: 0.5, neighbours: 0.2, extremes: 0.6 }

/** With fewer tries the luck threshold is so low that passing it says nothing. */
const leastTrials = 5

/** Cells of a grid whose Sharpe ratios lie within this share of their median are as good as equal: then there is no best one to pick. */
const equalSpread = 0.2

type Key = RobustnessCheck['key']

/** The checks in their order, each with its number, its bar and a sentence; one that cannot be made says what it lacks. */
export function checksOf(evidence: Evidence): RobustnessCheck[] {
  const checks = [luck, deflated, overfitting, outOfSample, neighbours, extremes].map((check) => check(evidence))
  const applicable = evidence.isGroup ? checks.filter(({ key }) => !robustnessChecks[key].needsGrid) : checks
  return evidence.days < yearDays ? applicable.map(({ key, threshold }) => lacking(key, 'days', threshold)) : applicable
}

/**
 * The second answer, the first that holds: too short, no excess to trust, bad signs, a check missing, nothing fails, else middle. `worth` null:
 * there was nothing to hold the run against.
 */
export function verdictOf(checks: readonly RobustnessCheck[], worth: WorthState | null): TrustState {
  if (worth === 'short') return 'short'
  if (worth === 'no') return 'moot'
  const { judged, failed } = countsOf(checks)
  const dsr = figureOf(checks, 'deflated')
  if ((dsr !== null && dsr < bars.deflatedLow) || (failed >= 2 && 2 * failed >= judged)) return 'low'
  if (judged < checks.length) return 'pending'
  return failed === 0 ? 'high' : 'middle'
}

const figureOf = (checks: readonly RobustnessCheck[], wanted: Key): number | null => checks.find(({ key }) => key === wanted)?.value ?? null

/** How many checks were made, and of them how many hold and do not. */
export function countsOf(checks: readonly RobustnessCheck[]): { judged: number; passed: number; failed: number } {
  const passed = checks.filter(({ ok }) => ok === true).length
  const failed = checks.filter(({ ok }) => ok === false).length
  return { judged: passed + failed, passed, failed }
}

/** The checks and what they come to. */
export function judge(evidence: Evidence, worth: WorthState | null): Pick<Robustness, 'verdict' | 'judged' | 'passed' | 'checks'> {
  const checks = checksOf(evidence)
  const { judged, passed } = countsOf(checks)
  return { verdict: verdictOf(checks, worth), judged, passed, checks }
}

function luck({ sharpe, luck_threshold: bar, trials }: Evidence): RobustnessCheck {
  if (sharpe === null || bar === null) return lacking('luck', 'days', bar)
  if (trials < leastTrials) {
    return { ...lacking('luck', 'trials', bar), value: sharpe, sentence: `只试过 ${trials} 次，门槛太低，过关也说明不了什么` }
  }
  return judged('luck', sharpe, bar, sharpe > bar, `试过 ${trials} 次，瞎试最好约 ${figure(bar, 2)}`)
}

function deflated({ dsr }: Evidence): RobustnessCheck {
  const bar = bars.deflated
  if (dsr === null) return lacking('deflated', 'days', bar)
  if (dsr < bars.deflatedLow)
    return judged('deflated', dsr, bar, false, `低于 ${percent0(bars.deflatedLow)}：算上试过的次数，真有本事的把握太小`)
  return judged(
    'deflated',
    dsr,
    bar,
    dsr >= bar,
    dsr >= bar ? `算上试过的次数，真有本事的把握约 ${percent(dsr)}` : '算上试过的次数，真有本事的把握还不够',
  )
}

function overfitting({ pbo, cells = [] }: Evidence): RobustnessCheck {
  const bar = bars.overfitting
  if (pbo === null) return lacking('overfitting', 'grid', bar)
  if (pbo <= bar) return judged('overfitting', pbo, bar, true, `样本内最好的参数，换一段时间只有 ${percent(pbo)} 可能落到后一半`)
  const sorted = [...cells].sort((a, b) => a - b)
  const [least, most] = [sorted[0] ?? Number.NaN, sorted[sorted.length - 1] ?? Number.NaN]
  if (most - least <= equalSpread * middleOf(sorted)) {
    const sentence = `${cells.length} 组参数夏普都在 ${figure(least, 2)}–${figure(most, 2)}，不必挑“最好”的`
    return judged('overfitting', pbo, bar, false, sentence)
  }
  return judged('overfitting', pbo, bar, false, `样本内最好的参数，换一段时间有 ${percent(pbo)} 可能落到后一半，参数可能过拟合`)
}

function outOfSample({ inside, oos_ratio: ratio }: Evidence): RobustnessCheck {
  const bar = bars.outOfSample
  if (inside === null) return lacking('out_of_sample', 'days', bar)
  if (inside <= 0 || ratio === null) return judged('out_of_sample', null, bar, false, '样本内没有赚钱，谈不上保留')
  if (ratio >= bar) return judged('out_of_sample', ratio, bar, true, `样本外年化是样本内的 ${percent(ratio)}`)
  return judged('out_of_sample', ratio, bar, false, ratio < 0 ? '样本外亏损' : `样本外年化只有样本内的 ${percent(ratio)}`)
}

function neighbours({ neighbour_std: spread }: Evidence): RobustnessCheck {
  const bar = bars.neighbours
  if (spread === null) return lacking('neighbours', 'grid', bar)
  const text = `参数左右各动一格，夏普变动 ${percent(spread)}`
  return judged('neighbours', spread, bar, spread <= bar, spread <= bar ? text : `${text}，参数微调就变样`)
}

function extremes(evidence: Evidence): RobustnessCheck {
  const bar = bars.extremes
  if (evidence.annual === null) return lacking('extremes', 'days', bar)
  if (evidence.annual <= 0) return judged('extremes', null, bar, false, '全程没有赚钱，谈不上保留')
  const kept = leastKept(evidence, evidence.annual)
  if (kept === null) return lacking('extremes', 'days', bar)
  if (kept >= bar) return judged('extremes', kept, bar, true, `去掉最赚的 5 只、最好的一个月或任意一年，年化至少保留 ${percent(kept)}`)
  const what = '去掉最赚的 5 只、最好的一个月或某一年后'
  return judged('extremes', kept, bar, false, kept < 0 ? `${what}转为亏损` : `${what}，年化只剩原来的 ${percent(kept)}`)
}

/** The smallest share of the annual return that is kept when something extreme is taken away. */
function leastKept({ drop_best5: five, drop_best_month: month, worst_year_dropped: year }: Evidence, annual: number): number | null {
  const left = [five.annual_return, month.annual_return, year?.annual_return ?? null].filter((value) => value !== null)
  return left.length === 0 ? null : Math.min(...left.map((value) => value / annual))
}

const lackTexts: Record<NonNullable<RobustnessCheck['lack']>, string> = {
  days: '区间太短，加长后再查',
  grid: '还没有查',
  trials: '试过的次数太少',
}

const lacking = (key: Key, lack: keyof typeof lackTexts, threshold: number | null): RobustnessCheck => ({
  ...{ key, label: robustnessChecks[key].label, value: null, threshold, ok: null, sentence: lackTexts[lack], lack },
})

const judged = (key: Key, value: number | null, threshold: number, ok: boolean, sentence: string): RobustnessCheck => ({
  ...{ key, label: robustnessChecks[key].label, value, threshold, ok, sentence },
})

const percent0 = (share: number): string => `${Math.round(share * 100)}%`

/** Of sorted values the middle one; NaN of none. */
function middleOf(sorted: readonly number[]): number {
  const half = (sorted.length - 1) / 2
  return sorted.length === 0 ? Number.NaN : ((sorted[Math.floor(half)] as number) + (sorted[Math.ceil(half)] as number)) / 2
}
