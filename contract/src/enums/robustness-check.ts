import type { Row } from './table.ts'

export interface RobustnessCheckRow extends Row {
  readonly short: string
  /** Made by a grid of parameters around the rule's own: a group of strategies has none. */
  readonly needsGrid: boolean
}

/** The checks of 靠谱吗, in their order; `short` is what a chip or a row of marks says. */
export const robustnessChecks = {
  luck: { label: '夏普高过“瞎试”水平', short: '高过瞎试', needsGrid: false },
  deflated: { label: '缩水夏普 DSR', short: '缩水夏普', needsGrid: false },
  overfitting: { label: '过拟合概率 PBO', short: '过拟合概率', needsGrid: true },
  out_of_sample: { label: '样本外保留', short: '样本外', needsGrid: false },
  neighbours: { label: '参数微调是否稳定', short: '参数微调', needsGrid: true },
  extremes: { label: '去掉最好的还剩多少', short: '去掉最好的', needsGrid: false },
} as const satisfies Record<string, RobustnessCheckRow>
export type RobustnessCheckKey = keyof typeof robustnessChecks
