/** In the sentence of what only a member may (21001). */
export const memberNeeded = '需要开通会员'
/** In the sentence of a used-up limit that a membership would raise; members do not get it. */
const memberLift = '会员可提升额度'

/**
 * Whether a membership would unlock what was refused, by the sentence of the error. The wire has no other place for it: an error has no data,
 * and that of a stream is a sentence and a code.
 */
export const vipUnlocks = (sentence: string): boolean => sentence.includes(memberNeeded) || sentence.includes(memberLift)

/** What a plan unlocks, in the order in which it is shown. */
export const benefitKeys = [
  'backtest',
  'runs_at_once',
  'grid',
  'grid_cells',
  'history_screen',
  'factor_running',
  'formula_cost',
  'export',
  'custom_factors',
  'strategies',
  'groups',
  'favourites',
  'compute',
  'wall',
] as const
export type BenefitKey = (typeof benefitKeys)[number]

/** As it is called on the page of plans, in every refusal and behind every used-up limit. */
export const benefitLabels: Readonly<Record<BenefitKey, string>> = {
  backtest: '每日回测',
  runs_at_once: '同时运行的回测',
  grid: '每日参数网格',
  grid_cells: '网格组合数',
  history_screen: '每日历史筛选',
  factor_running: '每日因子试算',
  formula_cost: '公式计算量',
  export: '每日配置导出',
  custom_factors: '自定义因子',
  strategies: '保存的策略',
  groups: '策略组',
  favourites: '收藏的回测',
  compute: '每日计算时间',
  wall: '单次回测时长',
}

/** How a limit goes on for whom a membership would raise it: `；会员可提升额度（每日回测 200 次）`. */
export const liftWords = (key: BenefitKey, value = ''): string => `；${memberLift}（${benefitLabels[key]}${value && ` ${value}`}）`
