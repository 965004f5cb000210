import type { Report, RobustnessCheck } from '@convexa/contract/report'
import { fixed, percent } from '../../../ui/format.ts'

// What the six checks are shown as (product.md 3.8): number, bar, how far along, and what to do about it.

type Key = RobustnessCheck['key']

const ratio = (value: number | null) => fixed(value)
const share = (value: number | null) => percent(value, 1)

interface Shown {
  value: (value: number | null) => string
  bar: (threshold: number | null) => string
  /** Less is better. */
  below?: true
  /** What to do: when it holds, when it fails, when it could not be made. */
  todo: { yes: string; no: string; absent: string }
}

const shown: Record<Key, Shown> = {
  luck: {
    value: ratio,
    bar: (bar) => `门槛 ${fixed(bar)}`,
    todo: { yes: '每多试一次，门槛都会再高一点。', no: '停止继续调参，换一段没看过的数据再验证。', absent: '把区间放长后再看。' },
  },
  deflated: {
    value: share,
    bar: (bar) => `标准 ≥ ${percent(bar, 0)}`,
    todo: { yes: '继续累积样本外天数来印证。', no: '延长区间，或减少因子后再试。', absent: '把区间放长后再看。' },
  },
  overfitting: {
    value: share,
    bar: (bar) => `标准 ≤ ${percent(bar, 0)}`,
    below: true,
    todo: {
      yes: '仍从一片相近的参数里取，不取最高的那一点。',
      no: '从平台区取参数，不取最高点。',
      absent: '到参数网格用同样的规则跑一次。',
    },
  },
  out_of_sample: {
    value: share,
    bar: (bar) => `标准 ≥ ${percent(bar, 0)}`,
    todo: {
      yes: '继续累积样本外天数，不要回头再改参数。',
      no: '先弄清样本外这段市场有什么不同，再谈参数。',
      absent: '在回测设置里给出样本外起点。',
    },
  },
  neighbours: {
    value: share,
    bar: (bar) => `标准 ≤ ${percent(bar, 0)}`,
    below: true,
    todo: { yes: '可以在附近取整数参数。', no: '参数挪一格就变样，换一组更平的参数。', absent: '到参数网格用同样的规则跑一次。' },
  },
  extremes: {
    value: share,
    bar: (bar) => `标准 ≥ ${percent(bar, 0)}`,
    todo: { yes: '收益不靠少数几只或某一段撑起。', no: '看「贡献」里是哪几只、哪一年，想想还会不会再有。', absent: '年化为正时才有得比。' },
  },
}

export interface CheckWords {
  key: Key
  label: string
  ok: boolean | null
  value: string
  bar: string
  sentence: string
  todo: string
  /** How long the line is and where its bar stands, shares of its length; null when there is no number. */
  meter: { at: number; bar: number } | null
}

/** The checks that a grid of parameters would make. */
export const needsGrid = (key: Key): boolean => key === 'overfitting' || key === 'neighbours'

export function checkWords({ key, label, value, threshold, ok, sentence }: RobustnessCheck, hasGrid = true): CheckWords {
  const { value: write, bar, todo } = shown[key]
  const noGrid = needsGrid(key) && ok === null && !hasGrid
  return {
    key,
    label,
    ok,
    value: write(value),
    bar: threshold === null ? '' : bar(threshold),
    sentence: noGrid ? '它要由参数网格得出，股票没有参数网格。' : `${sentence}。`,
    todo: noGrid ? '看「敏感性」里换一点参数会怎样。' : ok === null ? todo.absent : ok ? todo.yes : todo.no,
    meter: value === null || threshold === null ? null : meterOf(value, threshold),
  }
}

/** The bar at six tenths where there is room; a threshold of zero stands at the left. */
function meterOf(value: number, threshold: number): { at: number; bar: number } {
  const most = Math.max(threshold / 0.6, 0.01, threshold === 0 ? value : 0)
  const within = (one: number) => Math.min(1, Math.max(0, one / most))
  return { at: within(value), bar: within(threshold) }
}

const verdictWords: Record<Report['robustness']['verdict'], string> = { high: '高', middle: '中', low: '低' }

/** The verdict in a word; where no check could be made it is none, good or bad. */
export const verdictWord = (robustness: Report['robustness']): string =>
  checkCounts(robustness).judged === 0 ? '无法判断' : verdictWords[robustness.verdict]

/** How many checks were made and how many of them hold. */
export function checkCounts({ checks }: Report['robustness']) {
  const judged = checks.filter(({ ok }) => ok !== null)
  return { all: checks.length, judged: judged.length, passed: judged.filter(({ ok }) => ok).length }
}

const short: Record<Key, string> = {
  luck: '运气门槛',
  deflated: '缩水夏普',
  overfitting: '过拟合概率',
  out_of_sample: '样本外',
  neighbours: '邻域稳定',
  extremes: '去极值',
}

/** The verdict in two plain sentences: what holds, what does not, and what that means. */
export function verdictSentence({ checks, verdict }: Report['robustness']): string {
  if (checks.every(({ ok }) => ok === null)) return '样本太少，各项检查都还不能判断；结果不足以作为依据。'
  const names = (wanted: boolean | null) => checks.filter(({ ok }) => ok === wanted).map(({ key }) => short[key])
  const [passed, failed, unknown] = [names(true), names(false), names(null)]
  const facts = [
    ...(passed.length > 0 ? [`${passed.join('、')}通过`] : []),
    ...(failed.length > 0 ? [`${failed.join('、')}未通过`] : []),
    ...(unknown.length > 0 ? [`${unknown.join('、')}还不能判断`] : []),
  ]
  const meaning = {
    high: '没有发现凑出来的迹象；它仍然只说过去。',
    middle: '结果可以参考，不足以单独作为依据。',
    low: '很可能是凑出来的，不宜据此行动。',
  }[verdict]
  return `${facts.join('，')}。${meaning}`
}

/** 「第 38 次尝试」 and of what; runs of a group are not counted. */
export const trialWords = ({ group, robustness: { trials, family } }: Pick<Report, 'group' | 'robustness'>): string =>
  group ? '策略组不计尝试次数，按试 1 次算' : `第 ${trials} 次尝试${family ? `（以「${family}」打分的同族规则与网格格子都算）` : ''}`
