import { benefitKeys, benefitLabels, vipUnlocks } from '@convexa/contract'
import { expect, it } from 'vitest'
import { ApiError } from '../base/api-error.ts'
import { benefits, limitReached, refusalOf } from './benefits.ts'
import { limits } from './limits.ts'

/** Each benefit by its key: what is measured against it, or null where a use more is one too many; and the refusal of a free user. */
const heard: Record<(typeof benefitKeys)[number], { measured: [free: number, vip: number] | null; code: number; free: string }> = {
  backtest: { measured: null, code: 21002, free: '今日使用次数已达上限，次日零点恢复；会员可提升额度（每日回测 200 次）' },
  runs_at_once: { measured: null, code: 23002, free: '等待中的回测已满，请等待完成；会员可提升额度（同时运行的回测 2 个）' },
  grid: { measured: null, code: 21002, free: '今日使用次数已达上限，次日零点恢复；会员可提升额度（每日参数网格 50 次）' },
  grid_cells: { measured: [200, 2_000], code: 21001, free: '网格组合数超过 200 组需要开通会员（最多 2,000 组），当前 201 组' },
  history_screen: { measured: null, code: 21002, free: '今日使用次数已达上限，次日零点恢复；会员可提升额度（每日历史筛选 1,000 次）' },
  factor_running: { measured: null, code: 21002, free: '今日使用次数已达上限，次日零点恢复；会员可提升额度（每日因子试算 500 次）' },
  formula_cost: {
    measured: [5e8, 2e9],
    code: 21001,
    free: '公式计算量超过 5 亿个数值需要开通会员（最多 20 亿个数值），当前 5.1 亿个数值',
  },
  export: { measured: null, code: 21002, free: '今日使用次数已达上限，次日零点恢复；会员可提升额度（每日配置导出 200 次）' },
  custom_factors: { measured: null, code: 21005, free: '自定义因子数量已达上限（30 个）；会员可提升额度（自定义因子 100 个）' },
  strategies: {
    measured: null,
    code: 21005,
    free: '策略数量已达上限（每个市场 30 个）；会员可提升额度（保存的策略 每个市场 200 个）',
  },
  groups: { measured: null, code: 21005, free: '策略组数量已达上限（每个市场 10 个）；会员可提升额度（策略组 每个市场 50 个）' },
  favourites: { measured: null, code: 21005, free: '收藏的回测数量已达上限（20 个）；会员可提升额度（收藏的回测 200 个）' },
  compute: { measured: null, code: 21002, free: '今日计算时间已用完（10 分钟），次日零点恢复；会员可提升额度（每日计算时间 100 分钟）' },
  wall: {
    measured: null,
    code: 23021,
    free: '单次回测超过 15 分钟，已停止，请缩小范围后重试；会员可提升额度（单次回测时长 30 分钟）',
  },
}

it.each(benefitKeys)('%s: the list, the refusal and the way to the plans say the same', (key) => {
  const { measured, code, free } = heard[key]
  const shown = benefits.find((one) => one.key === key)
  const toFree = measured ? refusalOf('free', key, measured[0] + 1, 22005) : limitReached('free', key)
  const toMember = measured ? refusalOf('vip', key, measured[1] + 1, 22005) : limitReached('vip', key)
  expect(toFree).toMatchObject({ code, message: free })
  expect(vipUnlocks(free)).toBe(true)
  // The refusal names a member's limit by the number of the page of plans, which is the number that is checked.
  expect(free).toContain(shown?.value)
  expect(shown?.label).toBe(benefitLabels[key])
  // The page lights up what was missed, and nothing else.
  expect(benefits.filter(({ label }) => free.includes(label)).map((one) => one.key)).toEqual([key])
  expect(toMember).toBeInstanceOf(ApiError)
  expect(vipUnlocks(toMember?.message ?? '')).toBe(false)
  if (measured) expect([refusalOf('free', key, measured[0], 22005), toMember?.code]).toEqual([null, 22005])
})

it('every plan has all of them, and no number of a plan is left out', () => {
  expect(benefits.map(({ key }) => key)).toEqual([...benefitKeys])
  const { queued, daily, ...others } = limits.vip
  expect(queued).toBe(limits.free.queued)
  const ofTheQueue = ['runs_at_once']
  expect([...Object.keys(daily), ...Object.keys(others), ...ofTheQueue]).toHaveLength(benefitKeys.length)
})
