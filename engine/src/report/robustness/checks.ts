import type { Robustness, RobustnessCheck } from '@convexa/contract'
import { figure } from '../../figure.ts'
import { percent } from '../reasons.ts'

type Figures = Pick<
  Robustness,
  'trials' | 'luck_threshold' | 'dsr' | 'pbo' | 'oos_ratio' | 'neighbour_std' | 'drop_best5' | 'drop_best_month' | 'worst_year_dropped'
> & { readonly sharpe: number | null; readonly annual: number | null; readonly years: number }

/** Bars of product.md 3.8. */
const bars = { deflated: 0.95, deflatedLow: 0.8, overfitting: 0.3, outOfSample: 0.5, neighbours: 0.2, extremes: 0.6 }

/** The six checks, each with its number, its bar and a sentence; a check that cannot be made says what it lacks. */
export function checksOf(figures: Figures): RobustnessCheck[] {
  const { trials, years, sharpe, luck_threshold: luck, dsr, pbo, oos_ratio: oos, neighbour_std: spread } = figures
  const kept = leastKept(figures)
  return [
    check('luck', '尝试次数与运气门槛', sharpe, luck, (value, bar) => value > bar, {
      yes: (value) => `在 ${years.toFixed(1)} 年数据上试 ${trials} 次，纯靠运气最好的夏普约 ${number(luck)}；本次 ${number(value)}，高于它`,
      no: (value) =>
        `在 ${years.toFixed(1)} 年数据上试 ${trials} 次，纯靠运气最好的夏普约 ${number(luck)}；本次 ${number(value)}，没有超过它`,
      absent: '交易日不足，无法计算夏普比率',
    }),
    check('deflated', '缩水夏普 DSR', dsr, bars.deflated, (value, bar) => value >= bar, {
      yes: (value) => `考虑尝试次数、偏度与峰度后，真实夏普大于 0 的把握约 ${percent(value)}`,
      no: (value) => `考虑尝试次数、偏度与峰度后，真实夏普大于 0 的把握约 ${percent(value)}，不足 ${percent(bars.deflated)}`,
      absent: '交易日不足，无法计算',
    }),
    check('overfitting', '过拟合概率 PBO', pbo, bars.overfitting, (value, bar) => value <= bar, {
      yes: (value) => `样本内最优的参数，样本外有 ${percent(value)} 可能落在后一半`,
      no: (value) => `样本内最优的参数，样本外有 ${percent(value)} 可能落在后一半，参数可能是凑出来的`,
      absent: '需要参数网格：运行一次网格回测后给出',
    }),
    check('out_of_sample', '样本外', oos, bars.outOfSample, (value, bar) => value >= bar, {
      yes: (value) => `样本外年化是样本内的 ${percent(value)}`,
      no: (value) => (value < 0 ? '样本外亏损' : `样本外年化只有样本内的 ${percent(value)}`),
      absent: '样本内年化不为正，或样本外不足 20 个交易日，无从比较',
    }),
    check('neighbours', '邻域稳定', spread, bars.neighbours, (value, bar) => value <= bar, {
      yes: (value) => `参数左右各动一格，指标的波动是自身的 ${percent(value)}`,
      no: (value) => `参数左右各动一格，指标的波动达到自身的 ${percent(value)}，改一点点就变样`,
      absent: '需要参数网格：运行一次网格回测后给出',
    }),
    check('extremes', '去极值稳定', kept, bars.extremes, (value, bar) => value >= bar, {
      yes: (value) => `去掉最赚的 5 只、最好的一个月或任意一年，年化至少保留 ${percent(value)}`,
      no: (value) =>
        value < 0
          ? '去掉最赚的 5 只、最好的一个月或某一年后转为亏损'
          : `去掉最赚的 5 只、最好的一个月或某一年后，年化只剩原来的 ${percent(value)}`,
      absent: figures.annual === null ? '交易日不足，无法计算年化' : '年化不为正，无从比较',
    }),
  ]
}

/** High: nothing fails and at least three could be judged. Low: the deflated Sharpe ratio below 0.8, or half of the judged fail. */
export function verdictOf(checks: readonly RobustnessCheck[]): Robustness['verdict'] {
  const judged = checks.filter(({ ok }) => ok !== null)
  const failed = judged.filter(({ ok }) => ok === false).length
  const deflated = checks.find(({ key }) => key === 'deflated')?.value ?? null
  if (judged.length === 0 || (deflated !== null && deflated < bars.deflatedLow) || failed * 2 >= judged.length) return 'low'
  return failed === 0 && judged.length >= 3 ? 'high' : 'middle'
}

/** The smallest share of the annual return that is kept when something extreme is taken away; null when there is no gain to keep. */
function leastKept({ annual, drop_best5: five, drop_best_month: month, worst_year_dropped: year }: Figures): number | null {
  if (annual === null || annual <= 0) return null
  const left = [five.annual_return, month.annual_return, ...(year ? [year.annual_return] : [])].filter((value) => value !== null)
  return left.length === 0 ? null : Math.min(...left.map((value) => value / annual))
}

function check(
  key: RobustnessCheck['key'],
  label: string,
  value: number | null,
  threshold: number | null,
  holds: (value: number, bar: number) => boolean,
  texts: { yes(value: number): string; no(value: number): string; absent: string },
): RobustnessCheck {
  if (value === null || threshold === null) return { key, label, value, threshold, ok: null, sentence: texts.absent }
  const ok = holds(value, threshold)
  return { key, label, value, threshold, ok, sentence: ok ? texts.yes(value) : texts.no(value) }
}

const number = (value: number | null): string => (value === null ? '—' : figure(value, 2))
