import type { Bin, InformationCoefficient } from '@convexa/contract'
import { figure } from '../base/figure.ts'
import { mostCut } from '../screen/order.ts'

interface Summary {
  /** Those with members. */
  readonly rows: readonly Bin[]
  readonly rankIc: InformationCoefficient
  readonly monotonicity: number | null
  readonly direction: 'small' | 'large'
  readonly factor: string
  readonly horizon: number
  /** Share of the members whose value lies in more than one bin. */
  readonly cutShare: number
}

/** What the numbers say in a sentence or three, without advice: how well the factor sorts, in which part, and whether it is noise. */
export function verdictOf({ rows, rankIc, monotonicity, direction, factor, horizon, cutShare }: Summary): string {
  const { mean, t } = rankIc
  if (mean === null) return `样本不足，无法判断「${factor}」与未来 ${horizon} 日收益的关系。`
  const parts: string[] = []
  // The same on every date: no doubt is left, and no t can be said.
  const significant = t === null ? mean !== 0 : Math.abs(t) >= 2
  const evidence = `Rank IC 均值 ${figure(mean, 3)}${t === null ? '' : `（t ${figure(t, 1)}）`}`
  parts.push(
    significant
      ? `「${factor}」与未来 ${horizon} 日收益的 ${evidence}，${direction === 'small' ? '数值越小，之后的收益越高' : '数值越大，之后的收益越高'}`
      : `「${factor}」的 ${evidence}，与零没有显著差别`,
  )
  if (monotonicity !== null) {
    const strength = Math.abs(monotonicity)
    parts.push(strength >= 0.9 ? '单调性好' : strength >= 0.6 ? '大致单调' : '各箱之间没有单调关系')
  }
  if (cutShare > mostCut) parts.push(`${figure(100 * cutShare, 1)}% 的证券取值相同而被分进不同的箱，各箱不能相比`)
  else if (significant) parts.push(whereFrom(rows, direction))
  return `${parts.filter((part) => part !== '').join('；')}。`
}

/** Whether the spread comes from the end that is bought or from the one that is left out. */
function whereFrom(rows: readonly Bin[], direction: 'small' | 'large'): string {
  const means = rows.map(({ mean_forward: value }) => value)
  if (means.some((value) => value === null)) return ''
  const known = means as number[]
  const middle = known.reduce((sum, value) => sum + value, 0) / known.length
  const [best, worst] = direction === 'large' ? [known.length - 1, 0] : [0, known.length - 1]
  const [gain, loss] = [known[best] - middle, middle - known[worst]]
  if (!(gain > 0 || loss > 0)) return ''
  const name = (bin: number) => rows[bin].label
  if (loss > 2 * Math.max(gain, 0)) return `差距主要来自 ${name(worst)} 落后，${name(best)} 一端优势不大`
  if (gain > 2 * Math.max(loss, 0)) return `差距主要来自 ${name(best)} 领先`
  return `差距来自 ${name(best)} 与 ${name(worst)} 两端`
}
