import type { Benefit } from '@convexa/contract'
import { type Limits, limits } from '../quant/limits.ts'
import { runsAtOnce, type Tier } from '../queue/jobs.ts'

interface Shown {
  readonly key: string
  readonly label: string
  readonly of: (limits: Limits, tier: Tier) => string
}

const count = (value: number) => value.toLocaleString('en-US')

/** What a plan unlocks, in the order in which it is shown: the limits that are checked (server/src/quant/limits.ts), in words. */
const shown: readonly Shown[] = [
  { key: 'backtest', label: '每日回测', of: ({ daily }) => `${count(daily.backtest)} 次` },
  { key: 'runs_at_once', label: '同时运行的回测', of: (_limits, tier) => `${runsAtOnce[tier]} 个` },
  { key: 'grid', label: '每日参数网格', of: ({ daily }) => `${count(daily.grid)} 次` },
  { key: 'grid_cells', label: '网格组合数', of: ({ gridCells }) => `${count(gridCells)} 组` },
  { key: 'history_screen', label: '每日历史筛选', of: ({ daily }) => `${count(daily.history_screen)} 次` },
  { key: 'factor_running', label: '每日因子试算', of: ({ daily }) => `${count(daily.factor_running)} 次` },
  { key: 'custom_factors', label: '自定义因子', of: ({ customFactors }) => `${count(customFactors)} 个` },
  { key: 'strategies', label: '保存的策略', of: ({ strategies }) => `每个市场 ${count(strategies)} 个` },
  { key: 'groups', label: '策略组', of: ({ groups }) => `每个市场 ${count(groups)} 个` },
  { key: 'compute', label: '每日计算时间', of: ({ computeSeconds }) => `${count(computeSeconds / 60)} 分钟` },
  { key: 'wall', label: '单次回测时长', of: ({ wallMinutes }) => `${count(wallMinutes)} 分钟` },
]

export const benefits: Benefit[] = shown.map(({ key, label, of }) => ({
  key,
  label,
  value: of(limits.vip, 'vip'),
  free: of(limits.free, 'free'),
}))
