import {
  type Benefit,
  type BenefitKey,
  benefitKeys,
  benefitLabels,
  type ErrorCode,
  liftWords,
  memberNeeded,
  messageOf,
} from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { ApiError, apiError } from '../base/api-error.ts'
import { runsAtOnce, type Tier } from '../queue/jobs.ts'
import { type Limits, limits } from './limits.ts'

interface Unlocked {
  readonly of: (limits: Limits, tier: Tier) => number
  readonly words: (value: number) => string
  /** Refusal at the limit; null where a request is measured against the limit (`rejectionOfProblem`). */
  readonly reached: { readonly code: ErrorCode; readonly words: (value: number) => string } | null
}

const count = (value: number) => value.toLocaleString('en-US')
const daily = (item: keyof Limits['daily']): Unlocked => ({
  of: (limits) => limits.daily[item],
  words: (value) => `${count(value)} 次`,
  reached: { code: errorCodes.dailyLimit, words: () => `${messageOf(errorCodes.dailyLimit)}，次日零点恢复` },
})
const kept = (of: Unlocked['of'], name: string, each = ''): Unlocked => ({
  of,
  words: (value) => `${each && `${each} `}${count(value)} 个`,
  reached: { code: errorCodes.tooManyStrategies, words: (value) => `${name}数量已达上限（${each && `${each} `}${value} 个）` },
})

/** Benefits of a plan: the limits that are checked (server/src/usage/limits.ts), in words, and the refusal of a use beyond them. */
const table: Record<BenefitKey, Unlocked> = {
  backtest: daily('backtest'),
  runs_at_once: {
    of: (_limits, tier) => runsAtOnce[tier],
    words: (value) => `${count(value)} 个`,
    reached: { code: errorCodes.userQueueFull, words: () => messageOf(errorCodes.userQueueFull) },
  },
  grid: daily('grid'),
  grid_cells: { of: ({ gridCells }) => gridCells, words: (value) => `${count(value)} 组`, reached: null },
  history_screen: daily('history_screen'),
  factor_running: daily('factor_running'),
  // Rounded up: what is above a limit is never told as the limit.
  formula_cost: {
    of: ({ factorValues }) => factorValues,
    words: (value) => `${count(Math.ceil(value / 1e7) / 10)} 亿个数值`,
    reached: null,
  },
  export: daily('export'),
  custom_factors: kept(({ customFactors }) => customFactors, '自定义因子'),
  strategies: kept(({ strategies }) => strategies, '策略', '每个市场'),
  groups: kept(({ groups }) => groups, '策略组', '每个市场'),
  favourites: kept(({ favourites }) => favourites, benefitLabels.favourites),
  compute: {
    of: ({ computeSeconds }) => computeSeconds / 60,
    words: (value) => `${count(value)} 分钟`,
    reached: { code: errorCodes.dailyLimit, words: (value) => `今日计算时间已用完（${count(value)} 分钟），次日零点恢复` },
  },
  wall: {
    of: ({ wallMinutes }) => wallMinutes,
    words: (value) => `${count(value)} 分钟`,
    reached: { code: errorCodes.computeTimeout, words: (value) => `单次回测超过 ${count(value)} 分钟，已停止，请缩小范围后重试` },
  },
}

const allowed = (key: BenefitKey, tier: Tier): number => table[key].of(limits[tier], tier)
const inWords = (key: BenefitKey, tier: Tier): string => table[key].words(allowed(key, tier))

export const benefits: Benefit[] = benefitKeys.map((key) => ({
  key,
  label: benefitLabels[key],
  value: inWords(key, 'vip'),
  free: inWords(key, 'free'),
}))

/**
 * Why so much is refused, where waiting would not help: 21001 with the benefit's name if a member may have it, `beyond` if nobody may.
 * @returns null: it is allowed
 */
export function refusalOf(tier: Tier, key: BenefitKey, amount: number, beyond: ErrorCode): ApiError | null {
  if (amount <= allowed(key, tier)) return null
  if (amount > allowed(key, 'vip')) return apiError(beyond)
  const { words } = table[key]
  return new ApiError(
    errorCodes.vipNeeded,
    `${benefitLabels[key]}超过 ${inWords(key, tier)}${memberNeeded}（最多 ${inWords(key, 'vip')}），当前 ${words(amount)}`,
  )
}

/**
 * Error message for a reached limit; for free users it adds the VIP limit. @throws Error for a benefit that `rejectionOfProblem` measures
 */
export function limitReached(tier: Tier, key: BenefitKey): ApiError {
  const { reached } = table[key]
  if (!reached) throw new Error(`${key} is measured, not reached`)
  const more = tier === 'free' ? liftWords(key, inWords(key, 'vip')) : ''
  return new ApiError(reached.code, reached.words(allowed(key, tier)) + more)
}
