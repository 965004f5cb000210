import { robustnessChecks } from '@convexa/contract/enums/robustness-check'
import type { Report } from '@convexa/contract/report'
import type { RobustnessCheck } from '@convexa/contract/robustness'
import { fixed, percent } from '../../../base/format.ts'

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

/** What a check needs that a grid gives. */
const byGrid = '没有落后于市场的回测，打开报告时自动用参数网格补查；其余的按「仍要补查」。'

const shown: Record<Key, Shown> = {
  luck: {
    value: ratio,
    bar: (bar) => `门槛 ${fixed(bar)}`,
    todo: {
      yes: '每多试一次，门槛都会再高一点。',
      no: '停止继续调参，换一段没看过的数据再验证。',
      absent: '试满 5 次再看；补查用的网格格子也算。',
    },
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
      absent: byGrid,
    },
  },
  out_of_sample: {
    value: share,
    bar: (bar) => `标准 ≥ ${percent(bar, 0)}`,
    todo: {
      yes: '继续累积样本外天数，不要回头再改参数。',
      no: '先弄清样本外这段市场有什么不同，再谈参数。',
      absent: '把区间放长，或让样本外不少于 20 个交易日。',
    },
  },
  neighbours: {
    value: share,
    bar: (bar) => `标准 ≤ ${percent(bar, 0)}`,
    below: true,
    todo: { yes: '可以在附近取整数参数。', no: '参数挪一格就变样，换一组更平的参数。', absent: byGrid },
  },
  extremes: {
    value: share,
    bar: (bar) => `标准 ≥ ${percent(bar, 0)}`,
    todo: { yes: '收益不靠少数几只或某一段撑起。', no: '看「贡献」里是哪几只、哪一年，想想还会不会再有。', absent: '把区间放长后再看。' },
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
export const needsGrid = (key: Key): boolean => robustnessChecks[key].needsGrid

export function checkWords({ key, label, value, threshold, ok, sentence, lack }: RobustnessCheck): CheckWords {
  const { value: write, bar, todo } = shown[key]
  return {
    key,
    label,
    ok,
    value: write(value),
    // A threshold of too few tries is none.
    bar: threshold === null || lack === 'trials' ? '' : bar(threshold),
    sentence: `${sentence}。`,
    todo: ok === null ? (lack === 'days' ? '把区间放长后再看。' : todo.absent) : ok ? todo.yes : todo.no,
    meter: value === null || threshold === null || ok === null ? null : meterOf(value, threshold),
  }
}

/** The bar at six tenths where there is room; a threshold of zero stands at the left. */
function meterOf(value: number, threshold: number): { at: number; bar: number } {
  const most = Math.max(threshold / 0.6, 0.01, threshold === 0 ? value : 0)
  const within = (one: number) => Math.min(1, Math.max(0, one / most))
  return { at: within(value), bar: within(threshold) }
}

/** 「第 38 次尝试」 and of what; of a group how often the like of its members was tried. */
export const trialWords = ({ group, robustness: { trials, family } }: Pick<Report, 'group' | 'robustness'>): string =>
  group
    ? `成员的同族规则与网格格子共试过 ${trials} 次`
    : `第 ${trials} 次尝试${family ? `（以「${family}」打分的同族规则与网格格子都算）` : ''}`
