import type { Row } from './table.ts'

/** The checks of 靠谱吗, in their order; `short` is what a chip or a row of marks says. */
export const robustnessChecks = {
  luck: { label: '夏普高过“瞎试”水平', short: '高过瞎试' },
  deflated: { label: '缩水夏普 DSR', short: '缩水夏普' },
  overfitting: { label: '过拟合概率 PBO', short: '过拟合概率' },
  out_of_sample: { label: '样本外保留', short: '样本外' },
  neighbours: { label: '参数微调是否稳定', short: '参数微调' },
  extremes: { label: '去掉最好的还剩多少', short: '去掉最好的' },
} as const satisfies Record<string, Row>
export type RobustnessCheckKey = keyof typeof robustnessChecks
