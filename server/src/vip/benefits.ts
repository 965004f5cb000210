import { type Benefit, type ErrorCode, memberLift, memberNeeded } from '@convexa/contract'
import { Failure, failure } from '../http/fail.ts'
import { type Limits, limits } from '../quant/limits.ts'
import { runsAtOnce, type Tier } from '../queue/jobs.ts'

interface Unlocked {
  readonly label: string
  readonly of: (limits: Limits, tier: Tier) => number
  readonly words: (value: number) => string
}

const count = (value: number) => value.toLocaleString('en-US')
const daily = (label: string, item: keyof Limits['daily']): Unlocked => ({
  label,
  of: (limits) => limits.daily[item],
  words: (value) => `${count(value)} 次`,
})
const kept = (label: string, of: Unlocked['of'], each: string): Unlocked => ({ label, of, words: (value) => `${each}${count(value)} 个` })

/** What a plan unlocks, in the order in which it is shown: the limits that are checked (server/src/quant/limits.ts), in words. */
const table = {
  backtest: daily('每日回测', 'backtest'),
  runs_at_once: kept('同时运行的回测', (_limits, tier) => runsAtOnce[tier], ''),
  grid: daily('每日参数网格', 'grid'),
  grid_cells: { label: '网格组合数', of: ({ gridCells }) => gridCells, words: (value) => `${count(value)} 组` },
  history_screen: daily('每日历史筛选', 'history_screen'),
  factor_running: daily('每日因子试算', 'factor_running'),
  // Rounded up: what is above a limit is never told as the limit.
  formula_cost: {
    label: '公式计算量',
    of: ({ factorValues }) => factorValues,
    words: (value) => `${count(Math.ceil(value / 1e7) / 10)} 亿个数值`,
  },
  export: daily('每日配置导出', 'export'),
  custom_factors: kept('自定义因子', ({ customFactors }) => customFactors, ''),
  strategies: kept('保存的策略', ({ strategies }) => strategies, '每个市场 '),
  groups: kept('策略组', ({ groups }) => groups, '每个市场 '),
  compute: { label: '每日计算时间', of: ({ computeSeconds }) => computeSeconds / 60, words: (value) => `${count(value)} 分钟` },
  wall: { label: '单次回测时长', of: ({ wallMinutes }) => wallMinutes, words: (value) => `${count(value)} 分钟` },
} satisfies Record<string, Unlocked>

export type BenefitKey = keyof typeof table

const allowed = (key: BenefitKey, tier: Tier): number => table[key].of(limits[tier], tier)
const inWords = (key: BenefitKey, tier: Tier): string => table[key].words(allowed(key, tier))

export const benefits: Benefit[] = Object.entries(table).map(([key, { label, of, words }]) => ({
  key,
  label,
  value: words(of(limits.vip, 'vip')),
  free: words(of(limits.free, 'free')),
}))

/**
 * Why so much is refused, where waiting would not help: 21001 with the benefit's name if a member may have it, `beyond` if nobody may.
 * @returns null: it is allowed
 */
export function refusalOf(tier: Tier, key: BenefitKey, asked: number, beyond: ErrorCode): Failure | null {
  if (asked <= allowed(key, tier)) return null
  if (asked > allowed(key, 'vip')) return failure(beyond)
  const { label, words } = table[key]
  return new Failure(21001, `${label}超过 ${inWords(key, tier)}${memberNeeded}（最多 ${inWords(key, 'vip')}），当前 ${words(asked)}`)
}

/** How the sentence of a used-up limit goes on for whom a membership would raise it: `；会员可提升额度（每日回测 200 次）`. */
export const moreForMembers = (tier: Tier, key: BenefitKey): string =>
  tier === 'free' ? `；${memberLift}（${table[key].label} ${inWords(key, 'vip')}）` : ''
